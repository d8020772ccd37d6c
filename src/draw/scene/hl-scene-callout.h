/* SPDX-License-Identifier: MIT */
/* How scenes point at something: outlines, emphasised labels, panels, and bubbles with a line of text. */
#pragma once

#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

/**
 * HlBubblePlace:
 * @gap: from the thing to the bubble below or above it, logical pixels
 * @flips: whether the bubble goes to the left of what is at the right edge; else it is only moved into the viewport
 *
 * Where a bubble is, seen from what it is about: to the right, below if there is room.
 */
typedef struct
{
  double   gap;
  gboolean flips;
} HlBubblePlace;

void hl_callout_outline  (cairo_t                 *cr,
                          const cairo_rectangle_t *box,
                          double                   strength);
void hl_callout_emphasis (cairo_t                 *cr,
                          const HlTheme           *theme,
                          const cairo_rectangle_t *box);
void hl_callout_panel    (cairo_t                 *cr,
                          const HlTheme           *theme,
                          const cairo_rectangle_t *box,
                          double                   radius);
void hl_scene_draw_bubble (HlScene                 *self,
                           cairo_t                 *cr,
                           const char              *text,
                           const cairo_rectangle_t *box,
                           const HlBubblePlace     *place);

G_END_DECLS
