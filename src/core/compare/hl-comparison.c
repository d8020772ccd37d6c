/* SPDX-License-Identifier: MIT */
/* What belongs together in two sides that are compared: tokens by spelling and order, heads by index or by choice. */
#include "core/compare/hl-comparison.h"

#include "core/analysis/number/hl-head-used.h"
#include "core/compare/hl-common-texts.h"

#include <string.h>

struct _HlComparison
{
  GObject parent_instance;

  HlAttention *attention_a;
  HlAttention *attention_b;
  HlAttentionSource *source_a;
  HlAttentionSource *source_b;
  HlHeadPairing pairing;
  HlTokenAlignment *alignments[2];
  HlAttention *attention; /* of both, made when it is first asked for */
};

G_DEFINE_FINAL_TYPE (HlComparison, hl_comparison, G_TYPE_OBJECT)

/**
 * hl_head_pairing_fits:
 * @pairing: which heads belong together
 * @b: the second side
 *
 * Returns: whether the side has the layer and the head; a layer without attention has none, and none need be in it
 */
gboolean
hl_head_pairing_fits (const HlHeadPairing *pairing,
                      HlAttention         *b)
{
  g_return_val_if_fail (pairing != NULL, FALSE);
  g_return_val_if_fail (HL_IS_ATTENTION (b), FALSE);

  if (pairing->layer >= 0)
    return (guint) pairing->layer < hl_attention_get_n_layers (b) &&
           hl_attention_get_n_heads (b, (guint) pairing->layer) > 0 &&
           (pairing->head < 0 || (guint) pairing->head < hl_attention_get_n_heads (b, (guint) pairing->layer));
  for (guint layer = 0; pairing->head >= 0 && layer < hl_attention_get_n_layers (b); layer++)
    if (hl_attention_get_n_heads (b, layer) > 0 && (guint) pairing->head >= hl_attention_get_n_heads (b, layer))
      return FALSE;
  return TRUE;
}

/**
 * hl_comparison_find_attention:
 * @example_a: the first side
 * @attention_a: an attention of it
 * @example_b: the second side
 *
 * Returns: (transfer none) (nullable): what of the second side it is compared with: the attention of the same kind; where
 *   each side has but one, that
 */
HlAttention *
hl_comparison_find_attention (HlExample   *example_a,
                              HlAttention *attention_a,
                              HlExample   *example_b)
{
  g_return_val_if_fail (HL_IS_EXAMPLE (example_a) && HL_IS_EXAMPLE (example_b), NULL);
  g_return_val_if_fail (HL_IS_ATTENTION (attention_a), NULL);

  if (hl_example_get_n_attentions (example_a) == 1 && hl_example_get_n_attentions (example_b) == 1)
    return hl_example_get_attention (example_b, 0);
  return hl_example_find_attention (example_b, hl_attention_get_kind (attention_a));
}

static void
hl_comparison_finalize (GObject *object)
{
  HlComparison *self = HL_COMPARISON (object);

  g_clear_object (&self->attention_a);
  g_clear_object (&self->attention_b);
  g_clear_object (&self->attention);
  g_clear_object (&self->source_a);
  g_clear_object (&self->source_b);
  g_clear_pointer (&self->alignments[HL_QUERIES], hl_token_alignment_unref);
  g_clear_pointer (&self->alignments[HL_KEYS], hl_token_alignment_unref);
  G_OBJECT_CLASS (hl_comparison_parent_class)->finalize (object);
}

static void
hl_comparison_class_init (HlComparisonClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_comparison_finalize;
}

static void
hl_comparison_init (HlComparison *self)
{
}

/* Spelt alike, others may be left of the queries than of the keys. */
static gboolean
has_same_places (HlAttention *attention)
{
  HlTokenMap *queries = hl_attention_get_map (attention, HL_QUERIES), *keys = hl_attention_get_map (attention, HL_KEYS);

  return queries == keys || (queries != NULL && keys != NULL && hl_token_map_equal (queries, keys));
}

