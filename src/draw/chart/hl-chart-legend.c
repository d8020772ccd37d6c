/* SPDX-License-Identifier: MIT */
#include "draw/chart/hl-chart-legend.h"

#include "draw/scene/hl-scene-write.h"

#define SIZE 11.5
#define SAMPLE 16
/* From a sample to its words, and from these to the next sample. */
#define PAD 6
#define GAP 18
#define N_STEPS 64

/* In a box twice as wide as high around its middle. */
void
hl_chart_mark_draw (cairo_t        *cr,
                    HlChartMark     mark,
                    const HlColour *colour,
                    double          x,
                    double          y,
                    double          radius)
{
  hl_cairo_set_colour (cr, colour, 1);
  switch (mark)
    {
    case HL_CHART_MARK_LINE:
      cairo_set_line_width (cr, 2);
      cairo_move_to (cr, x - 2 * radius, y);
      cairo_line_to (cr, x + 2 * radius, y);
      cairo_stroke (cr);
      break;
    case HL_CHART_MARK_AREA:
      cairo_rectangle (cr, x - 1.5 * radius, y - 1.25 * radius, 3 * radius, 2.5 * radius);
      cairo_fill (cr);
      break;
    case HL_CHART_MARK_DOT:
      cairo_new_sub_path (cr);
      cairo_arc (cr, x, y, radius, 0, 2 * G_PI);
      cairo_fill (cr);
      break;
    case HL_CHART_MARK_SQUARE:
      cairo_rectangle (cr, x - 0.9 * radius, y - 0.9 * radius, 1.8 * radius, 1.8 * radius);
      cairo_fill (cr);
      break;
    }
}

/* Around a mark that is chosen or pointed at. */
void
hl_chart_ring_draw (cairo_t                 *cr,
                    const HlColour          *colour,
                    const cairo_rectangle_t *box)
{
  hl_cairo_set_colour (cr, colour, 1);
  cairo_set_line_width (cr, 2);
  cairo_new_sub_path (cr);
  cairo_arc (cr, box->x + box->width / 2, box->y + box->height / 2, box->width / 2 + 2, 0, 2 * G_PI);
  cairo_stroke (cr);
}

/* How many of them fit beside one another, one at least. */
static guint
get_n_in_line (HlScene             *scene,
               const HlChartSample *samples,
               guint                n,
               double               width,
               double              *taken)
{
  const HlTextStyle style = { .size = SIZE };

  *taken = 0;
  for (guint i = 0; i < n; i++)
    {
      const double wide = (i > 0 ? GAP : 0) + SAMPLE + PAD + hl_scene_measure_text (scene, samples[i].label, &style);
      if (i > 0 && *taken + wide > width)
        return i;
      *taken += wide;
    }
  return n;
}

/* In the middle of the width, y that of the first line. Returns how many lines it takes; with no context it is only measured. */
guint
hl_chart_legend_draw (HlScene             *scene,
                      const HlSceneFrame  *frame,
                      cairo_t             *cr,
                      const HlChartSample *samples,
                      guint                n,
                      double               left,
                      double               width,
                      double               y)
{
  guint n_lines = 0;

  while (n > 0)
    {
      double taken;
      const guint n_here = get_n_in_line (scene, samples, n, width, &taken);
      double x = left + MAX (0, (width - taken) / 2);

      for (guint i = 0; cr != NULL && i < n_here; i++)
        {
          const HlTextStyle style = { .size = SIZE, .max_width = MAX (left + width - x - SAMPLE - PAD, 24) };
          const double middle = y + n_lines * HL_CHART_LEGEND_LINE;

          hl_chart_mark_draw (cr, samples[i].mark, &samples[i].colour, x + SAMPLE / 2.0, middle, 4);
          hl_scene_write (scene, cr, samples[i].label, &style, &frame->theme->foreground, x + SAMPLE + PAD, middle, 0);
          x += SAMPLE + PAD + hl_scene_measure_text (scene, samples[i].label, &style) + GAP;
        }
      samples += n_here;
      n -= n_here;
      n_lines++;
    }
  return n_lines;
}

/* The least below, the greatest above; its numbers to the right, the title upwards beyond these. */
void
hl_chart_bar_draw (HlScene                 *scene,
                   const HlSceneFrame      *frame,
                   cairo_t                 *cr,
                   const cairo_rectangle_t *box,
                   HlChartColourFunc        get_colour,
                   const HlChartBarTick    *ticks,
                   guint                    n_ticks,
                   const char              *title)
{
  const HlTextStyle style = { .size = 11 };
  const HlTextStyle title_style = { .size = 12, .max_width = MAX (box->height, 24) };
  g_autoptr (cairo_pattern_t) pattern = cairo_pattern_create_linear (0, box->y + box->height, 0, box->y);
  double widest = 0;

  for (guint i = 0; i <= N_STEPS; i++)
    {
      const HlColour colour = hl_chart_colour_of_pixel (get_colour (frame, (double) i / N_STEPS));
      cairo_pattern_add_color_stop_rgb (pattern, (double) i / N_STEPS, colour.r, colour.g, colour.b);
    }
  cairo_rectangle (cr, box->x, box->y, box->width, box->height);
  cairo_set_source (cr, pattern);
  cairo_fill_preserve (cr);
  hl_cairo_set_colour (cr, &frame->theme->grid, 1);
  cairo_set_line_width (cr, 1 / frame->scale);
  cairo_stroke (cr);
  for (guint i = 0; i < n_ticks; i++)
    {
      const double y = box->y + box->height * (1 - ticks[i].position);

      hl_cairo_set_colour (cr, &frame->theme->muted, 0.7);
      cairo_rectangle (cr, box->x + box->width, hl_cairo_snap (y, frame->scale) - 0.5 / frame->scale, 3,
                       1 / frame->scale);
      cairo_fill (cr);
      hl_scene_write (scene, cr, ticks[i].label, &style, &frame->theme->muted, box->x + box->width + 7, y, 0);
      widest = MAX (widest, hl_scene_measure_text (scene, ticks[i].label, &style));
    }
  if (title == NULL)
    return;
  const HlTextStyle fitted = hl_scene_fit_text (scene, title, &title_style);
  hl_scene_write_upwards (scene, cr, title, &fitted, &frame->theme->foreground, box->x + box->width + 7 + widest + 12,
                          box->y + box->height / 2, 0.5);
}
