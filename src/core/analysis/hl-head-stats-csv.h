/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/analysis/hl-head-numbers.h"

G_BEGIN_DECLS

void     hl_head_stats_csv_append_names (GString              *text,
                                         const HlPairRanking  *ranking,
                                         gboolean              has_changes);
void     hl_head_stats_csv_append_block (GString              *text,
                                         HlBlock              *block,
                                         const HlHeadStats    *stats,
                                         const HlPairRanking  *ranking,
                                         const HlHeadNumbers  *changes);
gboolean hl_head_stats_csv_save         (HlBlock              *block,
                                         HlAttentionSource    *source,
                                         gsize                 first_query,
                                         gsize                 n_queries,
                                         HlPairRanking        *ranking,
                                         HlComparison         *compared,
                                         GFile                *target,
                                         GCancellable         *cancellable,
                                         GError              **error);

G_END_DECLS
