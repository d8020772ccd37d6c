/* SPDX-License-Identifier: MIT */
/* What the colours of a heatmap mean. */
#pragma once

#include "draw/heatmap/hl-heatmap-region.h"
#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

void hl_heatmap_legend_draw (HlScene              *scene,
                             const HlSceneFrame   *frame,
                             cairo_t              *cr,
                             const HlHeatmapPaint *paint,
                             gboolean              has_masked,
                             gboolean              has_nan);

G_END_DECLS
