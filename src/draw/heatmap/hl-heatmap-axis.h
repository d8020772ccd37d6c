/* SPDX-License-Identifier: MIT */
/* Where tokens stand for stretches of time and are too many for a label each: an axis of round seconds. */
#pragma once

#include "draw/heatmap/hl-heatmap-layout.h"
#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

void hl_heatmap_axis_draw        (HlScene            *scene,
                                  const HlSceneFrame *frame,
                                  cairo_t            *cr,
                                  HlSide              side,
                                  HlRange             seen);
void hl_heatmap_axis_place_label (HlScene            *scene,
                                  const HlSceneFrame *frame,
                                  gsize               column,
                                  double              size,
                                  double             *x,
                                  double             *y);

G_END_DECLS
