/* SPDX-License-Identifier: MIT */
/* From an archive to examples and blocks, as data/dump-format.md says, whatever the container. */
#include "core/document/hl-dump-reader.h"

#include <inttypes.h>
#include <math.h>

#include <glib/gi18n-lib.h>

#include "core/base/hl-error.h"
#include "core/document/hl-dump-attributes.h"
#include "core/document/hl-dump-mask.h"
#include "core/document/hl-dump-numbers.h"
#include "core/document/hl-dump-projection.h"
#include "core/document/hl-dump-tokens.h"

/* The two names of the weights of each kind of block. */
static const char *const weight_names[][2] = {
  [HL_BLOCK_ATTENTION] = { "attention", "attentions" },
  [HL_BLOCK_ENCODER] = { "encoder_attention", "encoder_attentions" },
  [HL_BLOCK_DECODER] = { "decoder_attention", "decoder_attentions" },
  [HL_BLOCK_CROSS] = { "cross_attention", "cross_attentions" },
};

/* Members that are named when nothing was found. */
#define MAX_NAMED 5

static void
free_entry (gpointer data)
{
  HlDumpEntry *entry = data;

  g_free (entry->name);
  g_free (entry->group);
  g_free (entry);
}

/* Opens the maps of that name, if there are any. */
static gboolean
open_maps (const HlDumpContext  *context,
           const char           *name,
           HlDumpMapsKind        kind,
           HlDumpMaps           *maps,
           GError              **error)
{
  g_autofree char *path = hl_dump_context_get_path (context, name);

  return hl_archive_get_kind (context->archive, path) == HL_MEMBER_NONE ||
         hl_dump_maps_open (maps, context->archive, path, kind, context->cancellable, error);
}

static gboolean
open_weights (const HlDumpContext  *context,
              HlBlockKind           kind,
              HlDumpMaps           *weights,
              GError              **error)
{
  const char *const *names = weight_names[kind];
  const gboolean has_alias = hl_dump_context_get_kind (context, names[1]) != HL_MEMBER_NONE;

  if (has_alias && hl_dump_context_get_kind (context, names[0]) != HL_MEMBER_NONE)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("“%s” and “%s” are both there; only one of them can be meant"),
                   names[0], names[1]);
      return FALSE;
    }
  return open_maps (context, names[has_alias], HL_DUMP_MAPS_WEIGHTS, weights, error);
}

/* What is there instead of attention, for the sentence that says that it is missing. */
static void
set_nothing_found (const HlDumpContext  *context,
                   GError              **error)
{
  g_auto (GStrv) names = hl_archive_list (context->archive, context->group, error);
  g_autoptr (GString) list = g_string_new (NULL);
  guint n = 0;

  if (names == NULL)
    return;
  for (; names[n] != NULL && n < MAX_NAMED; n++)
    g_string_append_printf (list, "%s“%.60s”", n > 0 ? ", " : "", names[n]);
  if (names[n] != NULL)
    g_string_append (list, ", …");
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
               _ ("there is no “attention” in %s, nor “queries” and “keys”; there is %s"),
               *context->group != '\0' ? context->group : _ ("the file"), n > 0 ? list->str : _ ("nothing"));
}

static gboolean
has_blocks (char **members)
{
  const char *const *names = (const char *const *) members;

  for (guint i = 0; i < G_N_ELEMENTS (weight_names); i++)
    if (g_strv_contains (names, weight_names[i][0]) || g_strv_contains (names, weight_names[i][1]))
      return TRUE;
  return g_strv_contains (names, "queries") || g_strv_contains (names, "keys");
}

/* How many batch items the first maps of an example have. Only names among its members are looked for: there may be a hundred
 * thousand examples. */
static gboolean
count_batch (const HlDumpContext  *context,
             char                **members,
             guint64              *n_batch,
             GError              **error)
{
  g_auto (HlDumpMaps) maps = { 0 };
  const char *const *names = (const char *const *) members;
  gboolean opened = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (weight_names) && opened && maps.n_layers == 0; i++)
    if (g_strv_contains (names, weight_names[i][0]) || g_strv_contains (names, weight_names[i][1]))
      opened = open_weights (context, i, &maps, error);
  if (opened && maps.n_layers == 0 && g_strv_contains (names, "queries"))
    opened = open_maps (context, "queries", HL_DUMP_MAPS_PROJECTIONS, &maps, error);
  *n_batch = maps.n_layers > 0 ? maps.n_batch : 1;
  return opened;
}

static gboolean
check_count (guint64   n_examples,
             GError  **error)
{
  if (n_examples <= HL_MAX_EXAMPLES)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
               _ ("there are %" PRIu64 " examples in one file; at most %d are read"), n_examples, HL_MAX_EXAMPLES);
  return FALSE;
}

