/* SPDX-License-Identifier: MIT */
/* From an archive to the attentions of an example, whatever the container. */
#include "core/document/read/hl-dump-reader.h"

#include <inttypes.h>
#include <math.h>

#include <glib/gi18n-lib.h>

#include "core/base/hl-error.h"
#include "core/document/read/hl-dump-attributes.h"
#include "core/document/read/hl-dump-mask.h"
#include "core/document/read/hl-dump-omissions.h"
#include "core/document/read/hl-dump-projection.h"
#include "core/document/read/hl-dump-tokens.h"
#include "core/document/read/hl-dump-weights.h"

/* Whether queries and keys can be multiplied. */
static gboolean
check_projections (const HlDumpMaps *queries,
                   const HlDumpMaps *keys,
                   GError          **error)
{
  if (queries->n_layers == 0 || keys->n_layers == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                   _ ("there are “%s” but no “%s”; weights follow only from both"),
                   queries->n_layers > 0 ? "queries" : "keys",
                   queries->n_layers > 0 ? "keys" : "queries");
      return FALSE;
    }
  if (queries->n_layers != keys->n_layers || queries->n_batch != keys->n_batch)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                   _ ("“queries” have %u layers (batch of %" PRIu64
                      "), “keys” %u (batch of %" PRIu64 ")"),
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
check_against_weights (const HlDumpMaps *weights,
                       const HlDumpMaps *queries,
                       const HlDumpMaps *keys,
                       GError          **error)
{
  gboolean fits =
    weights->n_layers == queries->n_layers && weights->n_batch == queries->n_batch &&
    hl_layer_tensor_get_n_rows (weights->layers) == hl_layer_tensor_get_n_rows (queries->layers) &&
    hl_layer_tensor_get_n_columns (weights->layers) == hl_layer_tensor_get_n_rows (keys->layers);

  for (guint i = 0; fits && i < weights->n_layers; i++)
    fits = hl_layer_tensor_get_n_heads (&weights->layers[i]) ==
           hl_layer_tensor_get_n_heads (&queries->layers[i]);
  if (!fits)
    g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                 _ ("“queries” and “keys” do not have the sizes of “attention”"));
  return fits;
}

/* Values stand beside keys. */
static gboolean
check_values (const HlDumpMaps *values,
              guint             n_layers,
              guint64           n_batch,
              guint64           n_keys,
              GError          **error)
{
  if (values->n_layers == n_layers && values->n_batch == n_batch &&
      hl_layer_tensor_get_n_rows (values->layers) == n_keys)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
               _ ("“values” do not have the layers and keys of the attention"));
  return FALSE;
}

typedef struct
{
  HlDumpMaps weights;
  HlDumpMaps queries;
  HlDumpMaps keys;
  HlDumpMaps values;
  gboolean projected; /* keys are projected positions */
} AttentionMaps;

static void
clear_attention_maps (AttentionMaps *maps)
{
  hl_dump_maps_clear (&maps->weights);
  hl_dump_maps_clear (&maps->queries);
  hl_dump_maps_clear (&maps->keys);
  hl_dump_maps_clear (&maps->values);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttentionMaps, clear_attention_maps)

/* Queries, keys and values, which only the one kind of attention has. Beside stored weights, what does not fit is left
 * out. */
