/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/analysis/hl-head-numbers.h"

G_BEGIN_DECLS

void     hl_head_stats_csv_append_names     (GString             *text,
                                             const HlPairRanking *ranking,
                                             gboolean             has_changes);
void     hl_head_stats_csv_append_attention (GString             *text,
                                             HlAttention         *attention,
                                             const HlHeadStats   *stats,
                                             const HlPairRanking *ranking,
                                             const HlHeadNumbers *changes);
gboolean hl_head_stats_csv_save             (HlAttention         *attention,
                                             HlAttentionSource   *source,
                                             gsize                first_query,
                                             gsize                n_queries,
                                             HlPairRanking       *ranking,
                                             HlComparison        *compared,
                                             GFile               *target,
                                             GCancellable        *cancellable,
                                             GError             **error);

G_END_DECLS
