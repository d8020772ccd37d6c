/* SPDX-License-Identifier: MIT */
/* What the kinds of chart have in common: a row each, and what they are drawn of. */
#pragma once

#include "draw/chart/hl-chart-data.h"
#include "draw/chart/hl-chart-numbers.h"
#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

/* Where everything of a chart is, in logical pixels of the viewport. */
typedef struct
{
  double            content_width;
  double            content_height;
  double            caption_y; /* middle of the caption's first line */
  double            top;       /* below the caption */
  cairo_rectangle_t plot;      /* what the marks are in */
  double            step_x;    /* of a grid, from one cell to the next */
  double            step_y;    /* likewise downwards */
  double            legend_y;  /* middle of the legend's first line */
  double            scale;     /* of points, logical pixels for one of their units, at the present zoom */
  double            origin_x;  /* where the points' zero is */
  double            origin_y;
} HlChartLayout;

/* A chart as it is asked for. */
typedef struct
{
  HlScene              *scene;
  const HlSceneFrame   *frame;
  const HlChartLayout  *layout;
  const HlChartNumbers *numbers;
  const HlChartData    *data; /* NULL until it is read, and where the kind needs none */
} HlChart;

/**
 * HlChartClass:
 * @lay_out: fills in a layout that has the caption's place
 * @get_notice: (nullable): why there is nothing to draw, translated; %NULL if there is something
 * @draw_backdrop: axes and what explains the marks
 * @draw_picture: the marks
 * @draw_overlay: what the pointer is over, which is shown in the chart
 * @pick: what is at a point
 * @describe: one line for a pick that is shown
 * @locate: where a pick is
 * @move: where an arrow key leads
 * @make_row: (nullable): as in #HlSceneClass
 *
 * A kind of chart. There is nothing but a notice to draw, pick or locate where there is a notice.
 */
typedef struct
{
  void      (*lay_out)       (const HlChart     *self,
                              HlChartLayout     *layout);
  char     *(*get_notice)    (const HlChart     *self);
  void      (*draw_backdrop) (const HlChart     *self,
                              cairo_t           *cr);
  void      (*draw_picture)  (const HlChart     *self,
                              cairo_t           *cr);
  void      (*draw_overlay)  (const HlChart     *self,
                              cairo_t           *cr);
  void      (*pick)          (const HlChart     *self,
                              double             x,
                              double             y,
                              HlPick            *pick);
  char     *(*describe)      (const HlChart     *self,
                              const HlPick      *pick);
  gboolean  (*locate)        (const HlChart     *self,
                              const HlPick      *pick,
                              cairo_rectangle_t *box);
  void      (*move)          (const HlChart     *self,
                              HlPick            *pick,
                              int                dx,
                              int                dy,
                              gboolean           to_end);
  float    *(*make_row)      (const HlChart     *self,
                              const HlFocus     *focus);
} HlChartClass;

extern const HlChartClass hl_chart_layers;
extern const HlChartClass hl_chart_shares;
extern const HlChartClass hl_chart_grid;
extern const HlChartClass hl_chart_scatter;
extern const HlChartClass hl_chart_plane;

char    *hl_chart_get_numbers_notice (const HlChart           *self);
char    *hl_chart_dup_number_title   (const HlChart           *self);
char    *hl_chart_describe_head      (const HlChart           *self,
                                      guint                    layer,
                                      guint                    head);
char    *hl_chart_describe_layer     (const HlChart           *self,
                                      guint                    layer);
guint    hl_chart_move_layer         (const HlChart           *self,
                                      guint                    layer,
                                      int                      direction,
                                      gboolean                 to_end);
void     hl_chart_draw_bubble        (const HlChart           *self,
                                      cairo_t                 *cr,
                                      const HlPick            *pick,
                                      const cairo_rectangle_t *box);

/* The next of so many in a direction. */
static inline guint
hl_chart_move_index (guint    index,
                     guint    n,
                     int      direction,
                     gboolean to_end)
{
  if (direction == 0 || n == 0)
    return MIN (index, MAX (n, 1) - 1);
  if (to_end)
    return direction < 0 ? 0 : n - 1;
  return direction < 0 ? index - MIN (index, 1) : MIN (index + 1, n - 1);
}

G_END_DECLS
