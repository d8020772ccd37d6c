/* SPDX-License-Identifier: MIT */
#include "draw/chart/hl-chart-points.h"

#include <math.h>

#include "draw/chart/hl-chart-axis.h"
#include "draw/scene/hl-scene-write.h"

#define MARGIN 16
#define TITLE_ROOM 24
/* Between points and the edge of their plot, where labels need room. */
#define PAD 34
#define MAX_ZOOM 20
/* Plots that are wider than this leave room at both sides. */
#define MAX_SHAPE 1.6

#define LABEL_SIZE 10.5
#define MAX_LABEL 90
/* What is taken is known in squares of so many pixels. */
#define CELL 3.0

struct _HlChartRoom
{
  cairo_rectangle_t plot;
  int n_columns;
  int n_rows;
  guint8 *taken;
};

void
hl_chart_extent_add (HlChartExtent *self,
                     const double  *points,
                     gsize          n)
{
  for (gsize i = 0; i < n; i++)
    {
      self->min_x = MIN (self->min_x, points[2 * i]);
      self->max_x = MAX (self->max_x, points[2 * i]);
      self->min_y = MIN (self->min_y, points[2 * i + 1]);
      self->max_y = MAX (self->max_y, points[2 * i + 1]);
    }
}

/* With a legend above and something to the right, which need so much room. */
void
hl_chart_points_lay_out (const HlChart       *self,
                         HlChartLayout       *layout,
                         const HlChartExtent *extent,
                         double               legend_room,
                         double               right_room)
{
  const HlSceneFrame *frame = self->frame;
  const double zoom = CLAMP (frame->zoom, 1, MAX_ZOOM);
  const double left = MARGIN + TITLE_ROOM;
  const double top = layout->top + legend_room;
  const double height = MAX (frame->height - top - TITLE_ROOM - MARGIN, 60);
  const double room = MAX (frame->width - left - right_room - MARGIN, 60);
  const double width = MIN (room, MAX (height * MAX_SHAPE, 60));
  const double wide = extent->max_x - extent->min_x;
  const double high = extent->max_y - extent->min_y;

  layout->legend_y = layout->top + 10;
  layout->plot = (cairo_rectangle_t){ hl_cairo_snap (left + (room - width) / 2, frame->scale),
                                      hl_cairo_snap (top, frame->scale), width, height };
  layout->content_width = frame->width + width * (zoom - 1);
  layout->content_height = MAX (frame->height, top + height + TITLE_ROOM + MARGIN) + height * (zoom - 1);
  layout->scale = INFINITY;
  if (wide > 0)
    layout->scale = MAX (width - 2 * PAD, 20) / wide;
  if (high > 0)
    layout->scale = MIN (layout->scale, MAX (height - 2 * PAD, 20) / high);
  /* All in one point. */
  if (!isfinite (layout->scale))
    layout->scale = 1;
  layout->scale *= zoom;
  layout->origin_x = layout->plot.x - frame->x + width * zoom / 2 - (extent->min_x + wide / 2) * layout->scale;
  layout->origin_y = layout->plot.y - frame->y + height * zoom / 2 + (extent->min_y + high / 2) * layout->scale;
}

/* What is at the point stays there. */
void
hl_chart_points_zoom (HlScene            *scene,
                      const HlSceneFrame *frame,
                      double              factor,
                      double              x,
                      double              y)
{
  const HlChartLayout before = *(const HlChartLayout *) frame->layout;
  const double old = CLAMP (frame->zoom, 1, MAX_ZOOM);
  const double zoom = CLAMP (old * factor, 1, MAX_ZOOM);
  const double at_x = CLAMP (x - before.plot.x, 0, before.plot.width);
  const double at_y = CLAMP (y - before.plot.y, 0, before.plot.height);
  const double across = (at_x + frame->x) / old;
  const double down = (at_y + frame->y) / old;

  hl_scene_set_zoom (scene, zoom <= 1 ? 0 : zoom);
  hl_scene_set_scroll (scene, across * zoom - at_x, down * zoom - at_y);
}

