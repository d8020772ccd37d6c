/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compare/hl-aligner.h"
#include "core/document/attention/hl-example.h"
#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

/**
 * HlHeadPairing:
 * @layer: the layer of the second side that every layer is compared with, or -1 for the one of the same index
 * @head: the head of the second side that every head is compared with, or -1 likewise
 *
 * Which heads of two sides belong together.
 */
typedef struct
{
  int layer;
  int head;
} HlHeadPairing;

gboolean hl_head_pairing_fits  (const HlHeadPairing *pairing,
                                HlAttention         *b);
gboolean hl_head_pairing_equal (const HlHeadPairing *pairing,
                                const HlHeadPairing *other);

HlAttention *hl_comparison_find_attention (HlExample   *example_a,
                                           HlAttention *attention_a,
                                           HlExample   *example_b);

#define HL_TYPE_COMPARISON (hl_comparison_get_type ())
/**
 * HlComparison:
 *
 * Two sides, A and B, with their tokens aligned and their heads paired. What is computed of it is B against A: what is new against what was.
 * Immutable.
 */
G_DECLARE_FINAL_TYPE (HlComparison, hl_comparison, HL, COMPARISON, GObject)

HlComparison           *hl_comparison_new             (HlAttention         *attention_a,
                                                       HlAttentionSource   *source_a,
                                                       HlAttention         *attention_b,
                                                       HlAttentionSource   *source_b,
                                                       const HlHeadPairing *pairing,
                                                       HlAligner           *aligner);
HlAttention            *hl_comparison_get_attention_a (HlComparison        *self);
HlAttention            *hl_comparison_get_attention_b (HlComparison        *self);
HlAttentionSource      *hl_comparison_get_source_a    (HlComparison        *self);
HlAttentionSource      *hl_comparison_get_source_b    (HlComparison        *self);
const HlHeadPairing    *hl_comparison_get_pairing     (HlComparison        *self);
const HlTokenAlignment *hl_comparison_get_alignment   (HlComparison        *self,
                                                       HlSide               side);
HlAttention            *hl_comparison_get_attention   (HlComparison        *self);
HlMask                  hl_comparison_get_mask        (HlComparison        *self,
                                                       guint                layer);
guint                   hl_comparison_get_n_layers    (HlComparison        *self);
guint                   hl_comparison_get_n_heads     (HlComparison        *self,
                                                       guint                layer);
gboolean                hl_comparison_has_partner     (HlComparison        *self,
                                                       guint                layer,
                                                       guint                head);
void                    hl_comparison_get_partner     (HlComparison        *self,
                                                       guint                layer,
                                                       guint                head,
                                                       guint               *other_layer,
                                                       guint               *other_head);

G_END_DECLS
