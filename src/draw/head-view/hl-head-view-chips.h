/* SPDX-License-Identifier: MIT */
/* The heads of the layer, and guests of other layers, as a strip of chips over a head view. */
#pragma once

#include "draw/head-view/hl-head-view-layout.h"
#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

/* The colours of a chip. */
typedef struct
{
  HlColour ground; /* behind the number */
  HlColour border; /* around it */
  HlColour ink;    /* of the number */
} HlHeadViewChip;

HlHeadViewChip hl_head_view_chip_of     (const HlTheme      *theme,
                                         const HlColour     *colour,
                                         gboolean            active);
void hl_head_view_draw_chips         (HlScene            *scene,
                                      const HlSceneFrame *frame,
                                      cairo_t            *cr);
void hl_head_view_draw_hovered_chip  (const HlSceneFrame *frame,
                                      cairo_t            *cr);

G_END_DECLS