/* A thin frame, and what the directions are. */
void
hl_chart_points_draw_frame (const HlChart *self,
                            cairo_t       *cr,
                            const char    *across,
                            const char    *upwards)
{
  const cairo_rectangle_t *plot = &self->layout->plot;
  const HlTextStyle wide = { .size = HL_CHART_TITLE_SIZE, .max_width = MAX (plot->width, 24) };
  const HlTextStyle high = { .size = HL_CHART_TITLE_SIZE, .max_width = MAX (plot->height, 24) };

  hl_cairo_set_colour (cr, &self->frame->theme->grid, 1);
  cairo_set_line_width (cr, 1 / self->frame->scale);
  cairo_rectangle (cr, plot->x, plot->y, plot->width, plot->height);
  cairo_stroke (cr);
  const HlTextStyle fitted = across != NULL ? hl_scene_fit_text (self->scene, across, &wide) : wide;
  if (across != NULL)
    hl_scene_write (self->scene, cr, across, &fitted, &self->frame->theme->foreground, plot->x + plot->width / 2,
                    plot->y + plot->height + TITLE_ROOM / 2.0 + 4, 0.5);
  if (upwards != NULL)
    hl_scene_write_upwards (self->scene, cr, upwards, &high, &self->frame->theme->foreground,
                            plot->x - TITLE_ROOM / 2.0 - 2, plot->y + plot->height / 2, 0.5);
}

void
hl_chart_points_clip (const HlChart *self,
                      cairo_t       *cr)
{
  const cairo_rectangle_t *plot = &self->layout->plot;

  cairo_rectangle (cr, plot->x, plot->y, plot->width, plot->height);
  cairo_clip (cr);
}

gboolean
hl_chart_points_is_seen (const HlChartLayout *layout,
                         double               x,
                         double               y)
{
  return x >= layout->plot.x && x < layout->plot.x + layout->plot.width && y >= layout->plot.y &&
         y < layout->plot.y + layout->plot.height;
}

HlChartRoom *
hl_chart_room_new (const cairo_rectangle_t *plot)
{
  HlChartRoom *self = g_new (HlChartRoom, 1);

  self->plot = *plot;
  self->n_columns = (int) ceil (plot->width / CELL) + 1;
  self->n_rows = (int) ceil (plot->height / CELL) + 1;
  self->taken = g_new0 (guint8, (gsize) self->n_columns * (gsize) self->n_rows);
  return self;
}

void
hl_chart_room_free (HlChartRoom *self)
{
  g_free (self->taken);
  g_free (self);
}

/* Whether all of a box is within the plot and free; takes it then, or in any case. */
static gboolean
take (HlChartRoom *self,
      double       x,
      double       y,
      double       width,
      double       height,
      gboolean     in_any_case)
{
  const int left = (int) floor ((x - self->plot.x) / CELL), right = (int) floor ((x + width - self->plot.x) / CELL);
  const int top = (int) floor ((y - self->plot.y) / CELL), bottom = (int) floor ((y + height - self->plot.y) / CELL);

  if (!in_any_case)
    {
      if (x < self->plot.x || y < self->plot.y || x + width > self->plot.x + self->plot.width ||
          y + height > self->plot.y + self->plot.height)
        return FALSE;
      for (int row = top; row <= bottom; row++)
        for (int column = left; column <= right; column++)
          if (self->taken[row * self->n_columns + column])
            return FALSE;
    }
  for (int row = MAX (top, 0); row <= MIN (bottom, self->n_rows - 1); row++)
    for (int column = MAX (left, 0); column <= MIN (right, self->n_columns - 1); column++)
      self->taken[row * self->n_columns + column] = TRUE;
  return TRUE;
}

/* A point is there, which labels leave free. */
void
hl_chart_room_take (HlChartRoom *self,
                    double       x,
                    double       y,
                    double       radius)
{
  take (self, x - radius, y - radius, 2 * radius, 2 * radius, TRUE);
}

/* Writes a label beside, above or below a point, wherever it has room; FALSE where it has none. */
gboolean
hl_chart_room_write (HlChartRoom    *self,
                     const HlChart  *chart,
                     cairo_t        *cr,
                     const char     *text,
                     const HlColour *colour,
                     double          x,
                     double          y)
{
  static const struct
  {
    double x, y, align;
  } places[] = { { 7, 0, 0 },  { -7, 0, 1 }, { 0, -11, 0.5 }, { 0, 11, 0.5 },
                 { 6, -9, 0 }, { 6, 9, 0 },  { -6, -9, 1 },   { -6, 9, 1 } };
  const HlTextStyle style = { .size = LABEL_SIZE, .max_width = MAX_LABEL };
  const double width = hl_scene_measure_text (chart->scene, text, &style);

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      const double left = x + places[i].x - places[i].align * width;
      const double top = y + places[i].y - LABEL_SIZE * 0.62;

      if (!take (self, left, top, width, LABEL_SIZE * 1.24, FALSE))
        continue;
      hl_scene_write (chart->scene, cr, text, &style, colour, left, y + places[i].y, 0);
      return TRUE;
    }
  return FALSE;
}