/* Adds the example that a group holds, or one for each batch item. */
static gboolean
add_entries (GPtrArray            *entries,
             const HlDumpContext  *context,
             char                **members,
             const char           *name,
             GError              **error)
{
  guint64 n_batch;

  if (!count_batch (context, members, &n_batch, error))
    return FALSE;
  if (!check_count (entries->len + n_batch, error))
    return FALSE;
  for (guint64 i = 0; i < n_batch; i++)
    {
      HlDumpEntry *entry = g_new0 (HlDumpEntry, 1);
      entry->group = g_strdup (context->group);
      entry->batch = i;
      if (n_batch > 1)
        entry->name = g_strdup_printf ("%s%s[%" PRIu64 "]", name != NULL ? name : "", name != NULL ? " " : "", i);
      else
        entry->name = g_strdup (name);
      g_ptr_array_add (entries, entry);
    }
  return TRUE;
}

static gboolean
list_examples (HlArchive     *archive,
               GPtrArray     *entries,
               HlProgress    *progress,
               GCancellable  *cancellable,
               GError       **error)
{
  g_auto (GStrv) names = hl_archive_list (archive, "examples", error);
  const guint n = names != NULL ? g_strv_length (names) : 0;

  if (names == NULL || !check_count (n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *group = g_strconcat ("examples/", names[i], NULL);
      const HlDumpContext context = { archive, group, NULL, cancellable };

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      hl_progress_set (progress, (double) i / n, NULL);
      g_auto (GStrv) members = hl_archive_list (archive, group, error);
      if (members == NULL)
        return FALSE;
      if (!has_blocks (members))
        {
          set_nothing_found (&context, error);
          return FALSE;
        }
      if (!add_entries (entries, &context, members, names[i], error))
        return FALSE;
    }
  return TRUE;
}

/**
 * hl_dump_reader_list: (skip)
 * @archive: an open archive
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @error: any of #HlError
 *
 * Finds all examples of a dump: what lies at the root, and the members of `examples`, each as many times as it has batch items. The
 * types and sizes of all of them are checked; no numbers are read.
 *
 * Returns: (transfer full) (nullable) (element-type HlDumpEntry): at least one entry
 */
GPtrArray *
hl_dump_reader_list (HlArchive     *archive,
                     HlProgress    *progress,
                     GCancellable  *cancellable,
                     GError       **error)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func (free_entry);
  const HlDumpContext root = { archive, "", NULL, cancellable };
  g_auto (GStrv) members = hl_archive_list (archive, "", error);
  const HlMemberKind examples = hl_archive_get_kind (archive, "examples");

  if (members == NULL || (has_blocks (members) && !add_entries (entries, &root, members, NULL, error)))
    return NULL;
  if (examples == HL_MEMBER_GROUP && !list_examples (archive, entries, progress, cancellable, error))
    return NULL;
  if (entries->len > 0)
    return g_steal_pointer (&entries);

  if (examples == HL_MEMBER_GROUP)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the group “examples” is empty"));
  else if (examples != HL_MEMBER_NONE)
    g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("“examples” is not a group, and there is no “attention” beside it"));
  else
    set_nothing_found (&root, error);
  return NULL;
}

/* Whether queries and keys can be multiplied. */
static gboolean
check_projections (const HlDumpMaps  *queries,
                   const HlDumpMaps  *keys,
                   GError           **error)
{
  if (queries->n_layers == 0 || keys->n_layers == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there are “%s” but no “%s”; weights follow only from both"),
                   queries->n_layers > 0 ? "queries" : "keys", queries->n_layers > 0 ? "keys" : "queries");
      return FALSE;
    }
  if (queries->n_layers != keys->n_layers || queries->n_batch != keys->n_batch)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                   _ ("“queries” have %u layers (batch of %" PRIu64 "), “keys” %u (batch of %" PRIu64 ")"),
                   queries->n_layers, queries->n_batch, keys->n_layers, keys->n_batch);
      return FALSE;
    }
  for (guint i = 0; i < queries->n_layers; i++)
    {
      const guint64 n_heads = hl_layer_tensor_get_n_heads (&queries->layers[i]);
      const guint64 n_key_heads = hl_layer_tensor_get_n_heads (&keys->layers[i]);
      const guint64 width = hl_layer_tensor_get_n_columns (&queries->layers[i]);
      const guint64 key_width = hl_layer_tensor_get_n_columns (&keys->layers[i]);

      if (width != key_width)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                       _ ("layer %u: “queries” are %" PRIu64 " numbers wide, “keys” %" PRIu64), i,
                       width, key_width);
          return FALSE;
        }
      if (n_heads % n_key_heads != 0)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                       _ ("layer %u: %" PRIu64 " heads of “queries” cannot share %" PRIu64
                          " heads of “keys” evenly"),
                       i, n_heads, n_key_heads);
          return FALSE;
        }
    }
  return TRUE;
}

