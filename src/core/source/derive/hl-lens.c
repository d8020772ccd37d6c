/* SPDX-License-Identifier: MIT */
/* Everything that can be derived from the maps of an attention before they are shown, in the one order in which it is done. */
#include "core/source/derive/hl-lens.h"

#include "core/base/hl-error.h"
#include "core/document/attention/hl-attention.h"
#include "core/document/attention/hl-attention-text.h"
#include "core/document/attention/hl-own-key.h"
#include "core/document/attention/hl-special-token.h"
#include "core/document/tokens/hl-token-text.h"
#include "core/source/derive/hl-asymmetry-source.h"
#include "core/source/derive/hl-group-source.h"
#include "core/source/derive/hl-sink-source.h"
#include "core/source/derive/hl-transpose-source.h"

#include <glib/gi18n-lib.h>

G_DEFINE_ENUM_TYPE (HlDirection,
                    hl_direction,
                    G_DEFINE_ENUM_VALUE (HL_DIRECTION_AS_IS, "as-is"),
                    G_DEFINE_ENUM_VALUE (HL_DIRECTION_TRANSPOSED, "transposed"),
                    G_DEFINE_ENUM_VALUE (HL_DIRECTION_ASYMMETRY, "asymmetry"))

/* How far the maps have come: their numbers, and what attends to what in them. */
typedef struct
{
  HlAttention *attention;
  HlAttentionSource *source;
  gboolean has_sink; /* the first key, which is no token of the document */
} Stage;

/* Goes on with a source that was made of the stage's; @derived is what its attention differs in by more than the source says itself. */
static void
stage_advance (Stage              *stage,
               HlAttentionSource  *source,
               HlDerivedAttention *derived)
{
  derived->n_layers = hl_attention_source_get_n_layers (source);
  derived->n_heads = g_renew (guint, derived->n_heads, derived->n_layers);
  derived->masks = g_renew (HlMask, derived->masks, derived->n_layers);
  for (guint layer = 0; layer < derived->n_layers; layer++)
    {
      derived->n_heads[layer] = hl_attention_source_get_n_heads (source, layer);
      derived->masks[layer] = *hl_attention_source_get_mask (source, layer);
    }
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    derived->tokens[side].n = hl_attention_source_get_n (source, side);

  g_object_unref (stage->attention);
  stage->attention = hl_attention_new_derived (derived);
  g_object_unref (stage->source);
  stage->source = source;
}

static const HlQuantityClass *
get_quantity (const HlLens *self)
{
  return hl_quantity_get (self->quantity);
}

static gboolean
sums_heads (const HlLens *self)
{
  return self->combine == HL_COMBINE_SUM && self->combine_over == HL_COMBINE_OVER_HEADS &&
         get_quantity (self)->sum != NULL;
}

static HlHeadSet
get_heads (const HlLens *self)
{
  HlHeadSet heads = self->heads;

  if (hl_head_set_count (&heads) == 0)
    hl_head_set_add (&heads, 0);
  return heads;
}

static void
combine (const HlLens    *self,
         HlCombine        how,
         HlCombineOver    over,
         const HlHeadSet *heads,
         Stage           *stage)
{
  g_auto (HlDerivedAttention) derived = { 0 };

  hl_derived_attention_init (&derived, stage->attention);
  if (over != HL_COMBINE_OVER_HEADS)
    derived.layer_name = hl_combine_get_name (how);
  if (over != HL_COMBINE_OVER_LAYERS)
    derived.head_name = hl_combine_get_name (how);
  stage_advance (stage, hl_combine_source_new (stage->source, how, over, heads, &self->layers), &derived);
}

/* Nothing but weights leaves something to a sink, and a token that attends to it has no counterpart in Aᵀ. */
static gboolean
shows_sink (const HlLens *self,
            HlAttention  *attention)
{
  return self->sinks && self->quantity == HL_QUANTITY_WEIGHT && hl_sink_is_in (attention) &&
         !(self->direction == HL_DIRECTION_ASYMMETRY && hl_lens_has_asymmetry (attention));
}

