/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/analysis/number/hl-head-number.h"
#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

/**
 * HlHeadStats:
 * @values: by #HlHeadStat; NaN where a number is not defined, or was not asked for
 * @n_unknown: how many queries were left out because not all of their weights are numbers
 *
 * The numbers of one head.
 */
typedef struct
{
  double values[HL_N_HEAD_STATS];
  gsize  n_unknown;
} HlHeadStats;

/**
 * HlQueryBands:
 * @first: the first query of the first band
 * @n: how many queries a band has
 * @n_bands: how many bands
 * @step: from the beginning of a band to that of the next
 *
 * Queries that count.
 */
typedef struct
{
  gsize first;
  gsize n;
  guint n_bands;
  gsize step;
} HlQueryBands;

gboolean     hl_head_stats_compute       (HlAttention       *attention,
                                          HlAttentionSource *source,
                                          guint              layer,
                                          guint              head,
                                          gsize              first_query,
                                          gsize              n_queries,
                                          HlHeadNumberSet    wanted,
                                          HlHeadStats       *stats,
                                          GCancellable      *cancellable,
                                          GError           **error);
gboolean     hl_head_stats_compute_heads (HlAttention        *attention,
                                          HlAttentionSource  *source,
                                          const HlQueryBands *queries,
                                          const guint        *heads,
                                          guint               n,
                                          HlHeadNumberSet     wanted,
                                          HlHeadStats        *stats,
                                          GCancellable       *cancellable,
                                          GError            **error);
gboolean     hl_head_stats_compute_range (HlAttention       *attention,
                                          HlAttentionSource *source,
                                          gsize              first_query,
                                          gsize              n_queries,
                                          guint              first,
                                          guint              n,
                                          HlHeadNumberSet    wanted,
                                          HlHeadStats       *stats,
                                          GCancellable      *cancellable,
                                          GError           **error);

G_END_DECLS