/* Whether queries and keys are the same tokens, and as many of them are padding. */
static gboolean
is_of_one_text (HlAttention       *attention,
                HlAttentionSource *source)
{
  const HlHeadUsed used = hl_head_used_find (attention, source);

  return hl_attention_has_same_tokens (attention) && has_same_places (attention) &&
         hl_attention_has_tokens (attention, HL_QUERIES) == hl_attention_has_tokens (attention, HL_KEYS) &&
         used.first[HL_QUERIES] == used.first[HL_KEYS] && used.end[HL_QUERIES] == used.end[HL_KEYS];
}

/**
 * hl_comparison_new:
 * @attention_a: the first side: what was
 * @source_a: its weights
 * @attention_b: the second side: what is; may be the first
 * @source_b: its weights
 * @pairing: which heads belong together; must fit @attention_b
 * @aligner: (nullable): what aligns long texts in a worker; %NULL to wait as long as it takes
 *
 * Aligns tokens as hl_aligner_align_side() does. Reads no weights.
 *
 * Returns: (transfer full) (nullable): the comparison; %NULL while tokens are being aligned, then try again after #HlAligner::aligned
 */
HlComparison *
hl_comparison_new (HlAttention         *attention_a,
                   HlAttentionSource   *source_a,
                   HlAttention         *attention_b,
                   HlAttentionSource   *source_b,
                   const HlHeadPairing *pairing,
                   HlAligner           *aligner)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention_a) && HL_IS_ATTENTION (attention_b), NULL);
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (source_a) && HL_IS_ATTENTION_SOURCE (source_b), NULL);
  g_return_val_if_fail (hl_head_pairing_fits (pairing, attention_b), NULL);

  /* Both at once, so that a worker can make both. */
  g_autoptr (HlTokenAlignment)
    queries = hl_aligner_align_side (aligner, HL_QUERIES, attention_a, source_a, attention_b, source_b);
  g_autoptr (HlTokenAlignment)
    keys = is_of_one_text (attention_a, source_a) && is_of_one_text (attention_b, source_b) && queries != NULL
             ? hl_token_alignment_ref (queries)
             : hl_aligner_align_side (aligner, HL_KEYS, attention_a, source_a, attention_b, source_b);
  if (queries == NULL || keys == NULL)
    return NULL;
  HlComparison *self = g_object_new (HL_TYPE_COMPARISON, NULL);

  self->attention_a = g_object_ref (attention_a);
  self->attention_b = g_object_ref (attention_b);
  self->source_a = g_object_ref (source_a);
  self->source_b = g_object_ref (source_b);
  self->pairing = *pairing;
  self->alignments[HL_QUERIES] = g_steal_pointer (&queries);
  self->alignments[HL_KEYS] = g_steal_pointer (&keys);
  return self;
}

/**
 * hl_comparison_get_attention_a:
 * @self: a comparison
 *
 * Returns: (transfer none): the first side
 */
HlAttention *
hl_comparison_get_attention_a (HlComparison *self)
{
  g_return_val_if_fail (HL_IS_COMPARISON (self), NULL);

  return self->attention_a;
}

/**
 * hl_comparison_get_attention_b:
 * @self: a comparison
 *
 * Returns: (transfer none): the second side
 */
HlAttention *
hl_comparison_get_attention_b (HlComparison *self)
{
  g_return_val_if_fail (HL_IS_COMPARISON (self), NULL);

  return self->attention_b;
}

/**
 * hl_comparison_get_source_a:
 * @self: a comparison
 *
 * Returns: (transfer none): the weights of the first side
 */
HlAttentionSource *
hl_comparison_get_source_a (HlComparison *self)
{
  g_return_val_if_fail (HL_IS_COMPARISON (self), NULL);

  return self->source_a;
}

/**
 * hl_comparison_get_source_b:
 * @self: a comparison
 *
 * Returns: (transfer none): the weights of the second side
 */
HlAttentionSource *
hl_comparison_get_source_b (HlComparison *self)
{
  g_return_val_if_fail (HL_IS_COMPARISON (self), NULL);

  return self->source_b;
}

