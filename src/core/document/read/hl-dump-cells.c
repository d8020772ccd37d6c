/* SPDX-License-Identifier: MIT */
/* Masks that are stored: of keys that no query sees, and `mask`, with a bit for each cell, which stays where it is. */
#include "core/document/read/hl-dump-cells.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/document/read/hl-dump-keys.h"
#include "core/document/read/hl-dump-mask.h"

/* The bits of each layer; of no layers without an error if the file has none. */
static gboolean
open_bits (const HlDumpContext *context,
           const HlDumpHeld    *held,
           const HlDumpMaps    *base,
           HlLayerTensor      **bits,
           GError             **error)
{
  const guint n_layers = base->n_layers;
  const char *name = hl_dump_context_get_name (context, "mask");
  g_autofree char *path = hl_dump_context_get_path (context, "mask");
  guint64 n_rows, row;

  *bits = NULL;
  if (hl_archive_get_kind (context->archive, path) == HL_MEMBER_NONE)
    return TRUE;
  g_autofree char *own = hl_dump_keys_find_rows (context, held, name, base->n_batch, &n_rows, &row);
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (context->archive, own != NULL ? own : path, error);
  if (tensor == NULL)
    return FALSE;
  const HlShape *shape = hl_tensor_get_shape (tensor);
  const guint rank = shape->rank;
  const guint64 n_bytes = (held->n_keys + 7) / 8;
  const HlDType dtype = hl_tensor_get_dtype (tensor);
  /* Numbers of JSON are float32 all of them. */
  const gboolean is_bytes =
    dtype == HL_DTYPE_U8 ||
    (hl_dtype_is_float (dtype) &&
     (hl_tensor_is_in_memory (tensor) || g_str_equal (hl_archive_get_container (context->archive), "JSON")));
  const gboolean is_of_lists = hl_dump_keys_are_of_lists (context);
  const guint64 n_items = rank > 3 ? shape->dims[1] : 1;
  const gboolean has_item = is_of_lists ? n_items == 1 || (own != NULL && n_items == n_rows) : held->batch < n_items;
  if (!is_bytes || rank < 2 || rank > 4 || shape->dims[rank - 2] != held->n_queries ||
      shape->dims[rank - 1] != n_bytes || (rank > 2 && shape->dims[0] != n_layers) || (rank > 3 && !has_item))
    {
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                   _ ("“%s” is %s of type %s; %zu × %" PRIu64
                      " bytes (uint8) are needed, a bit for each query and key, "
                      "or as many for each of %u layers"),
                   name, rank > 0 ? sizes : _ ("a single number"), hl_dtype_get_name (dtype), held->n_queries, n_bytes,
                   n_layers);
      return FALSE;
    }
  *bits = g_new (HlLayerTensor, n_layers);
  for (guint i = 0; i < n_layers; i++)
    (*bits)[i] = (HlLayerTensor){
      .tensor = tensor,
      .layer_axis = rank > 2 ? 0 : -1,
      .layer = i,
      .batch_axis = rank > 3 ? 1 : -1,
      .batch = !is_of_lists  ? held->batch
               : n_items > 1 ? row
                             : 0,
      .head_axis = -1,
      .row_axis = (int) rank - 2,
      .column_axis = (int) rank - 1,
    };
  g_object_ref (tensor); /* for the layers; the caller drops it */
  return TRUE;
}

