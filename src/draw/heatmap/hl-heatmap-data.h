/* SPDX-License-Identifier: MIT */
/* What a heatmap knows of the head it shows: its extremes, and its weights as long as they fit. Immutable once read. */
#pragma once

#include "draw/scene/hl-scene-job.h"
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
gboolean hl_heatmap_extremes_find     (const HlHeatmapPart     *part,
                                       HlHeatmapExtremes       *extremes,
                                       GCancellable            *cancellable,
                                       GError                 **error);

/**
 * HlHeatmapData:
 * @parent: how it is read and compared
 * @source: whose weights
 * @layer: of which layer
 * @head: of which head
 * @queries: of which queries
 * @keys: of which keys
 * @weights: (nullable): queries.n × keys.n floats, keys fastest; %NULL when they are too many to be kept
 * @is_signed: whether they lie on both sides of zero
 * @row_max: (array length=queries.n): the largest finite weight of each query, 0 where there is none; of numbers that
 *   have a sign, the largest distance from zero
 * @extremes: between which numbers they lie
 * @has_nan: whether there are weights that are no numbers
 *
 * A head, or the part of it that is shown.
 */
typedef struct
{
  HlSceneData        parent;
  HlAttentionSource *source;
  guint              layer;
  guint              head;
  HlRange            queries;
  HlRange            keys;
  float             *weights;
  gboolean           is_signed;
  float             *row_max;
  HlHeatmapExtremes  extremes;
  gboolean           has_nan;
} HlHeatmapData;

HlHeatmapData *hl_heatmap_data_new   (HlViewState          *state);
gboolean       hl_heatmap_data_read  (HlHeatmapData        *self,
                                      gsize                 n_rows,
                                      gsize                 n_columns,
                                      float                *pooled,
                                      GCancellable         *cancellable,
                                      GError              **error);
gboolean       hl_heatmap_data_pool  (const HlHeatmapData  *self,
                                      HlRange               rows,
                                      HlRange               columns,
                                      gsize                 n_rows,
                                      gsize                 n_columns,
                                      float                *target,
                                      GCancellable         *cancellable,
                                      GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlHeatmapData, hl_scene_data_unref)

G_END_DECLS
