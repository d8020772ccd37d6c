/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

/**
 * HlHeadStat:
 * @HL_HEAD_STAT_ENTROPY: how evenly a query spreads its weight, −Σⱼ αᵢⱼ ln αᵢⱼ in nats, 0 to ln(keys); Clark et al. 2019, section 3.3
 * @HL_HEAD_STAT_DISTANCE: how far away a query looks, Σⱼ αᵢⱼ |i − j| in tokens; Vig and Belinkov 2019, section 4.2.4, here with the sign of
 *   the distance dropped, so that it also tells of models that look ahead
 * @HL_HEAD_STAT_FIRST: the weight on the first key, where many heads park what they have no use for; Xiao et al. 2023
 * @HL_HEAD_STAT_SPECIAL: the weight on keys that are special tokens, as hl_special_token_is() tells them; Clark et al. 2019, section 3.2
 * @HL_HEAD_STAT_PREVIOUS: the weight on the key before the query's own position; Clark et al. 2019, section 3.1
 * @HL_HEAD_STAT_NEXT: the weight on the key after it; likewise
 * @HL_HEAD_STAT_SELF: the weight on it; likewise
 *
 * Numbers that tell heads apart, each the mean over queries of what is defined here for the query i with weights αᵢⱼ. A query that has no
 * such key, as the first has no previous one, counts with 0.
 */
typedef enum {
  HL_HEAD_STAT_ENTROPY,
  HL_HEAD_STAT_DISTANCE,
  HL_HEAD_STAT_FIRST,
  HL_HEAD_STAT_SPECIAL,
  HL_HEAD_STAT_PREVIOUS,
  HL_HEAD_STAT_NEXT,
  HL_HEAD_STAT_SELF,
} HlHeadStat;

#define HL_N_HEAD_STATS (HL_HEAD_STAT_SELF + 1)

const char *hl_head_stat_get_name  (HlHeadStat stat);
const char *hl_head_stat_get_label (HlHeadStat stat);

/**
 * HlHeadStats:
 * @values: by #HlHeadStat; NaN where a number is not defined
 *
 * The numbers of one head.
 */
typedef struct
{
  double values[HL_N_HEAD_STATS];
} HlHeadStats;

gboolean     hl_head_stats_compute       (HlAttention       *attention,
                                          HlAttentionSource *source,
                                          guint              layer,
                                          guint              head,
                                          gsize              first_query,
                                          gsize              n_queries,
                                          HlHeadStats       *stats,
                                          GCancellable      *cancellable,
                                          GError           **error);
gboolean     hl_head_stats_compute_range (HlAttention       *attention,
                                          HlAttentionSource *source,
                                          gsize              first_query,
                                          gsize              n_queries,
                                          guint              first,
                                          guint              n,
                                          HlHeadStats       *stats,
                                          GCancellable      *cancellable,
                                          GError           **error);
HlHeadStats *hl_head_stats_compute_all   (HlAttention       *attention,
                                          HlAttentionSource *source,
                                          gsize              first_query,
                                          gsize              n_queries,
                                          GCancellable      *cancellable,
                                          GError           **error);

G_END_DECLS
