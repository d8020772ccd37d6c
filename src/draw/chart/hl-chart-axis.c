/* SPDX-License-Identifier: MIT */
#include "draw/chart/hl-chart-axis.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "draw/paint/hl-value-scale.h"
#include "draw/scene/hl-scene-write.h"
#include "draw/text/hl-axis-labels.h"

/* Between numbers and the plot, and from these to the title. */
#define PAD 7
#define TITLE_PAD 16

/* Numbers nearer to zero than this part of the greatest are shown from zero on. */
#define NEAR_ZERO 0.6

/* 1, 2 or 5 times a power of ten, so that so many steps at most make up the range. */
static double
find_step (double range,
           guint  max_steps)
{
  static const double factors[] = { 1, 2, 5 };
  const double least = range / MAX (max_steps, 1);
  const int exponent = (int) floor (log10 (least));

  for (guint i = 0;; i++)
    {
      const double step = factors[i % 3] * pow (10, exponent + (int) (i / 3));
      if (step >= least * (1 - 1e-9))
        return step;
    }
}

/*
 * Any two ends give an axis: where all numbers are the same, it reaches from zero to beyond them; where there are none, or
 * only zeros, from 0 to 1.
 */
void
hl_chart_axis_init (HlChartAxis *self,
                    double       min,
                    double       max,
                    gboolean     is_share,
                    guint        max_steps)
{
  if (!isfinite (min) || !isfinite (max) || min > max)
    min = max = 0;
  if (min > 0 && (min < NEAR_ZERO * max || max - min < 1e-9 * max))
    min = 0;
  if (max < 0 && (max > NEAR_ZERO * min || max - min < -1e-9 * min))
    max = 0;
  if (max - min < 1e-12)
    max = min + 1;
  *self = (HlChartAxis){ .step = find_step (max - min, max_steps), .is_share = is_share };
  self->min = floor (min / self->step + 1e-6) * self->step;
  self->max = ceil (max / self->step - 1e-6) * self->step;
}

guint
hl_chart_axis_get_n_ticks (const HlChartAxis *self)
{
  return (guint) lround ((self->max - self->min) / self->step) + 1;
}

double
hl_chart_axis_get_tick (const HlChartAxis *self,
                        guint              tick)
{
  return (round (self->min / self->step) + tick) * self->step;
}

/* With as many digits as steps need; in full, but where that takes many zeros. */
char *
hl_chart_axis_format (const HlChartAxis *self,
                      double             value)
{
  const double factor = self->is_share ? 100 : 1;
  const int exponent = (int) floor (log10 (self->step * factor) + 1e-6);
  HlValueTick tick = { 0 };
  const double size = fabs (value) < self->step * 1e-6 ? 0 : fabs (value) * factor;

  if (size >= 1e6 || exponent <= -6)
    {
      tick.value = size;
      hl_value_tick_write (&tick, exponent);
    }
  else
    {
      char format[8];

      g_snprintf (format, sizeof format, "%%.%df", MAX (-exponent, 0));
      g_ascii_formatd (tick.label, sizeof tick.label, format, size);
    }
  g_autofree char *text = g_strconcat (value < 0 && size > 0 ? "−" : "", tick.label, NULL);
  /* Translators: a percentage, with decimals perhaps */
  return self->is_share ? g_strdup_printf (_ ("%s %%"), text) : g_steal_pointer (&text);
}

double
hl_chart_axis_map (const HlChartAxis *self,
                   double             value)
{
  return self->begin + (value - self->min) / (self->max - self->min) * (self->end - self->begin);
}

/* The room to the left of a plot. */
double
hl_chart_axis_measure (const HlChartAxis *self,
                       HlScene           *scene)
{
  const HlTextStyle style = { .size = HL_CHART_TICK_SIZE };
  double width = 0;

  for (guint i = 0; i < hl_chart_axis_get_n_ticks (self); i++)
    {
      g_autofree char *label = hl_chart_axis_format (self, hl_chart_axis_get_tick (self, i));
      width = MAX (width, hl_scene_measure_text (scene, label, &style));
    }
  return ceil (width + PAD + TITLE_PAD + HL_CHART_TITLE_SIZE);
}

/* Upwards: hairlines across the plot, numbers to its left, the title beside these. */
void
hl_chart_axis_draw_values (const HlChartAxis       *self,
                           HlScene                 *scene,
                           const HlSceneFrame      *frame,
                           cairo_t                 *cr,
                           const cairo_rectangle_t *plot,
                           const char              *title)
{
  const HlTextStyle style = { .size = HL_CHART_TICK_SIZE };
  const HlTextStyle title_style = { .size = HL_CHART_TITLE_SIZE, .max_width = MAX (plot->height, 24) };
  const double line = 1 / frame->scale;

  for (guint i = 0; i < hl_chart_axis_get_n_ticks (self); i++)
    {
      const double value = hl_chart_axis_get_tick (self, i);
      const double y = hl_cairo_snap (hl_chart_axis_map (self, value), frame->scale);
      g_autofree char *label = hl_chart_axis_format (self, value);
      const gboolean is_base = i == 0 || fabs (value) < self->step * 1e-6;

      hl_cairo_set_colour (cr, is_base ? &frame->theme->muted : &frame->theme->grid, is_base ? 0.7 : 1);
      cairo_rectangle (cr, plot->x, y - line / 2, plot->width, line);
      cairo_fill (cr);
      hl_scene_write (scene, cr, label, &style, &frame->theme->muted, plot->x - PAD, y, 1);
    }
  if (title == NULL)
    return;
  const HlTextStyle fitted = hl_scene_fit_text (scene, title, &title_style);
  hl_scene_write_upwards (scene, cr, title, &fitted, &frame->theme->foreground,
                          plot->x - hl_chart_axis_measure (self, scene) + HL_CHART_TITLE_SIZE / 2.0,
                          plot->y + plot->height / 2, 0.5);
}

/* The numbers of layers below a plot. */
void
hl_chart_draw_layers (HlScene                 *scene,
                      const HlSceneFrame      *frame,
                      cairo_t                 *cr,
                      const cairo_rectangle_t *plot,
                      guint                    n_layers,
                      gboolean                 with_title)
{
  const HlTextStyle style = { .size = HL_CHART_TICK_SIZE };
  const HlTextStyle title_style = { .size = HL_CHART_TITLE_SIZE, .max_width = MAX (plot->width, 24) };
  const gsize stride = hl_axis_labels_get_stride (hl_chart_get_slot (plot, n_layers), HL_CHART_TICK_SIZE * 2.2);
  const double y = plot->y + plot->height;

  for (guint layer = 0; layer < n_layers; layer += (guint) stride)
    {
      g_autofree char *label = g_strdup_printf ("%u", layer);
      const double x = hl_chart_get_layer_x (plot, n_layers, layer);

      hl_cairo_set_colour (cr, &frame->theme->muted, 0.7);
      cairo_rectangle (cr, hl_cairo_snap (x, frame->scale) - 0.5 / frame->scale, y, 1 / frame->scale, 4);
      cairo_fill (cr);
      hl_scene_write (scene, cr, label, &style, &frame->theme->muted, x, y + 13, 0.5);
    }
  if (with_title)
    /* Translators: title of an axis */
    hl_scene_write (scene, cr, _ ("layer"), &title_style, &frame->theme->foreground, plot->x + plot->width / 2, y + 32,
                    0.5);
}