static void
add_sink (HlAttention *attention,
          Stage       *stage)
{
  g_auto (HlDerivedAttention) derived = { 0 };

  hl_derived_attention_init (&derived, stage->attention);
  hl_sink_name_keys (&derived.tokens[HL_KEYS], NULL);
  derived.sentence_b_start += derived.sentence_b_start > 0;
  stage_advance (stage, hl_sink_source_new (stage->source, attention), &derived);
  stage->has_sink = TRUE;
}

/* A quantity is of heads and tokens as the document has them. */
static void
quantify (const HlLens *self,
          HlAttention  *attention,
          Stage        *stage)
{
  const HlQuantityParts parts = { attention, stage->source, self->first_layer };
  g_auto (HlDerivedAttention) derived = { 0 };
  HlHeadSet heads = get_heads (self);

  hl_derived_attention_init (&derived, stage->attention);
  if (!sums_heads (self))
    {
      stage_advance (stage, get_quantity (self)->make (&parts), &derived);
      return;
    }
  derived.head_name = hl_combine_get_name (self->combine);
  stage_advance (stage, get_quantity (self)->sum (&parts, &heads), &derived);
}

/* The quantity and what is combined: most are made of each head, some of the mean of heads. */
static void
quantify_and_combine (const HlLens *self,
                      HlAttention  *attention,
                      Stage        *stage)
{
  const HlQuantityClass *quantity = get_quantity (self);
  const gboolean quantifies = quantity->make != NULL && hl_lens_check (self, attention, NULL);
  const gboolean combines = self->combine != HL_COMBINE_NONE;
  HlHeadSet heads = get_heads (self);

  if (quantifies && quantity->heads == HL_QUANTITY_OF_LAYER)
    {
      combine (self, HL_COMBINE_MEAN, HL_COMBINE_OVER_HEADS, &heads, stage);
      quantify (self, attention, stage);
      /* Of each layer there is one map left. */
      heads = (HlHeadSet){ { 1 } };
      if (combines && self->combine_over != HL_COMBINE_OVER_HEADS)
        combine (self, self->combine, self->combine_over, &heads, stage);
      return;
    }
  const gboolean is_of_mean = quantity->heads == HL_QUANTITY_OF_MEAN && self->combine == HL_COMBINE_MEAN;
  if (quantifies && !is_of_mean)
    quantify (self, attention, stage);
  if (combines && !(quantifies && sums_heads (self)))
    combine (self, self->combine, self->combine_over, &heads, stage);
  if (quantifies && is_of_mean)
    quantify (self, attention, stage);
}

/* One byte a token, 1 for those to be left out. */
static guint8 *
find_hidden (const HlLens *self,
             HlAttention  *attention,
             HlSide        side)
{
  const gsize n = hl_attention_get_n (attention, side);
  guint8 *hidden = g_new0 (guint8, n);
  gsize n_spans, first = 0;
  const HlTokenSpan *spans = hl_token_set_get_spans (self->hidden[side], &n_spans);

  for (gsize i = 0; self->hide_special && i < n; i++)
    hidden[i] = hl_attention_is_special_token (attention, side, i);
  if (self->hide_first && (side == HL_KEYS || hl_attention_find_query_of_key (attention, 0, &first)))
    hidden[first] = 1;
  for (gsize i = 0; i < n_spans; i++)
    for (gsize token = spans[i].first; token < MIN (spans[i].first + spans[i].n, n); token++)
      hidden[token] = 1;
  return hidden;
}

static gboolean
is_empty (HlTokenMap  *map,
          HlAttention *attention,
          HlSide       side)
{
  return hl_token_map_count_before (map, hl_attention_get_n_used (attention, side)) == 0;
}