/* Whether stored weights have something where the mask says that nothing is seen. Few rows of two heads are read, the last that are no padding. */
static gboolean
is_contradicted (const HlDumpContext *context,
                 const HlDumpRule    *rule,
                 const HlDumpHeld    *held,
                 HlCellMask          *cells,
                 gboolean            *contradicted,
                 GError             **error)
{
  const gsize most = hl_dump_held_count_rows (held, held->n_queries);
  g_autofree float *rows = g_new (float, MAX (most * held->n_keys, 1));

  *contradicted = FALSE;
  for (guint i = 0; i < HL_DUMP_HELD_N_HEADS && held->weights->n_layers > 0 && !held->has_scores; i++)
    {
      const guint layer = hl_dump_held_get_layer (held, i);
      const HlMask mask = hl_dump_mask_of_layer (rule, held, layer);
      gsize first, end;

      hl_dump_held_find_text (held, &mask, &first, &end);
      const gsize n_rows = MIN (most, end - first);
      first = end - n_rows;
      g_autofree guint8 *seen =
        hl_cell_mask_read_new (cells, layer, first, n_rows, 0, held->n_keys, context->cancellable, error);

      if (seen == NULL || !hl_dump_held_read (held, context, i, first, n_rows, rows, error))
        return FALSE;
      for (gsize at = 0; at < n_rows * held->n_keys; at++)
        *contradicted |= seen[at] == 0 && rows[at] != 0 && !isnan (rows[at]) &&
                         !hl_dump_held_is_padding (held, &mask, first + at / held->n_keys);
    }
  return TRUE;
}

/* Says it where weights contradict a mask. */
static gboolean
check_cells (const HlDumpContext *context,
             const HlDumpRule    *rule,
             const HlDumpHeld    *held,
             const char          *name,
             HlCellMask          *cells,
             gboolean            *contradicted,
             GError             **error)
{
  if (!is_contradicted (context, rule, held, cells, contradicted, error))
    return FALSE;
  if (*contradicted)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ ("“%s” hides keys that queries attend to; it is left out"), name);
  return TRUE;
}

/* Keys at the beginning and the end that nobody sees are what a rule can say. Returns whether keys between them are hidden, too. */
static gboolean
trim_keys (HlDumpHeld   *held,
           const guint8 *keys)
{
  gsize first = 0, end = held->n_keys;

  while (first < end && keys[first] == 0)
    first++;
  if (first == end)
    return TRUE;
  while (keys[end - 1] == 0)
    end--;
  held->mask.first_key = MAX (held->mask.first_key, first);
  if (end < held->n_keys)
    held->mask.end_key = held->mask.end_key > 0 ? MIN (held->mask.end_key, end) : end;
  for (gsize i = first; i < end; i++)
    if (keys[i] == 0)
      return TRUE;
  return FALSE;
}

/* Of version 1 beside stored weights there may be other things of these names. */
static gboolean
may_have_masks (const HlDumpContext *context,
                gboolean             strict)
{
  return strict || hl_dump_read_version (context) != 1;
}

/* What does not fit is an error if @strict, when weights follow from it; otherwise it is left out. */
static gboolean
fail_or_leave_out (const HlDumpContext *context,
                   gboolean             strict,
                   GError              *reason,
                   GError             **error)
{
  if (!strict)
    return hl_dump_context_leave_out (context, reason, error);
  g_propagate_error (error, reason);
  return FALSE;
}

/* Finds the keys that no query sees, [n_keys] of 1 or 0, or %NULL if none is said to be one, and where the queries are such keys tells @held of
 * them, which must not outlive them. What stored weights contradict is left out. */
gboolean
hl_dump_read_keys (const HlDumpContext *context,
                   const HlDumpRule    *rule,
                   HlAttentionKind      kind,
                   const HlDumpMaps    *base,
                   gboolean             strict,
                   HlDumpHeld          *held,
                   guint8             **keys,
                   GError             **error)
{
  GError *reason = NULL;
  const char *name;
  gboolean contradicted;

  if (!may_have_masks (context, strict))
    return TRUE;
  g_autofree guint8 *found = hl_dump_keys_read (context, held, kind, base->n_batch, &name, &reason);
  if (reason != NULL)
    return fail_or_leave_out (context, strict, reason, error);
  if (found == NULL)
    return TRUE;
  /* Where no key is seen, none is a text that others would be the padding of. */
  if (kind != HL_ATTENTION_CROSS && memchr (found, 1, held->n_keys) != NULL)
    held->keys = found;
  g_autoptr (HlCellMask) cells = hl_cell_mask_new (found, held->n_keys, NULL, base->n_layers);
  if (!check_cells (context, rule, held, name, cells, &contradicted, error))
    return FALSE;
  if (contradicted)
    held->keys = NULL;
  else
    *keys = g_steal_pointer (&found);
  return TRUE;
}

