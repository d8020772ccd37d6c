/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/analysis/hl-head-stats.h"
#include "core/analysis/hl-pair-ranking.h"

G_BEGIN_DECLS

void     hl_head_stats_csv_append_names (GString              *text,
                                         const HlPairRanking  *ranking);
void     hl_head_stats_csv_append_block (GString              *text,
                                         HlBlock              *block,
                                         const HlHeadStats    *stats,
                                         const HlPairRanking  *ranking);
gboolean hl_head_stats_csv_save         (HlBlock              *block,
                                         HlAttentionSource    *source,
                                         gsize                 first_query,
                                         gsize                 n_queries,
                                         HlPairRanking        *ranking,
                                         GFile                *target,
                                         GCancellable         *cancellable,
                                         GError              **error);

G_END_DECLS