static gboolean
open_projections (const HlDumpContext *context,
                  AttentionMaps       *maps,
                  GError             **error)
{
  g_autoptr (GError) local_error = NULL;
  const gboolean has_weights = maps->weights.n_layers > 0;
  gboolean values_projected;

  if (hl_dump_open_maps (context, "queries", HL_DUMP_MAPS_PROJECTIONS, &maps->queries,
                         &local_error) &&
      hl_dump_open_maps (context, "keys", HL_DUMP_MAPS_PROJECTIONS, &maps->keys, &local_error) &&
      hl_dump_project (context, "key_projections", "keys", &maps->keys, &maps->projected,
                       &local_error) &&
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
      hl_dump_context_add_check (context, HL_SEVERITY_WARNING, _ ("%s; they are left out"),
                                 local_error->message);
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
  if (hl_dump_open_maps (context, "values", HL_DUMP_MAPS_PROJECTIONS, &maps->values,
                         &local_error) &&
      hl_dump_project (context, "value_projections", "values", &maps->values, &values_projected,
                       &local_error) &&
      maps->values.n_layers > 0)
    check_values (&maps->values, base->n_layers, base->n_batch, n_keys, &local_error);
  if (local_error != NULL)
    {
      hl_dump_context_add_check (context, HL_SEVERITY_WARNING, _ ("%s; they are left out"),
                                 local_error->message);
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

static HlAttention *
make_attention (const HlDumpContext *context,
                HlAttentionKind      kind,
                guint64              batch,
                guint64              n_batch,
                AttentionMaps       *maps,
                GError             **error)
{
  const gboolean has_weights = maps->weights.n_layers > 0;
  const HlDumpMaps *base = has_weights ? &maps->weights : &maps->queries;
  const gsize n_queries = hl_layer_tensor_get_n_rows (base->layers);
  const gsize n_keys = has_weights ? hl_layer_tensor_get_n_columns (base->layers)
                                   : hl_layer_tensor_get_n_rows (maps->keys.layers);
  g_auto (HlDumpTokens) tokens = { 0 };
  HlDumpRule rule = { 0 };
  HlMask mask = { 0 };
  const gboolean has_scores = context->options != NULL && context->options->softmax;
  /* What a softmax makes of scores is masked by rule only, as what follows from queries and keys is. */
  const HlDumpMaps none = { 0 };

  if (has_scores && !has_weights)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                   _ ("there are queries and keys, but no stored scores for a softmax"));
      return NULL;
    }
  /* An encoder sees a text once of which several sequences are generated. */
  if (base->n_batch < n_batch && n_batch % base->n_batch == 0 && hl_layout_is_generation (context->layout))
    batch /= n_batch / base->n_batch;
  if (batch >= base->n_batch)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                   _ ("“%s” has a batch of %" PRIu64 ", others have more"),
                   hl_dump_get_weights_name (kind), base->n_batch);
      return NULL;
    }
  if (!hl_dump_read_rule (context, !has_weights, &rule, error))
    return NULL;
  if (maps->weights.is_generation)
    hl_dump_tokens_read_steps (&tokens, context, kind, n_queries, n_keys, maps->weights.first_query);
  else
    hl_dump_tokens_read (&tokens, context, kind, n_queries, n_keys, rule.causal, maps->projected);
  if (maps->projected && rule.causal)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ ("attribute “causal” is left out: keys are projected positions, "
                                  "of which none is later than a query"));
  /* Neither an encoder nor cross attention hides later keys, whatever the file says of its decoder. */
  if ((kind == HL_ATTENTION_SELF || kind == HL_ATTENTION_DECODER) && !maps->projected &&
      !hl_dump_find_mask (context, &rule, has_scores ? &none : &maps->weights, batch, &mask, error))
    return NULL;
  if (has_scores)
    hl_dump_context_add_check (
      context, HL_SEVERITY_INFO,
      _ (
        "the numbers in the file are taken for scores; a softmax over keys makes weights of them"));

  const double width =
    maps->queries.n_layers > 0 ? (double) hl_layer_tensor_get_n_columns (maps->queries.layers) : 1;
  const HlAttentionInit init = {
    .kind = kind,
    .weights = select_batch (&maps->weights, batch),
    .queries = select_batch (&maps->queries, batch),
    .keys = select_batch (&maps->keys, batch),
    .values = select_batch (&maps->values, batch),
    .has_scores = has_scores,
    .n_layers = base->n_layers,
    .query_tokens = (const char *const *) tokens.queries,
    .key_tokens = (const char *const *) tokens.keys,
    .first_query = maps->weights.is_generation ? maps->weights.first_query : 0,
    .n_used_queries = tokens.n_used_queries,
    .n_used_keys = tokens.n_used_keys,
    .sentence_b_start = (kind == HL_ATTENTION_SELF || kind == HL_ATTENTION_ENCODER) && !maps->projected
                          ? hl_dump_read_split (context, MIN (n_queries, n_keys))
                          : 0,
    .rule = { .scale = rule.scale > 0 ? rule.scale : 1 / sqrt (width),
              .softcap = rule.softcap,
              .mask = mask },
  };
  return hl_attention_new (&init);
}

/**
 * hl_dump_reader_load: (skip)
 * @archive: an open archive
 * @entry: one of the entries of hl_dump_reader_list()
 * @options: (nullable): what somebody chose
 * @cancellable: (nullable): stops it
 * @error: any of #HlError
 *
 * Reads an example: its attentions, tokens and attributes, and what is odd about them. Numbers stay where they are.
 *
 * Returns: (transfer full) (nullable): the example
 */
HlExample *
hl_dump_reader_load (HlArchive           *archive,
                     const HlDumpEntry   *entry,
                     const HlOpenOptions *options,
                     GCancellable        *cancellable,
                     GError             **error)
{
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);
  const HlDumpContext root = { archive, "", checks, cancellable };
  const HlDumpContext context = { archive,      entry->group, checks,      cancellable, entry->layout,
                                  entry->batch, entry->step,  options };

  for (guint i = 0; entry->layout != NULL && i < entry->layout->notes->len; i++)
    g_ptr_array_add (checks, g_object_ref (entry->layout->notes->pdata[i]));
  hl_dump_check_format (&root);
  g_free (hl_dump_read_text (&root, "model"));

  for (guint kind = 0; kind < HL_N_ATTENTION_KINDS; kind++)
    {
      g_auto (AttentionMaps) maps = { 0 };

      if (!hl_dump_open_weights (&context, kind, &maps.weights, error) ||
          (kind == HL_ATTENTION_SELF && !open_projections (&context, &maps, error)))
        return NULL;
      if (maps.weights.n_layers == 0 && maps.queries.n_layers == 0)
        continue;
      HlAttention *attention = make_attention (&context, kind, entry->batch, entry->n_batch, &maps, error);
      if (attention == NULL)
        return NULL;
      g_ptr_array_add (attentions, attention);
    }
  if (attentions->len == 0)
    {
      hl_dump_set_nothing_found (&context, error);
      return NULL;
    }
  hl_dump_note_omissions (&context);
  g_autofree char *text = hl_dump_read_text (&context, "text");
  g_autofree char *text_pair = hl_dump_read_text (&context, "text_pair");
  return hl_example_new (entry->name, text, text_pair, attentions, checks);
}