/* Leaves tokens out, unless there would be none left: then there would be nothing to see, and nothing to bring back. */
static gboolean
hide (const HlLens *self,
      HlAttention  *attention,
      HlSide        side,
      HlTokenMap  **map)
{
  g_autofree guint8 *hidden = find_hidden (self, attention, side);
  g_autoptr (HlTokenMap) left = hl_token_map_hide (*map, hidden);

  if (hl_token_map_get_n (left) == hl_token_map_get_n (*map) || is_empty (left, attention, side))
    return FALSE;
  hl_token_map_unref (*map);
  *map = g_steal_pointer (&left);
  return TRUE;
}

static HlTokenMap *
make_map (const HlLens *self,
          HlAttention  *attention,
          HlSide        side)
{
  return self->words ? hl_attention_make_words (attention, side)
                     : hl_token_map_new_each (hl_attention_get_n (attention, side));
}

/* @strings: those of the document */
static void
name_side (HlAttentionTokens *self,
           HlTokenMap        *map,
           HlTokenStrings    *strings)
{
  const char *const *tokens = hl_token_strings_get (strings);
  const HlTokenSpan *spans = hl_token_map_get_spans (map);
  const gsize n = hl_token_map_get_n (map);
  const char **spelt = g_new (const char *, n + 1);

  char **texts = hl_token_text_make_words (tokens, map);
  const HlAttentionTokens mapped = { .n = n, .map = map, .picture = self->picture };
  hl_attention_tokens_name_patches (&mapped, texts);
  hl_token_strings_unref (self->texts);
  self->texts = hl_token_strings_new (texts);
  /* A word has no spelling of its own. */
  for (gsize i = 0; i < n; i++)
    spelt[i] = spans[i].n == 1 ? tokens[spans[i].first] : hl_token_strings_get (self->texts)[i];
  spelt[n] = NULL;
  hl_token_strings_unref (self->strings);
  self->strings = hl_token_strings_new_of (spelt, strings, self->texts);
  self->n_used = hl_token_map_count_before (map, self->n_used);
}

/* @attention: that of the document, whose tokens are those of the stage's still, but for a sink */
static void
group (const HlLens *self,
       HlAttention  *attention,
       Stage        *stage)
{
  g_auto (HlDerivedAttention) derived = { 0 };
  g_autoptr (HlTokenMap) queries = NULL;
  g_autoptr (HlTokenMap) keys = NULL;
  gboolean hides = FALSE;

  if (!self->words && !hl_lens_hides (self))
    return;
  queries = make_map (self, attention, HL_QUERIES);
  keys = hl_attention_has_same_tokens (attention) ? hl_token_map_ref (queries) : make_map (self, attention, HL_KEYS);
  if (hl_lens_hides (self))
    {
      hide (self, attention, HL_QUERIES, &queries);
      hides = hide (self, attention, HL_KEYS, &keys);
    }
  if (hl_token_map_is_trivial (queries) && hl_token_map_is_trivial (keys))
    return;

  hl_derived_attention_init (&derived, stage->attention);
  HlAttentionTokens *query_tokens = &derived.tokens[HL_QUERIES];
  HlAttentionTokens *key_tokens = &derived.tokens[HL_KEYS];
  key_tokens->n_used = hl_attention_get_n_used (attention, HL_KEYS);
  name_side (query_tokens, queries, hl_attention_get_strings (attention, HL_QUERIES));
  if (hl_attention_has_same_tokens (attention) && hl_token_map_equal (queries, keys))
    {
      hl_token_strings_unref (key_tokens->strings);
      key_tokens->strings = hl_token_strings_ref (query_tokens->strings);
      hl_token_strings_unref (key_tokens->texts);
      key_tokens->texts = hl_token_strings_ref (query_tokens->texts);
      key_tokens->n_used = query_tokens->n_used;
    }
  else
    name_side (key_tokens, keys, hl_attention_get_strings (attention, HL_KEYS));
  query_tokens->map = hl_token_map_ref (queries);
  g_autoptr (HlTokenMap) of_source = stage->has_sink ? hl_sink_shift_map (keys) : hl_token_map_ref (keys);
  if (stage->has_sink)
    hl_sink_name_keys (key_tokens, keys);
  else
    key_tokens->map = hl_token_map_ref (keys);
  derived.sentence_b_start = hl_token_map_count_before (of_source, derived.sentence_b_start);
  /* What lies on both sides of zero has no whole. */
  const gboolean divides = self->renormalise && hides && !hl_attention_source_is_signed (stage->source);
  stage_advance (stage, hl_group_source_new (stage->source, queries, of_source, divides), &derived);
}

