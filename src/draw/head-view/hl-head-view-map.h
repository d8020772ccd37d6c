/* SPDX-License-Identifier: MIT */
/* The head that leads as a small heatmap beside its lines: what is pointed at in one is seen in both. */
#pragma once

#include "draw/head-view/hl-head-view-data.h"
#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

/* Its picture, kept from frame to frame. Zeros for none. */
typedef struct
{
  HlHeadViewData  *data;    /* the weights it shows */
  guint            head;    /* of which of the heads */
  HlColourMap      colours; /* in which colours */
  gboolean         dark;    /* of which theme */
  cairo_surface_t *image;   /* a pixel a cell */
} HlHeadViewMap;

void hl_head_view_map_clear      (HlHeadViewMap      *self);
void hl_head_view_map_draw       (HlHeadViewMap      *self,
                                  HlScene            *scene,
                                  const HlSceneFrame *frame,
                                  cairo_t            *cr);
void hl_head_view_map_draw_marks (const HlSceneFrame *frame,
                                  const HlFocus      *focus,
                                  double              strength,
                                  cairo_t            *cr);
void hl_head_view_map_pick       (const HlSceneFrame *frame,
                                  double              x,
                                  double              y,
                                  HlPick             *pick);

G_END_DECLS
