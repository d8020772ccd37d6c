/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/analysis/hl-token-pairs.h"
#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

/**
 * HlPairRanking:
 *
 * How strongly each head of a block links pairs of words, and which does most. Immutable.
 */
typedef struct _HlPairRanking HlPairRanking;

HlPairRanking *hl_pair_ranking_compute         (HlAttentionSource    *source,
                                                HlTokenPairs         *pairs,
                                                GCancellable         *cancellable,
                                                GError              **error);
HlPairRanking *hl_pair_ranking_ref             (HlPairRanking        *self);
void           hl_pair_ranking_unref           (HlPairRanking        *self);
HlTokenPairs  *hl_pair_ranking_get_pairs       (const HlPairRanking  *self);
guint          hl_pair_ranking_get_n           (const HlPairRanking  *self);
double         hl_pair_ranking_get_weight      (const HlPairRanking  *self,
                                                guint                 index);
double         hl_pair_ranking_get_pair_weight (const HlPairRanking  *self,
                                                guint                 index,
                                                guint                 pair);
guint          hl_pair_ranking_get_rank        (const HlPairRanking  *self,
                                                guint                 index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPairRanking, hl_pair_ranking_unref)

G_END_DECLS