/* Whether queries and keys are those of the stored weights. */
static gboolean
check_against_weights (const HlDumpMaps  *weights,
                       const HlDumpMaps  *queries,
                       const HlDumpMaps  *keys,
                       GError           **error)
{
  gboolean fits = weights->n_layers == queries->n_layers && weights->n_batch == queries->n_batch &&
                  hl_layer_tensor_get_n_rows (weights->layers) == hl_layer_tensor_get_n_rows (queries->layers) &&
                  hl_layer_tensor_get_n_columns (weights->layers) == hl_layer_tensor_get_n_rows (keys->layers);

  for (guint i = 0; fits && i < weights->n_layers; i++)
    fits = hl_layer_tensor_get_n_heads (&weights->layers[i]) == hl_layer_tensor_get_n_heads (&queries->layers[i]);
  if (!fits)
    g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“queries” and “keys” do not have the sizes of “attention”"));
  return fits;
}

/* Values stand beside keys. */
static gboolean
check_values (const HlDumpMaps  *values,
              guint              n_layers,
              guint64            n_batch,
              guint64            n_keys,
              GError           **error)
{
  if (values->n_layers == n_layers && values->n_batch == n_batch && hl_layer_tensor_get_n_rows (values->layers) == n_keys)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“values” do not have the layers and keys of the attention"));
  return FALSE;
}

typedef struct
{
  HlDumpMaps weights;
  HlDumpMaps queries;
  HlDumpMaps keys;
  HlDumpMaps values;
  gboolean projected; /* keys are projected positions */
} BlockMaps;

static void
clear_block_maps (BlockMaps *maps)
{
  hl_dump_maps_clear (&maps->weights);
  hl_dump_maps_clear (&maps->queries);
  hl_dump_maps_clear (&maps->keys);
  hl_dump_maps_clear (&maps->values);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BlockMaps, clear_block_maps)

/* Queries, keys and values, which only the one kind of attention has. Beside stored weights, what does not fit is left out. */
static gboolean
open_projections (const HlDumpContext  *context,
                  BlockMaps            *maps,
                  GError              **error)
{
  g_autoptr (GError) local_error = NULL;
  const gboolean has_weights = maps->weights.n_layers > 0;
  gboolean values_projected;

  if (open_maps (context, "queries", HL_DUMP_MAPS_PROJECTIONS, &maps->queries, &local_error) &&
      open_maps (context, "keys", HL_DUMP_MAPS_PROJECTIONS, &maps->keys, &local_error) &&
      hl_dump_project (context, "key_projections", "keys", &maps->keys, &maps->projected, &local_error) &&
      (maps->queries.n_layers > 0 || maps->keys.n_layers > 0) &&
      check_projections (&maps->queries, &maps->keys, &local_error) && has_weights)
    check_against_weights (&maps->weights, &maps->queries, &maps->keys, &local_error);
  if (local_error != NULL)
    {
      if (!has_weights || g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return FALSE;
        }
      hl_dump_context_add_check (context, HL_SEVERITY_WARNING, _ ("%s; they are left out"), local_error->message);
      g_clear_error (&local_error);
      hl_dump_maps_clear (&maps->queries);
      hl_dump_maps_clear (&maps->keys);
      maps->projected = FALSE;
    }

  const HlDumpMaps *base = has_weights ? &maps->weights : &maps->queries;
  if (base->n_layers == 0)
    return TRUE;
  const guint64 n_keys = has_weights ? hl_layer_tensor_get_n_columns (base->layers)
                                     : hl_layer_tensor_get_n_rows (maps->keys.layers);
  if (open_maps (context, "values", HL_DUMP_MAPS_PROJECTIONS, &maps->values, &local_error) &&
      hl_dump_project (context, "value_projections", "values", &maps->values, &values_projected, &local_error) &&
      maps->values.n_layers > 0)
    check_values (&maps->values, base->n_layers, base->n_batch, n_keys, &local_error);
  if (local_error != NULL)
    {
      hl_dump_context_add_check (context, HL_SEVERITY_WARNING, _ ("%s; they are left out"), local_error->message);
      hl_dump_maps_clear (&maps->values);
    }
  return TRUE;
}