/**
 * hl_comparison_get_alignment:
 * @self: a comparison
 * @side: queries or keys
 *
 * Returns: (transfer none): which of them belong together
 */
const HlTokenAlignment *
hl_comparison_get_alignment (HlComparison *self,
                             HlSide        side)
{
  g_return_val_if_fail (HL_IS_COMPARISON (self), NULL);

  return self->alignments[side];
}

/**
 * hl_comparison_get_n_layers:
 * @self: a comparison
 *
 * Returns: how many layers of the first side have a partner; these are the first ones
 */
guint
hl_comparison_get_n_layers (HlComparison *self)
{
  g_return_val_if_fail (HL_IS_COMPARISON (self), 0);

  const guint n = hl_attention_get_n_layers (self->attention_a);
  return self->pairing.layer >= 0 ? n : MIN (n, hl_attention_get_n_layers (self->attention_b));
}

/**
 * hl_comparison_get_n_heads:
 * @self: a comparison
 * @layer: a layer of the first side that has a partner
 *
 * Returns: how many heads of it have a partner; these are the first ones
 */
guint
hl_comparison_get_n_heads (HlComparison *self,
                           guint         layer)
{
  g_return_val_if_fail (HL_IS_COMPARISON (self), 0);
  g_return_val_if_fail (layer < hl_comparison_get_n_layers (self), 0);

  const guint n = hl_attention_get_n_heads (self->attention_a, layer);
  const guint other = self->pairing.layer >= 0 ? (guint) self->pairing.layer : layer;
  return self->pairing.head >= 0 ? n : MIN (n, hl_attention_get_n_heads (self->attention_b, other));
}

/**
 * hl_comparison_get_partner:
 * @self: a comparison
 * @layer: a layer of the first side that has a partner
 * @head: a head of it that has a partner
 * @other_layer: (out): the layer of the second side
 * @other_head: (out): the head of that
 */
void
hl_comparison_get_partner (HlComparison *self,
                           guint         layer,
                           guint         head,
                           guint        *other_layer,
                           guint        *other_head)
{
  g_return_if_fail (HL_IS_COMPARISON (self));

  *other_layer = self->pairing.layer >= 0 ? (guint) self->pairing.layer : layer;
  *other_head = self->pairing.head >= 0 ? (guint) self->pairing.head : head;
}

/**
 * hl_comparison_has_partner:
 * @self: a comparison
 * @layer: a layer
 * @head: a head
 *
 * Returns: whether a head of the first side has a partner
 */
gboolean
hl_comparison_has_partner (HlComparison *self,
                           guint         layer,
                           guint         head)
{
  g_return_val_if_fail (HL_IS_COMPARISON (self), FALSE);

  return layer < hl_comparison_get_n_layers (self) && head < hl_comparison_get_n_heads (self, layer);
}

/* Whether the same places of two texts belong together in both. */
static gboolean
have_same_positions (const HlTokenAlignment *a,
                     const HlTokenAlignment *b)
{
  const gsize n = hl_token_alignment_get_n (a);

  return a == b || (n == hl_token_alignment_get_n (b) &&
                    memcmp (hl_token_alignment_get_positions (a), hl_token_alignment_get_positions (b),
                            n * sizeof (HlAlignedToken)) == 0);
}

/**
 * hl_comparison_get_mask:
 * @self: a comparison
 * @layer: a layer
 *
 * The common list keeps the order of both, so that a causal mask stays one where that of queries is that of keys; a window, of tokens
 * that are put in between, does not.
 *
 * Returns: what neither side can see, among the common tokens
 */
