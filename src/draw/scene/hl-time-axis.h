/* SPDX-License-Identifier: MIT */
/* Where tokens stand for stretches of time and are too many for a label each: an axis of round seconds. */
#pragma once

#include <cairo.h>

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

/* From cells to the middle of numbers over them, and what both take. */
#define HL_TIME_AXIS_DISTANCE 12
#define HL_TIME_AXIS_ROOM 16

/* All in logical pixels. */
typedef struct
{
  HlAttention    *attention;   /* whose tokens, all of them times that rise: see hl_token_times_rise() */
  HlSide          side;        /* queries or keys */
  HlRange         range;       /* the tokens that have cells; two at least */
  gboolean        is_down;     /* whether cells are below one another */
  double          origin;      /* where the first cell begins */
  double          cell;        /* how long each is */
  double          begin;       /* where cells come into view */
  double          end;         /* where they leave it */
  double          edge;        /* where cells begin across: numbers end before it */
  gboolean        is_mirrored; /* whether places are counted from the right */
  double          mirror;      /* the sum of such a place and the same of the viewport */
  double          size;        /* of the font of numbers */
  const HlColour *colour;      /* of numbers */
} HlTimeAxis;

double   hl_time_axis_choose_step (HlAttention *attention,
                                   HlSide       side,
                                   HlRange      range,
                                   gsize        stride);
gboolean hl_time_axis_is_at_step  (HlAttention *attention,
                                   HlSide       side,
                                   HlRange      range,
                                   gsize        index,
                                   double       step);

void hl_time_axis_draw (HlScene            *scene,
                        const HlSceneFrame *frame,
                        cairo_t            *cr,
                        const HlTimeAxis   *axis,
                        HlRange             seen);
void hl_time_axis_erase (HlScene            *scene,
                         const HlSceneFrame *frame,
                         cairo_t            *cr,
                         const HlTimeAxis   *axis,
                         HlRange             seen,
                         double              begin,
                         double              end);

G_END_DECLS