static const HlLayerTensor *
select_batch (HlDumpMaps *maps,
              guint64     batch)
{
  for (guint i = 0; i < maps->n_layers; i++)
    if (maps->layers[i].batch_axis >= 0)
      maps->layers[i].batch = batch;
  return maps->n_layers > 0 ? maps->layers : NULL;
}

static HlBlock *
make_block (const HlDumpContext  *context,
            HlBlockKind           kind,
            guint64               batch,
            BlockMaps            *maps,
            GError              **error)
{
  const gboolean has_weights = maps->weights.n_layers > 0;
  const HlDumpMaps *base = has_weights ? &maps->weights : &maps->queries;
  const gsize n_queries = hl_layer_tensor_get_n_rows (base->layers);
  const gsize n_keys = has_weights ? hl_layer_tensor_get_n_columns (base->layers)
                                   : hl_layer_tensor_get_n_rows (maps->keys.layers);
  g_auto (HlDumpTokens) tokens = { 0 };
  HlDumpRule rule = { 0 };
  HlMask mask = { 0 };

  if (batch >= base->n_batch)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” has a batch of %" PRIu64 ", others have more"),
                   weight_names[kind][0], base->n_batch);
      return NULL;
    }
  if (!hl_dump_read_rule (context, !has_weights, &rule, error))
    return NULL;
  hl_dump_tokens_read (&tokens, context, kind, n_queries, n_keys, rule.causal, maps->projected);
  if (maps->projected && rule.causal)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ ("attribute “causal” is left out: keys are projected positions, of which none is later than a query"));
  /* Neither an encoder nor cross attention hides later keys, whatever the file says of its decoder. */
  if ((kind == HL_BLOCK_ATTENTION || kind == HL_BLOCK_DECODER) && !maps->projected &&
      !hl_dump_find_mask (context, &rule, &maps->weights, batch, &mask, error))
    return NULL;

  const double width = maps->queries.n_layers > 0 ? (double) hl_layer_tensor_get_n_columns (maps->queries.layers) : 1;
  const HlBlockInit init = {
    .kind = kind,
    .weights = select_batch (&maps->weights, batch),
    .queries = select_batch (&maps->queries, batch),
    .keys = select_batch (&maps->keys, batch),
    .values = select_batch (&maps->values, batch),
    .n_layers = base->n_layers,
    .query_tokens = (const char *const *) tokens.queries,
    .key_tokens = (const char *const *) tokens.keys,
    .n_used_queries = tokens.n_used_queries,
    .n_used_keys = tokens.n_used_keys,
    .sentence_b_start =
      (kind == HL_BLOCK_ATTENTION || kind == HL_BLOCK_ENCODER) && !maps->projected
        ? hl_dump_read_split (context, MIN (n_queries, n_keys))
        : 0,
    .rule = { .scale = rule.scale > 0 ? rule.scale : 1 / sqrt (width), .softcap = rule.softcap, .mask = mask },
  };
  return hl_block_new (&init);
}

/**
 * hl_dump_reader_load: (skip)
 * @archive: an open archive
 * @entry: one of the entries of hl_dump_reader_list()
 * @cancellable: (nullable): stops it
 * @error: any of #HlError
 *
 * Reads an example: its blocks, tokens and attributes, and what is odd about them. Numbers stay where they are.
 *
 * Returns: (transfer full) (nullable): the example
 */
HlExample *
hl_dump_reader_load (HlArchive          *archive,
                     const HlDumpEntry  *entry,
                     GCancellable       *cancellable,
                     GError            **error)
{
  g_autoptr (GPtrArray) blocks = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);
  const HlDumpContext root = { archive, "", checks, cancellable };
  const HlDumpContext context = { archive, entry->group, checks, cancellable };

  hl_dump_check_format (&root);
  g_free (hl_dump_read_text (&root, "model"));

  for (guint kind = 0; kind < G_N_ELEMENTS (weight_names); kind++)
    {
      g_auto (BlockMaps) maps = { 0 };

      if (!open_weights (&context, kind, &maps.weights, error) ||
          (kind == HL_BLOCK_ATTENTION && !open_projections (&context, &maps, error)))
        return NULL;
      if (maps.weights.n_layers == 0 && maps.queries.n_layers == 0)
        continue;
      HlBlock *block = make_block (&context, kind, entry->batch, &maps, error);
      if (block == NULL)
        return NULL;
      g_ptr_array_add (blocks, block);
    }
  if (blocks->len == 0)
    {
      set_nothing_found (&context, error);
      return NULL;
    }
  hl_dump_note_numbers (&context);
  g_autofree char *text = hl_dump_read_text (&context, "text");
  g_autofree char *text_pair = hl_dump_read_text (&context, "text_pair");
  return hl_example_new (entry->name, text, text_pair, blocks, checks);
}
