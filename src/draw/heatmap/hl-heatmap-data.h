/* SPDX-License-Identifier: MIT */
/* What a heatmap knows of the head it shows: its extremes, and its weights as long as they fit. Immutable once read. */
#pragma once

#include "draw/heatmap/hl-heatmap-extremes.h"
#include "draw/scene/hl-scene-data.h"

G_BEGIN_DECLS

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
