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

HlAligner        *hl_aligner_new        (void);
gboolean          hl_aligner_get_busy   (HlAligner      *self);
void              hl_aligner_forget     (HlAligner      *self);
HlTokenAlignment *hl_aligner_align      (HlAligner      *self,
                                         HlTokenStrings *a,
                                         gsize           n_a,
                                         HlTokenStrings *b,
                                         gsize           n_b);
HlTokenAlignment *hl_aligner_align_side (HlAligner         *self,
                                         HlSide             side,
                                         HlAttention       *a,
                                         HlAttentionSource *source_a,
                                         HlAttention       *b,
                                         HlAttentionSource *source_b);

G_END_DECLS
