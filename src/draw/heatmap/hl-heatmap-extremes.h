/* SPDX-License-Identifier: MIT */
/* Between which numbers the weights of a head lie: what a scale of colours must know. */
#pragma once

#include "view/hl-view-state.h"

#include <math.h>

G_BEGIN_DECLS

/**
 * HlHeatmapPart:
 * @source: (nullable): whose weights; %NULL for none at all
 * @layer: of which layer
 * @head: of which head
 * @queries: of which queries
 * @keys: of which keys
 *
 * A head, or the part of it that is shown. A plain value; whoever keeps it longer than the source lives must hold that.
 */
typedef struct
{
  HlAttentionSource *source;
  guint              layer;
  guint              head;
  HlRange            queries;
  HlRange            keys;
} HlHeatmapPart;

/**
 * HlHeatmapExtremes:
 * @min: the smallest finite weight; ∞ when there is none
 * @min_positive: the smallest weight over 0; ∞ when there is none
 * @max: the largest finite weight; −∞ when there is none
 *
 * Between which numbers weights lie.
 */
typedef struct
{
  double min;
  double min_positive;
  double max;
} HlHeatmapExtremes;

#define HL_HEATMAP_EXTREMES_INIT { INFINITY, INFINITY, -INFINITY }

HlHeatmapPart hl_heatmap_part_of    (HlViewState         *state);
gboolean      hl_heatmap_part_equal (const HlHeatmapPart *a,
                                     const HlHeatmapPart *b);

void     hl_heatmap_extremes_join     (HlHeatmapExtremes       *self,
                                       const HlHeatmapExtremes *other);
void     hl_heatmap_extremes_remember (const HlHeatmapPart     *part,
                                       const HlHeatmapExtremes *extremes);
gboolean hl_heatmap_extremes_find     (const HlHeatmapPart     *part,
                                       HlHeatmapExtremes       *extremes,
                                       GCancellable            *cancellable,
                                       GError                 **error);

G_END_DECLS
