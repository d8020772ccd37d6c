/* SPDX-License-Identifier: MIT */
/* What becomes of the result of a head: the output projection, what the result is added to, and the norm behind it. What does
 * not fit the attention is odd: it is said and left out. */
#include "core/document/read/hl-dump-output.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "core/base/hl-error.h"

void
hl_dump_output_clear (HlDumpOutput *self)
{
  hl_dump_maps_clear (&self->projection);
  hl_dump_maps_clear (&self->value_norms);
  hl_dump_maps_clear (&self->inputs);
  hl_dump_maps_clear (&self->stream);
  g_clear_object (&self->norm);
}

/* Layer by layer: as many heads as attention has, and as many features of each as its values have. */
static gboolean
check_projection (const HlDumpContext *context,
                  const HlDumpMaps    *projection,
                  const HlDumpMaps    *base,
                  const HlDumpMaps    *values,
                  GError             **error)
{
  if (projection->n_batch > 1)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” belongs to the model and cannot have a batch"),
                   hl_dump_context_get_name (context, "output_projection"));
      return FALSE;
    }
  if (projection->n_layers != base->n_layers)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” has %u layers, and the attention %u"),
                   hl_dump_context_get_name (context, "output_projection"), projection->n_layers, base->n_layers);
      return FALSE;
    }
  for (guint i = 0; i < base->n_layers; i++)
    {
      const guint64 n_heads = hl_layer_tensor_get_n_heads (&projection->layers[i]);
      const guint64 n_needed = hl_layer_tensor_get_n_heads (&base->layers[i]);
      const guint64 size = hl_layer_tensor_get_n_rows (&projection->layers[i]);

      if (n_heads != n_needed)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                       _ ("layer %u: “%s” is of %" PRIu64 " heads, and the attention has %" PRIu64), i,
                       hl_dump_context_get_name (context, "output_projection"), n_heads, n_needed);
          return FALSE;
        }
      if (values->n_layers > 0 && size != hl_layer_tensor_get_n_columns (&values->layers[i]))
        {
          g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                       _ ("layer %u: “%s” is for %" PRIu64 " features of a head, and “%s” have %" PRIu64), i,
                       hl_dump_context_get_name (context, "output_projection"), size,
                       hl_dump_context_get_name (context, "values"),
                       hl_layer_tensor_get_n_columns (&values->layers[i]));
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
check_norms (const HlDumpContext *context,
             const HlDumpMaps    *norms,
             const HlDumpMaps    *base,
             gsize                n_keys,
             GError             **error)
{
  gboolean fits = norms->n_layers == base->n_layers && norms->n_batch == base->n_batch &&
                  hl_layer_tensor_get_n_columns (norms->layers) == n_keys;

  for (guint i = 0; fits && i < base->n_layers; i++)
    fits = hl_layer_tensor_get_n_rows (&norms->layers[i]) == hl_layer_tensor_get_n_heads (&base->layers[i]);
  if (!fits)
    g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” do not have the layers, heads and keys of the attention"),
                 hl_dump_context_get_name (context, "value_norms"));
  return fits;
}

/* Whether it can be meant at all: others call other things “inputs”, such as the numbers of tokens. */
static gboolean
is_stream (const HlDumpContext *context,
           const char          *name)
{
  g_autofree char *path = hl_dump_context_get_path (context, name);
  g_autofree char *first = hl_archive_join (path, "0");
  const gboolean is_group = hl_archive_get_kind (context->archive, path) == HL_MEMBER_GROUP;
  const char *place = is_group ? first : path;

  if (hl_archive_get_kind (context->archive, place) != HL_MEMBER_TENSOR)
    return FALSE;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (context->archive, place, NULL);
  return tensor == NULL || hl_dtype_is_float (hl_tensor_get_dtype (tensor));
}

static gboolean
check_stream (const HlDumpContext *context,
              const HlDumpMaps    *stream,
              const char          *name,
              const HlDumpMaps    *base,
              gsize                n_queries,
              GError             **error)
{
  if (stream->n_layers == base->n_layers && stream->n_batch == base->n_batch &&
      hl_layer_tensor_get_n_rows (stream->layers) == n_queries)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” does not have the layers and queries of the attention"),
               hl_dump_context_get_name (context, name));
  return FALSE;
}

