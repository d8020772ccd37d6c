/* SPDX-License-Identifier: MIT */
/* What explains a chart's marks: a line of samples with words, or more where they do not fit, and a bar of colours. */
#pragma once

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

typedef enum {
  HL_CHART_MARK_LINE,
  HL_CHART_MARK_AREA,
  HL_CHART_MARK_DOT,
  HL_CHART_MARK_SQUARE,
} HlChartMark;

/* A mark and what it means. */
typedef struct
{
  HlChartMark mark;
  HlColour    colour;
  const char *label; /* translated */
} HlChartSample;

#define HL_CHART_LEGEND_LINE 20

guint hl_chart_legend_draw    (HlScene                 *scene,
                               const HlSceneFrame      *frame,
                               cairo_t                 *cr,
                               const HlChartSample     *samples,
                               guint                    n,
                               double                   left,
                               double                   width,
                               double                   y);
void  hl_chart_mark_draw      (cairo_t                 *cr,
                               HlChartMark              mark,
                               const HlColour          *colour,
                               double                   x,
                               double                   y,
                               double                   radius);
void  hl_chart_ring_draw      (cairo_t                 *cr,
                               const HlColour          *colour,
                               const cairo_rectangle_t *box);

/* A position from 0 to 1 as a colour. */
typedef guint32 (*HlChartColourFunc) (const HlSceneFrame *frame,
                                      double              position);

/* Where a number stands on a bar, and as what it is written. */
typedef struct
{
  double position;
  char  *label;
} HlChartBarTick;

#define HL_CHART_BAR_WIDTH 12

void hl_chart_bar_draw        (HlScene                 *scene,
                               const HlSceneFrame      *frame,
                               cairo_t                 *cr,
                               const cairo_rectangle_t *box,
                               HlChartColourFunc        get_colour,
                               const HlChartBarTick    *ticks,
                               guint                    n_ticks,
                               const char              *title);

static inline HlColour
hl_chart_colour_of_pixel (guint32 pixel)
{
  return (HlColour){ (float) (pixel >> 16 & 0xFF) / 255, (float) (pixel >> 8 & 0xFF) / 255,
                     (float) (pixel & 0xFF) / 255, 1 };
}


G_END_DECLS
