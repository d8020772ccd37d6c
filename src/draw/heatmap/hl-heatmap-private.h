/* SPDX-License-Identifier: MIT */
/* What the parts of a heatmap share: its object. */
#pragma once

#include "draw/heatmap/hl-heatmap-data.h"
#include "draw/heatmap/hl-heatmap-layout.h"
#include "draw/heatmap/hl-heatmap-region.h"
#include "draw/heatmap/hl-heatmap-scene.h"
#include "draw/heatmap/hl-heatmap-tiles.h"
#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-label-room.h"

G_BEGIN_DECLS

/**
 * HL_HEATMAP_MIN_NUMBER_CELL:
 *
 * Cells of this size, in logical pixels, hold a number.
 */
#define HL_HEATMAP_MIN_NUMBER_CELL 28

/**
 * HlHeatmapLine:
 * @pick: a query or a key
 * @values: its weights
 *
 * One row or column of a head that is too large to be kept.
 */
typedef struct
{
  HlPick pick;
  float *values;
} HlHeatmapLine;

struct _HlHeatmapScene
{
  HlScene parent_instance;

  HlLabelRoom room;

  /* What stood beside when the scale was made; kept until the next one is. */
  HlHeatmapPart beside;
  HlAttentionSource *beside_source;
  HlHeatmapExtremes beside_extremes;
  HlHeatmapTiles *tiles;
  HlHeatmapRegion *region;
  HlHeatmapLine line;
};

HlHeatmapLayout      hl_heatmap_scene_get_layout   (HlHeatmapScene       *self);
const HlHeatmapData *hl_heatmap_scene_get_data     (HlHeatmapScene       *self);
HlHeatmapPaint       hl_heatmap_scene_get_paint    (HlHeatmapScene       *self,
                                                    const HlHeatmapData  *data);
gboolean             hl_heatmap_scene_get_weight   (HlHeatmapScene       *self,
                                                    const HlHeatmapData  *data,
                                                    gsize                 row,
                                                    gsize                 column,
                                                    float                *weight);
float               *hl_heatmap_scene_make_row     (HlHeatmapScene       *self,
                                                    const HlHeatmapData  *data,
                                                    const HlPick         *pick);
HlPick               hl_heatmap_scene_get_line_pick (HlHeatmapScene      *self);
gboolean             hl_heatmap_scene_get_region_wanted (HlHeatmapScene        *self,
                                                         const HlHeatmapLayout *layout,
                                                         const HlHeatmapData   *data,
                                                         double                *cell,
                                                         HlHeatmapPixels       *pixels);
void                 hl_heatmap_scene_draw_label   (HlHeatmapScene         *self,
                                                    cairo_t                *cr,
                                                    const HlHeatmapLayout  *layout,
                                                    HlPickKind              side,
                                                    gsize                   index,
                                                    gboolean                in_focus,
                                                    gboolean                pinned);
void                 hl_heatmap_scene_draw_backdrop (HlScene *scene,
                                                     cairo_t *cr);
void                 hl_heatmap_scene_draw_picture  (HlScene *scene,
                                                     cairo_t *cr);
void                 hl_heatmap_scene_draw_overlay  (HlScene *scene,
                                                     cairo_t *cr);

G_END_DECLS