static gboolean
open_norm (HlDumpOutput        *self,
           const HlDumpContext *context,
           guint                n_layers,
           GError             **error)
{
  const HlDumpContext place = hl_dump_context_of_model (context, "output_norm");
  g_autofree char *path = hl_dump_context_get_path (&place, "output_norm");

  if (hl_archive_get_kind (context->archive, path) == HL_MEMBER_NONE)
    return TRUE;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (context->archive, path, error);
  if (tensor == NULL)
    return FALSE;
  const HlShape *shape = hl_tensor_get_shape (tensor);
  if (!hl_dtype_is_float (hl_tensor_get_dtype (tensor)) || shape->rank != 2 || shape->dims[0] != n_layers ||
      shape->dims[1] == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                   _ ("“%s” is not a row of floating-point numbers for each of the %u layers"),
                   hl_dump_context_get_name (context, "output_norm"), n_layers);
      return FALSE;
    }
  self->norm = g_steal_pointer (&tensor);
  return TRUE;
}

/* Widths must be those of one model, but it need not be said which of them is wrong. */
static gboolean
check_widths (const HlDumpOutput *self,
              GError            **error)
{
  const HlDumpMaps *const maps[] = { &self->projection, &self->stream };
  guint64 width = self->norm != NULL ? hl_tensor_get_shape (self->norm)->dims[1] : 0;

  for (guint i = 0; i < G_N_ELEMENTS (maps); i++)
    for (guint layer = 0; layer < maps[i]->n_layers; layer++)
      {
        const guint64 found = hl_layer_tensor_get_n_columns (&maps[i]->layers[layer]);

        if (width != 0 && found != width)
          {
            g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                         _ ("“output_projection”, “stream” and “output_norm” are of %" PRIu64 " and of %" PRIu64
                            " features, which cannot be added"),
                         width, found);
            return FALSE;
          }
        width = found;
      }
  return TRUE;
}

/* Opens what there is. @base are the weights, or the queries; @values may be empty. Returns FALSE only if it was stopped. */
gboolean
hl_dump_output_open (HlDumpOutput        *self,
                     const HlDumpContext *context,
                     const HlDumpMaps    *base,
                     const HlDumpMaps    *values,
                     gsize                n_queries,
                     gsize                n_keys,
                     GError             **error)
{
  const HlDumpContext place = hl_dump_context_of_model (context, "output_projection");
  GError *reason = NULL;

  if (hl_dump_open_maps (&place, "output_projection", HL_DUMP_MAPS_PROJECTIONS, &self->projection, &reason) &&
      self->projection.n_layers > 0)
    check_projection (context, &self->projection, base, values, &reason);
  if (reason != NULL)
    {
      hl_dump_maps_clear (&self->projection);
      if (!hl_dump_context_leave_out (context, g_steal_pointer (&reason), error))
        return FALSE;
    }
  if (hl_dump_open_maps (context, "value_norms", HL_DUMP_MAPS_NORMS, &self->value_norms, &reason) &&
      self->value_norms.n_layers > 0)
    check_norms (context, &self->value_norms, base, n_keys, &reason);
  if (reason != NULL)
    {
      hl_dump_maps_clear (&self->value_norms);
      if (!hl_dump_context_leave_out (context, g_steal_pointer (&reason), error))
        return FALSE;
    }
  if (is_stream (context, "inputs") &&
      hl_dump_open_maps (context, "inputs", HL_DUMP_MAPS_STREAMS, &self->inputs, &reason))
    check_stream (context, &self->inputs, "inputs", base, n_queries, &reason);
  if (reason != NULL)
    {
      hl_dump_maps_clear (&self->inputs);
      if (!hl_dump_context_leave_out (context, g_steal_pointer (&reason), error))
        return FALSE;
    }
  if (is_stream (context, "stream") &&
      hl_dump_open_maps (context, "stream", HL_DUMP_MAPS_STREAMS, &self->stream, &reason))
    check_stream (context, &self->stream, "stream", base, n_queries, &reason);
  if (reason == NULL)
    open_norm (self, context, base->n_layers, &reason);
  if (reason == NULL)
    check_widths (self, &reason);
  if (reason != NULL)
    {
      hl_dump_maps_clear (&self->stream);
      g_clear_object (&self->norm);
      self->is_stream_unknown = TRUE;
      if (!hl_dump_context_leave_out (context, g_steal_pointer (&reason), error))
        return FALSE;
    }
  return TRUE;
}
