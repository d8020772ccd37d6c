/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compare/hl-token-alignment.h"
#include "core/document/attention/hl-attention.h"
#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

#define HL_TYPE_ALIGNER (hl_aligner_get_type ())
/**
 * HlAligner:
 *
 * Aligns texts for a thread that has no time: short ones at once, long ones in a worker. Remembers the last few.
 */
G_DECLARE_FINAL_TYPE (HlAligner, hl_aligner, HL, ALIGNER, GObject)

/**
 * HlAlignerText:
 * @strings: (nullable): its tokens; %NULL where they are not known
 * @n: how many of them, counted from the first
 * @n_sinks: how many of the first are no tokens of the text but stand for learned sinks
 * @first: the first behind them that is no padding
 * @end: one past the last
 *
 * A text, perhaps between padding.
 */
typedef struct
{
  HlTokenStrings *strings;
  gsize           n;
  gsize           n_sinks;
  gsize           first;
  gsize           end;
} HlAlignerText;

HlAligner        *hl_aligner_new        (void);
gboolean          hl_aligner_get_busy   (HlAligner           *self);
void              hl_aligner_forget     (HlAligner           *self);
HlTokenAlignment *hl_aligner_align      (HlAligner           *self,
                                         const HlAlignerText *a,
                                         const HlAlignerText *b);
HlTokenAlignment *hl_aligner_align_side (HlAligner           *self,
                                         HlSide               side,
                                         HlAttention         *a,
                                         HlAttentionSource   *source_a,
                                         HlAttention         *b,
                                         HlAttentionSource   *source_b);
HlAlignerText     hl_aligner_get_text   (HlAttention         *attention,
                                         HlAttentionSource   *source,
                                         HlSide               side);

G_END_DECLS
