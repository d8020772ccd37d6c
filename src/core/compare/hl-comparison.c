/* SPDX-License-Identifier: MIT */
/* What belongs together in two sides that are compared: tokens by spelling and order, heads by index or by choice. */
#include "core/compare/hl-comparison.h"

struct _HlComparison
{
  GObject parent_instance;

  HlAttention *attention_a;
  HlAttention *attention_b;
  HlAttentionSource *source_a;
  HlAttentionSource *source_b;
  HlHeadPairing pairing;
  HlTokenAlignment *alignments[2];
};

G_DEFINE_FINAL_TYPE (HlComparison, hl_comparison, G_TYPE_OBJECT)

/**
 * hl_head_pairing_fits:
 * @pairing: which heads belong together
 * @b: the second side
 *
 * Returns: whether the side has the layer and the head
 */
gboolean
hl_head_pairing_fits (const HlHeadPairing *pairing,
                      HlAttention         *b)
{
  g_return_val_if_fail (pairing != NULL, FALSE);
  g_return_val_if_fail (HL_IS_ATTENTION (b), FALSE);

  if (pairing->layer >= 0)
    return (guint) pairing->layer < hl_attention_get_n_layers (b) &&
           (pairing->head < 0 || (guint) pairing->head < hl_attention_get_n_heads (b, (guint) pairing->layer));
  for (guint layer = 0; pairing->head >= 0 && layer < hl_attention_get_n_layers (b); layer++)
    if ((guint) pairing->head >= hl_attention_get_n_heads (b, layer))
      return FALSE;
  return TRUE;
}

static void
hl_comparison_finalize (GObject *object)
{
  HlComparison *self = HL_COMPARISON (object);

  g_clear_object (&self->attention_a);
  g_clear_object (&self->attention_b);
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

static gboolean
is_of_one_text (HlAttention *attention)
{
  return hl_attention_has_same_tokens (attention) &&
         hl_attention_has_tokens (attention, HL_QUERIES) == hl_attention_has_tokens (attention, HL_KEYS);
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
 * Aligns tokens that are not padding: by spelling and order, or by place where one side has none. Reads no weights.
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
  g_autoptr (HlTokenAlignment) queries = hl_aligner_align_side (aligner, HL_QUERIES, attention_a, attention_b);
  g_autoptr (HlTokenAlignment) keys = is_of_one_text (attention_a) && is_of_one_text (attention_b) && queries != NULL
                                        ? hl_token_alignment_ref (queries)
                                        : hl_aligner_align_side (aligner, HL_KEYS, attention_a, attention_b);
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