HlMask
hl_comparison_get_mask (HlComparison *self,
                        guint         layer)
{
  g_return_val_if_fail (HL_IS_COMPARISON (self), (HlMask){ 0 });

  HlAttentionSource *a = self->source_a;
  const HlTokenAlignment *queries = hl_comparison_get_alignment (self, HL_QUERIES);
  const HlTokenAlignment *keys = hl_comparison_get_alignment (self, HL_KEYS);
  const HlMask *mask = hl_attention_source_get_mask (a, layer);
  guint other_layer, other_head;

  if (!hl_comparison_has_partner (self, layer, 0))
    return (HlMask){ 0 };
  hl_comparison_get_partner (self, layer, 0, &other_layer, &other_head);
  const HlMask *other = hl_attention_source_get_mask (self->source_b, other_layer);
  if (mask->causal != other->causal || mask->transposed != other->transposed || mask->shift != other->shift)
    return (HlMask){ 0 };
  if (hl_token_alignment_is_identity (queries) && hl_token_alignment_is_identity (keys) &&
      hl_token_alignment_get_n (queries) == hl_attention_source_get_n (a, HL_QUERIES) &&
      hl_token_alignment_get_n (keys) == hl_attention_source_get_n (a, HL_KEYS))
    return (HlMask){
      .causal = mask->causal,
      .window = mask->window == other->window ? mask->window : 0,
      .chunk = mask->chunk == other->chunk ? mask->chunk : 0,
      .shift = mask->shift,
      .transposed = mask->transposed,
      .first_key = MIN (mask->first_key, other->first_key),
      .end_key = mask->end_key == 0 || other->end_key == 0 ? 0 : MAX (mask->end_key, other->end_key),
    };
  const gboolean squares = mask->shift == 0 &&
                           hl_attention_source_get_n (a, HL_QUERIES) == hl_attention_source_get_n (a, HL_KEYS) &&
                           have_same_positions (queries, keys);
  return (HlMask){ .causal = mask->causal && squares, .transposed = mask->causal && squares && mask->transposed };
}

static HlTokenStrings *
make_strings (const HlTokenAlignment *alignment,
              HlTokenStrings         *a,
              HlTokenStrings         *b)
{
  const HlAlignedToken *positions = hl_token_alignment_get_positions (alignment);
  const gsize n = hl_token_alignment_get_n (alignment);
  const char *const *strings_a = hl_token_strings_get (a), *const *strings_b = hl_token_strings_get (b);
  const char **strings = g_new (const char *, n + 1);

  for (gsize i = 0; i < n; i++)
    strings[i] = positions[i].a != HL_TOKEN_NONE ? strings_a[positions[i].a] : strings_b[positions[i].b];
  strings[n] = NULL;
  return hl_token_strings_new_of (strings, a, b);
}

/* Which tokens of the text of the first side the common positions stand for; nothing where only the second has them. */
static HlTokenMap *
make_map (const HlTokenAlignment *alignment,
          HlTokenMap             *map_a,
          gsize                   n_a)
{
  const HlAlignedToken *positions = hl_token_alignment_get_positions (alignment);
  const gsize n = hl_token_alignment_get_n (alignment);
  g_autofree HlTokenSpan *spans = g_new (HlTokenSpan, n);
  gsize end = 0;

  for (gsize i = 0; i < n; i++)
    {
      const gsize a = positions[i].a;
      if (a == HL_TOKEN_NONE)
        spans[i] = (HlTokenSpan){ end, 0 };
      else
        spans[i] = map_a != NULL ? hl_token_map_get_spans (map_a)[a] : (HlTokenSpan){ a, 1 };
      end = spans[i].first + spans[i].n;
    }
  return hl_token_map_new_spans (map_a != NULL ? hl_token_map_get_n_tokens (map_a) : n_a, spans, n);
}

/* It is said of keys, and of these when they have become queries. */
static gsize
find_sentence_b (HlComparison *comparison)
{
  HlAttention *a = hl_comparison_get_attention_a (comparison);
  HlAttention *b = hl_comparison_get_attention_b (comparison);
  const gsize start_a = hl_attention_get_sentence_b_start (a), start_b = hl_attention_get_sentence_b_start (b);
  const HlSide side = hl_attention_is_transposed (a) ? HL_QUERIES : HL_KEYS;

  if (start_a == 0 || start_b == 0)
    return 0;
  const gsize start =
    hl_common_texts_find_sentence_b (hl_comparison_get_alignment (comparison, side), start_a, start_b);
  return start != HL_TOKEN_NONE ? start : 0;
}

