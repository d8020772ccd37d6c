/* SPDX-License-Identifier: MIT */
/* Names of the rows and columns of a heatmap. */
#pragma once

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

#define HL_HEATMAP_LABEL_SIZE 12.5

void hl_heatmap_labels_draw          (HlScene            *scene,
                                      const HlSceneFrame *frame,
                                      cairo_t            *cr);
void hl_heatmap_labels_draw_in_focus (HlScene            *scene,
                                      const HlSceneFrame *frame,
                                      cairo_t            *cr);

G_END_DECLS
