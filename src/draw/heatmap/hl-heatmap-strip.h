/* SPDX-License-Identifier: MIT */
/* What several queries attend to on average, as a row below a heatmap; what several keys get together, as a column beside it. */
#pragma once

#include "draw/heatmap/hl-heatmap-data.h"
#include "draw/heatmap/hl-heatmap-layout.h"
#include "draw/heatmap/hl-heatmap-region.h"
#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

gboolean hl_heatmap_strip_get_box (const HlHeatmapLayout *layout,
                                   HlSide                 side,
                                   cairo_rectangle_t     *box);
void     hl_heatmap_strip_draw    (HlScene               *scene,
                                   const HlSceneFrame    *frame,
                                   cairo_t               *cr,
                                   const HlHeatmapPaint  *paint,
                                   const HlHeatmapData   *data,
                                   const float           *values);

G_END_DECLS