static HlAttention *
make_attention (HlComparison *comparison)
{
  g_auto (HlDerivedAttention) derived = { 0 };
  g_auto (HlDerivedAttention) side_a = { 0 };
  g_auto (HlDerivedAttention) side_b = { 0 };

  HlAttention *a = hl_comparison_get_attention_a (comparison);
  HlAttention *b = hl_comparison_get_attention_b (comparison);
  hl_derived_attention_init (&derived, a);
  hl_derived_attention_clear_tokens (&derived);
  hl_derived_attention_init (&side_a, a);
  hl_derived_attention_init (&side_b, b);
  /* One text on each side is one text in common, and is taken for such. */
  const gboolean is_one = hl_comparison_get_alignment (comparison, HL_QUERIES) ==
                            hl_comparison_get_alignment (comparison, HL_KEYS) &&
                          side_a.tokens[HL_QUERIES].texts == side_a.tokens[HL_KEYS].texts &&
                          side_b.tokens[HL_QUERIES].texts == side_b.tokens[HL_KEYS].texts;
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      const HlTokenAlignment *alignment = hl_comparison_get_alignment (comparison, side);
      const HlAttentionTokens *from_a = &side_a.tokens[side], *from_b = &side_b.tokens[side];
      const HlAttentionTokens *queries = side == HL_KEYS && is_one ? &derived.tokens[HL_QUERIES] : NULL;
      HlAttentionTokens *tokens = &derived.tokens[side];

      tokens->strings = queries != NULL ? hl_token_strings_ref (queries->strings)
                                        : make_strings (alignment, from_a->strings, from_b->strings);
      tokens->texts = queries != NULL ? hl_token_strings_ref (queries->texts)
                                      : make_strings (alignment, from_a->texts, from_b->texts);
      tokens->map = make_map (alignment, from_a->map, from_a->n);
      tokens->n_known = MAX (from_a->n_known, from_b->n_known);
      if (from_a->picture != NULL && hl_picture_equal (from_a->picture, from_b->picture))
        tokens->picture = hl_picture_ref (from_a->picture);
      if (from_a->times != NULL && hl_token_times_equal (from_a->times, from_b->times))
        tokens->times = hl_token_times_ref (from_a->times);
      tokens->n = tokens->n_used = hl_token_alignment_get_n (alignment);
      tokens->text_span = from_a->text_span;
    }
  derived.sentence_b_start = find_sentence_b (comparison);
  for (guint layer = 0; layer < derived.n_layers; layer++)
    derived.masks[layer] = hl_comparison_get_mask (comparison, layer);
  return hl_attention_new_derived (&derived);
}

/**
 * hl_comparison_get_attention:
 * @self: a comparison
 *
 * Returns: (transfer none): what attends to what in the maps of hl_difference_source_new(): the layers and heads of the first
 *   side, the tokens of both
 */
HlAttention *
hl_comparison_get_attention (HlComparison *self)
{
  g_return_val_if_fail (HL_IS_COMPARISON (self), NULL);

  if (g_once_init_enter (&self->attention))
    g_once_init_leave (&self->attention, make_attention (self));
  return self->attention;
}

/**
 * hl_comparison_get_pairing:
 * @self: a comparison
 *
 * Returns: (transfer none): which heads belong together
 */
const HlHeadPairing *
hl_comparison_get_pairing (HlComparison *self)
{
  g_return_val_if_fail (HL_IS_COMPARISON (self), NULL);

  return &self->pairing;
}

/**
 * hl_head_pairing_equal:
 * @pairing: a pairing
 * @other: another
 *
 * Returns: whether the same heads belong together
 */
gboolean
hl_head_pairing_equal (const HlHeadPairing *pairing,
                       const HlHeadPairing *other)
{
  return pairing->layer == other->layer && pairing->head == other->head;
}