/* Finds the queries of cross attention that are between padding by what is said of the keys of the decoder, whose tokens they are;
 * none where nothing is said of these, or all are padding. */
gboolean
hl_dump_read_text_span (const HlDumpContext *context,
                        const HlDumpMaps    *base,
                        gboolean             strict,
                        const HlDumpHeld    *held,
                        HlTokenSpan         *text,
                        GError             **error)
{
  const HlDumpContext decoder = hl_dump_context_of_kind (context, HL_ATTENTION_DECODER);
  HlDumpHeld tokens = *held;
  GError *reason = NULL;
  const char *name;

  *text = (HlTokenSpan){ 0, 0 };
  /* The mask of a generation is of what was there before; what is generated is no padding. */
  if (!may_have_masks (&decoder, strict) || (held->weights->is_generation && context->step > 0))
    return TRUE;
  tokens.n_keys = held->n_queries;
  g_autofree guint8 *keys = hl_dump_keys_read (&decoder, &tokens, HL_ATTENTION_DECODER, base->n_batch, &name, &reason);
  if (reason != NULL)
    return hl_dump_context_leave_out (context, reason, error);
  const guint8 *first = keys != NULL ? memchr (keys, 1, tokens.n_keys) : NULL;
  if (first != NULL)
    *text = (HlTokenSpan){ first - keys, (const guint8 *) memrchr (keys, 1, tokens.n_keys) + 1 - first };
  return TRUE;
}

static gboolean
read_bits (const HlDumpContext *context,
           const HlDumpRule    *rule,
           const HlDumpMaps    *base,
           const HlDumpHeld    *held,
           HlCellMask         **cells,
           GError             **error)
{
  g_autofree HlLayerTensor *bits = NULL;
  gboolean contradicted;

  if (!open_bits (context, held, base, &bits, error))
    return FALSE;
  if (bits == NULL)
    return TRUE;
  g_autoptr (HlTensor) tensor = bits->tensor;
  g_autoptr (HlCellMask) found = hl_cell_mask_new (NULL, held->n_keys, bits, base->n_layers);
  if (!check_cells (context, rule, held, hl_dump_context_get_name (context, "mask"), found, &contradicted, error))
    return FALSE;
  if (!contradicted)
    *cells = g_steal_pointer (&found);
  return TRUE;
}

/* Puts keys that none sees at either end into @held, and all else that is stored of masks, with @keys, into @cells, which is left as it is where
 * there is none. */
gboolean
hl_dump_read_cells (const HlDumpContext *context,
                    const HlDumpRule    *rule,
                    const HlDumpMaps    *base,
                    gboolean             strict,
                    const guint8        *keys,
                    HlDumpHeld          *held,
                    HlCellMask         **cells,
                    GError             **error)
{
  g_autoptr (HlCellMask) bits = NULL;
  GError *reason = NULL;

  if (may_have_masks (context, strict) && !read_bits (context, rule, base, held, &bits, &reason) &&
      !fail_or_leave_out (context, strict, reason, error))
    return FALSE;
  const gboolean has_gaps = keys != NULL && trim_keys (held, keys);
  if (keys != NULL)
    hl_dump_say_padding (context, held);
  if (has_gaps || bits != NULL)
    *cells = hl_cell_mask_new (has_gaps ? keys : NULL, held->n_keys,
                               bits != NULL ? hl_cell_mask_get_bits (bits, 0) : NULL, base->n_layers);
  if (bits != NULL)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO, _ ("a mask of single cells hides keys from queries"));
  else if (has_gaps && memchr (keys, 1, held->n_keys) == NULL)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING, _ ("all keys are masked: no query sees any"));
  else if (has_gaps)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO, _ ("keys between others are masked"));
  return TRUE;
}
