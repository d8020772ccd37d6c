/* SPDX-License-Identifier: MIT */
/* Points of a plane in a chart: where they are, the same units both ways, zoomed perhaps, and which labels have room. */
#pragma once

#include "draw/chart/hl-chart.h"

G_BEGIN_DECLS

/* How far points reach. */
typedef struct
{
  double min_x;
  double max_x;
  double min_y;
  double max_y;
} HlChartExtent;

static inline gboolean
hl_chart_kind_has_points (HlChartKind kind)
{
  return kind == HL_CHART_SCATTER || kind == HL_CHART_PLANE;
}

void     hl_chart_extent_add         (HlChartExtent        *self,
                                      const double         *points,
                                      gsize                 n);
void     hl_chart_points_lay_out     (const HlChart        *self,
                                      HlChartLayout        *layout,
                                      const HlChartExtent  *extent,
                                      double                legend_room,
                                      double                right_room);
void     hl_chart_points_zoom        (HlScene              *scene,
                                      const HlSceneFrame   *frame,
                                      double                factor,
                                      double                x,
                                      double                y);
void     hl_chart_points_draw_frame  (const HlChart        *self,
                                      cairo_t              *cr,
                                      const char           *across,
                                      const char           *upwards);
void     hl_chart_points_clip        (const HlChart        *self,
                                      cairo_t              *cr);

/* Upwards is up. */
static inline void
hl_chart_points_map (const HlChartLayout *layout,
                     const double        *point,
                     double              *x,
                     double              *y)
{
  *x = layout->origin_x + point[0] * layout->scale;
  *y = layout->origin_y - point[1] * layout->scale;
}

gboolean hl_chart_points_is_seen     (const HlChartLayout  *layout,
                                      double                x,
                                      double                y);

/* What of a plot is taken, so that labels do not collide. */
typedef struct _HlChartRoom HlChartRoom;

HlChartRoom *hl_chart_room_new       (const cairo_rectangle_t *plot);
void         hl_chart_room_free      (HlChartRoom          *self);
void         hl_chart_room_take      (HlChartRoom          *self,
                                      double                x,
                                      double                y,
                                      double                radius);
gboolean     hl_chart_room_write     (HlChartRoom          *self,
                                      const HlChart        *chart,
                                      cairo_t              *cr,
                                      const char           *text,
                                      const HlColour       *colour,
                                      double                x,
                                      double                y);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlChartRoom, hl_chart_room_free)

G_END_DECLS
