/* SPDX-License-Identifier: MIT */
/* What is no number has no colour of the bar: how it is shown instead, and what the legend says of it. */
#pragma once

#include <cairo.h>

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

typedef enum {
  HL_BLANK_MASKED, /* hidden by a rule */
  HL_BLANK_NAN,    /* not a number, or, of a difference, not in both */
  HL_N_BLANKS,
} HlBlank;

/* Of the square in the legend, logical pixels. */
#define HL_BLANK_SWATCH 12

void   hl_blank_draw        (HlBlank                  blank,
                             const HlTheme           *theme,
                             cairo_t                 *cr,
                             const cairo_rectangle_t *box,
                             double                   distance,
                             double                   strength);
double hl_blank_draw_legend (HlBlank                  blank,
                             HlScene                 *scene,
                             const HlSceneFrame      *frame,
                             cairo_t                 *cr,
                             double                   x,
                             double                   y);

G_END_DECLS