static void
transpose (Stage *stage)
{
  g_auto (HlDerivedAttention) derived = { 0 };

  hl_derived_attention_init (&derived, stage->attention);
  const HlAttentionTokens queries = derived.tokens[HL_QUERIES];
  derived.tokens[HL_QUERIES] = derived.tokens[HL_KEYS];
  derived.tokens[HL_KEYS] = queries;
  derived.is_transposed = !derived.is_transposed;
  stage_advance (stage, hl_transpose_source_new (stage->source), &derived);
}

static void
direct (const HlLens *self,
        Stage        *stage)
{
  g_auto (HlDerivedAttention) derived = { 0 };

  if (self->direction == HL_DIRECTION_TRANSPOSED)
    transpose (stage);
  else if (self->direction == HL_DIRECTION_ASYMMETRY && hl_lens_has_asymmetry (stage->attention))
    {
      hl_derived_attention_init (&derived, stage->attention);
      stage_advance (stage, hl_asymmetry_source_new (stage->source), &derived);
    }
}

/**
 * hl_lens_equal:
 * @a: a lens
 * @b: another
 *
 * Returns: whether both derive the same
 */
gboolean
hl_lens_equal (const HlLens *a,
               const HlLens *b)
{
  if (a->quantity != b->quantity || a->sinks != b->sinks || a->direction != b->direction || a->combine != b->combine ||
      a->words != b->words || a->hide_special != b->hide_special || a->hide_first != b->hide_first ||
      !hl_token_set_equal (a->hidden[HL_QUERIES], b->hidden[HL_QUERIES]) ||
      !hl_token_set_equal (a->hidden[HL_KEYS], b->hidden[HL_KEYS]))
    return FALSE;
  if (a->renormalise != b->renormalise && hl_lens_hides (a))
    return FALSE;
  if (a->first_layer != b->first_layer && get_quantity (a)->heads == HL_QUANTITY_OF_LAYER)
    return FALSE;
  return (a->combine == HL_COMBINE_NONE || a->combine_over == b->combine_over) &&
         (!hl_lens_merges_heads (a) || hl_head_set_equal (&a->heads, &b->heads)) &&
         (!hl_lens_merges_layers (a) || hl_layer_set_equal (&a->layers, &b->layers));
}

/* Whether each layer that the quantity follows attention through has one of the heads: of a layer that has none it is not known how it mixes tokens. */
static gboolean
check_heads (const HlLens *self,
             HlAttention  *attention,
             GError      **error)
{
  const HlHeadSet heads = get_heads (self);

  if (get_quantity (self)->heads != HL_QUANTITY_OF_LAYER)
    return TRUE;
  for (guint layer = self->first_layer; layer < hl_attention_get_n_layers (attention); layer++)
    if (!hl_head_set_has_below (&heads, hl_attention_get_n_heads (attention, layer)))
      {
        g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                     _ ("follows attention through all layers, and layer %u has none of the heads that are chosen"),
                     layer);
        return FALSE;
      }
  return TRUE;
}

/**
 * hl_lens_check:
 * @self: a lens
 * @attention: an attention of a document
 * @error: a sentence without its subject, the quantity: "needs values, which this attention does not have"
 *
 * Returns: whether the attention has what the quantity of this lens is made of, of the heads that are chosen and combined as it is. If not, hl_lens_apply() derives from weights
 *   instead, and who shows that says so
 */
