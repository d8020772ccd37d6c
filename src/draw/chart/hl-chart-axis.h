/* SPDX-License-Identifier: MIT */
/* An axis of numbers: which range it has for some data, what is written beside it, and where a number stands. */
#pragma once

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

/* A plain value. Its ends are round numbers; ticks are multiples of step from min on. */
typedef struct
{
  double   min;
  double   max; /* greater than min */
  double   step;
  gboolean is_share; /* parts of 1, written in percent */
  double   begin; /* where min is, logical pixels of the viewport */
  double   end;   /* where max is */
} HlChartAxis;

void   hl_chart_axis_init        (HlChartAxis              *self,
                                  double                    min,
                                  double                    max,
                                  gboolean                  is_share,
                                  guint                     max_steps);
guint  hl_chart_axis_get_n_ticks (const HlChartAxis        *self);
double hl_chart_axis_get_tick    (const HlChartAxis        *self,
                                  guint                     tick);
char  *hl_chart_axis_format      (const HlChartAxis        *self,
                                  double                    value);
double hl_chart_axis_map         (const HlChartAxis        *self,
                                  double                    value);
double hl_chart_axis_measure     (const HlChartAxis        *self,
                                  HlScene                  *scene);
void   hl_chart_axis_draw_values (const HlChartAxis        *self,
                                  HlScene                  *scene,
                                  const HlSceneFrame       *frame,
                                  cairo_t                  *cr,
                                  const cairo_rectangle_t  *plot,
                                  const char               *title);

/* Where layers are along a plot, each in the middle of a slot as wide as the others. */
static inline double
hl_chart_get_slot (const cairo_rectangle_t *plot,
                   guint                    n_layers)
{
  return plot->width / MAX (n_layers, 1);
}

static inline double
hl_chart_get_layer_x (const cairo_rectangle_t *plot,
                      guint                    n_layers,
                      guint                    layer)
{
  return plot->x + (layer + 0.5) * hl_chart_get_slot (plot, n_layers);
}

void   hl_chart_draw_layers      (HlScene                  *scene,
                                  const HlSceneFrame       *frame,
                                  cairo_t                  *cr,
                                  const cairo_rectangle_t  *plot,
                                  guint                     n_layers,
                                  gboolean                  with_title);

#define HL_CHART_TICK_SIZE 11
#define HL_CHART_TITLE_SIZE 12
/* Below a plot, the numbers of layers and their title. */
#define HL_CHART_LAYERS_ROOM 44

G_END_DECLS
