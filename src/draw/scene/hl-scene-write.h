/* SPDX-License-Identifier: MIT */
/* What scenes write alike: lines of text on a ground. */
#pragma once

#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

double hl_scene_measure_text     (HlScene           *self,
                                  const char        *text,
                                  const HlTextStyle *style);
HlTextStyle hl_scene_fit_text    (HlScene           *self,
                                  const char        *text,
                                  const HlTextStyle *style);
void   hl_scene_write            (HlScene           *self,
                                  cairo_t           *cr,
                                  const char        *text,
                                  const HlTextStyle *style,
                                  const HlColour    *colour,
                                  double             x,
                                  double             y,
                                  double             align);
void   hl_scene_write_upwards    (HlScene           *self,
                                  cairo_t           *cr,
                                  const char        *text,
                                  const HlTextStyle *style,
                                  const HlColour    *colour,
                                  double             x,
                                  double             y,
                                  double             align);
void   hl_scene_paint_background (const HlSceneFrame *frame,
                                  cairo_t            *cr);
void   hl_scene_draw_caption     (HlScene            *self,
                                  const HlSceneFrame *frame,
                                  cairo_t            *cr,
                                  double              y);

void   hl_scene_draw_lack        (HlScene            *self,
                                  const HlSceneFrame *frame,
                                  cairo_t            *cr,
                                  const char         *text);

/* Where a bubble is, seen from what it is about: to the right, below if there is room. */
typedef struct
{
  double   gap; /* from the thing to the bubble below or above it, logical pixels */
  /* whether the bubble goes to the left of what is at the right edge; else it is only moved into the viewport */
  gboolean flips;
  /* whose tokens are picked, if not those that are shown */
  HlAttention *attention;
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
void hl_scene_draw_bubble_of (HlScene              *self,
                           const HlSceneFrame      *frame,
                           cairo_t                 *cr,
                           const char              *text,
                           const HlPick            *pick,
                           const cairo_rectangle_t *box,
                           const HlBubblePlace     *place);
void hl_scene_draw_bubble (HlScene                 *self,
                           const HlSceneFrame      *frame,
                           cairo_t                 *cr,
                           const char              *text,
                           const cairo_rectangle_t *box,
                           const HlBubblePlace     *place);

G_END_DECLS