gboolean
hl_lens_check (const HlLens *self,
               HlAttention  *attention,
               GError      **error)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);

  return (sums_heads (self) ? hl_quantity_check_sum (self->quantity, attention, error)
                            : hl_quantity_check (self->quantity, attention, error)) &&
         check_heads (self, attention, error);
}

/**
 * hl_lens_merges_heads:
 * @self: a lens
 *
 * Returns: whether several heads become one
 */
gboolean
hl_lens_merges_heads (const HlLens *self)
{
  if (get_quantity (self)->heads == HL_QUANTITY_OF_LAYER)
    return TRUE;
  return self->combine != HL_COMBINE_NONE && self->combine_over != HL_COMBINE_OVER_LAYERS;
}

/**
 * hl_lens_merges_layers:
 * @self: a lens
 *
 * Returns: whether several layers become one
 */
gboolean
hl_lens_merges_layers (const HlLens *self)
{
  return self->combine != HL_COMBINE_NONE && self->combine_over != HL_COMBINE_OVER_HEADS;
}

/**
 * hl_lens_has_asymmetry:
 * @attention: an attention
 *
 * Returns: whether its queries and its keys are the same tokens, so that A − Aᵀ means something
 */
gboolean
hl_lens_has_asymmetry (HlAttention *attention)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);

  /* Of as many queries as keys, others may have been left out, though they be spelt alike. */
  return hl_attention_get_kind (attention) != HL_ATTENTION_CROSS &&
         hl_attention_get_n (attention, HL_QUERIES) == hl_attention_get_n (attention, HL_KEYS) &&
         g_strv_equal (hl_attention_get_tokens (attention, HL_QUERIES), hl_attention_get_tokens (attention, HL_KEYS)) &&
         hl_attention_has_own_keys (attention, &hl_attention_get_rule (attention, 0)->mask);
}

/**
 * hl_lens_hides:
 * @self: a lens
 *
 * Returns: whether it is to leave tokens out, if there are such
 */
gboolean
hl_lens_hides (const HlLens *self)
{
  return self->hide_special || self->hide_first || self->hidden[HL_QUERIES] != NULL || self->hidden[HL_KEYS] != NULL;
}

/**
 * hl_lens_hides_all:
 * @self: a lens
 * @attention: an attention of a document
 * @side: queries or keys
 *
 * Returns: whether none of them would be left, so that hl_lens_apply() leaves none of them out
 */
gboolean
hl_lens_hides_all (const HlLens *self,
                   HlAttention  *attention,
                   HlSide        side)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);

  if (!hl_lens_hides (self))
    return FALSE;
  g_autoptr (HlTokenMap) map = make_map (self, attention, side);
  g_autofree guint8 *hidden = find_hidden (self, attention, side);
  g_autoptr (HlTokenMap) left = hl_token_map_hide (map, hidden);
  return is_empty (left, attention, side);
}

/**
 * hl_lens_apply:
 * @self: a lens
 * @attention: an attention of a document
 * @source: its weights
 * @shown_attention: (out) (transfer full): what attends to what in the maps that are derived: their layers, heads and tokens, without tensors;
 *   @attention itself if nothing is
 * @shown_source: (out) (transfer full): the numbers of the maps; @source itself if nothing is derived
 *
 * Derives what is shown. In this order, as each builds on what came before: sinks become a key; the quantity is made of weights; heads and layers are combined; pieces become words;
 * tokens are left out, as queries and as keys, unless a side would have none left; rows are renormalised; rows and columns change over, or
 * are subtracted from one another. Filters, which leave out what is there, come after all of this.
 */
void
hl_lens_apply (const HlLens       *self,
               HlAttention        *attention,
               HlAttentionSource  *source,
               HlAttention       **shown_attention,
               HlAttentionSource **shown_source)
{
  Stage stage = { g_object_ref (attention), g_object_ref (source), FALSE };

  if (shows_sink (self, attention))
    add_sink (attention, &stage);
  quantify_and_combine (self, attention, &stage);
  group (self, attention, &stage);
  direct (self, &stage);
  *shown_attention = stage.attention;
  *shown_source = stage.source;
}
