/* SPDX-License-Identifier: MIT */
/* What the colours of a heatmap mean: a bar of them with numbers, and swatches of what is no number. */
#include "draw/heatmap/hl-heatmap-legend.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/paint/hl-cairo.h"
#include "draw/paint/hl-theme.h"
#include "draw/paint/hl-value-scale.h"
#include "draw/scene/hl-scene-write.h"

#define TITLE_SIZE 11
#define TICK_SIZE 10.5
#define SWATCH 12

/* From the least weight to the greatest; alone where there are no swatches below it. */
static void
draw_bar (HlScene              *scene,
          const HlSceneFrame   *frame,
          cairo_t              *cr,
          const HlHeatmapPaint *paint,
          gboolean              is_alone)
{
  const HlHeatmapLayout *layout = frame->layout;
  const HlTheme *theme = paint->theme;
  const cairo_rectangle_t *bar = &layout->bar;
  const HlAttentionSource *source = frame->shown->source;
  const char *title =
    paint->scale.kind == HL_VALUE_SCALE_ROW
      ? (paint->scale.is_signed ? _ ("share of the row’s greatest magnitude") : _ ("share of the row’s maximum"))
    : paint->scale.kind == HL_VALUE_SCALE_CUMULATIVE && !paint->scale.is_signed
      ? _ ("share of the row held by keys no stronger")
      : hl_attention_source_get_quantity ((HlAttentionSource *) source);
  g_autoptr (GArray) ticks = NULL;
  g_autoptr (cairo_pattern_t) gradient = cairo_pattern_create_linear (0, bar->y + bar->height, 0, bar->y);

  for (guint i = 0; i <= 64; i++)
    {
      const guint32 pixel = hl_heatmap_paint_lookup (paint, i / 64.0);
      cairo_pattern_add_color_stop_rgb (gradient, i / 64.0, (pixel >> 16 & 0xFF) / 255.0, (pixel >> 8 & 0xFF) / 255.0,
                                        (pixel & 0xFF) / 255.0);
    }
  cairo_set_source (cr, gradient);
  cairo_rectangle (cr, bar->x, bar->y, bar->width, bar->height);
  cairo_fill (cr);
  hl_cairo_set_colour (cr, &theme->grid, 1);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, bar->x - 0.5, bar->y - 0.5, bar->width + 1, bar->height + 1);
  cairo_stroke (cr);

  ticks = hl_value_scale_make_ticks (&paint->scale, CLAMP ((guint) (bar->height / 28), 2, 8));
  const HlTextStyle tick_style = { .size = TICK_SIZE };
  /* What is longer than the bar goes on below it. */
  const double room = is_alone ? MAX (bar->height, layout->height - bar->y - TITLE_SIZE) : bar->height;
  const HlTextStyle whole_title = { .size = TITLE_SIZE, .max_width = room };
  const HlTextStyle title_style = hl_scene_fit_text (scene, title, &whole_title);
  const double title_length = hl_scene_measure_text (scene, title, &title_style);
  double labels_width = 0;
  for (guint i = 0; i < ticks->len; i++)
    {
      const HlValueTick *tick = &g_array_index (ticks, HlValueTick, i);
      const double y = bar->y + bar->height * (1 - tick->position);

      hl_cairo_set_colour (cr, &theme->muted, 1);
      cairo_rectangle (cr, bar->x + bar->width + 1, hl_cairo_snap (y - 0.5, layout->scale), 4, 1);
      cairo_fill (cr);
      hl_scene_write (scene, cr, tick->label, &tick_style, &theme->muted, bar->x + bar->width + 8, y, 0);
      labels_width = MAX (labels_width, hl_scene_measure_text (scene, tick->label, &tick_style));
    }
  hl_scene_write_upwards (scene, cr, title, &title_style, &theme->muted, bar->x + bar->width + 8 + labels_width + 12,
                          bar->y + MAX (bar->height, title_length) / 2, 0.5);
}

/* Stripes as in the cells, drawn as lines. */
static void
draw_stripes (cairo_t        *cr,
              const HlColour *colour,
              double          x,
              double          y,
              double          size,
              gboolean        both_ways)
{
  cairo_save (cr);
  cairo_rectangle (cr, x, y, size, size);
  cairo_clip (cr);
  hl_cairo_set_colour (cr, colour, 1);
  cairo_set_line_width (cr, 0.8);
  for (double offset = -size; offset < size; offset += 4)
    {
      cairo_move_to (cr, x + offset, y + size);
      cairo_line_to (cr, x + offset + size, y);
      if (both_ways)
        {
          cairo_move_to (cr, x + offset, y);
          cairo_line_to (cr, x + offset + size, y + size);
        }
    }
  cairo_stroke (cr);
  cairo_restore (cr);
}

/* What has no place on the bar. */
static void
draw_swatches (HlScene            *scene,
               const HlSceneFrame *frame,
               cairo_t            *cr,
               gboolean            masked,
               gboolean            nan)
{
  const HlTheme *theme = frame->theme;
  const HlHeatmapLayout *layout = frame->layout;
  const gboolean wanted[] = { masked, nan };
  const HlColour *grounds[] = { &theme->masked, &theme->background };
  const HlColour *stripes[] = { &theme->hatch, &theme->muted };
  /* In a difference, what is no number is mostly what has none to be subtracted from. */
  const gboolean of_two = frame->shown->comparison != NULL;
  const char *names[] = { _ ("masked"), of_two ? _ ("not in both") : _ ("NaN") };
  const double x = layout->bar.x;
  double y = layout->bar.y + layout->bar.height + 16;

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      if (!wanted[i])
        continue;
      hl_cairo_set_colour (cr, grounds[i], 1);
      cairo_rectangle (cr, x, y, SWATCH, SWATCH);
      cairo_fill (cr);
      draw_stripes (cr, stripes[i], x, y, SWATCH, i == 1);
      hl_cairo_set_colour (cr, &theme->grid, 1);
      cairo_set_line_width (cr, 1);
      cairo_rectangle (cr, x - 0.5, y - 0.5, SWATCH + 1, SWATCH + 1);
      cairo_stroke (cr);
      hl_scene_write (scene, cr, names[i], &(HlTextStyle){ .size = TICK_SIZE }, &theme->muted, x + SWATCH + 8,
                      y + SWATCH / 2.0, 0);
      y += SWATCH + 8;
    }
}

/* At the place that the layout has for it. Swatches are of what there is. */
void
hl_heatmap_legend_draw (HlScene              *scene,
                        const HlSceneFrame   *frame,
                        cairo_t              *cr,
                        const HlHeatmapPaint *paint,
                        gboolean              has_masked,
                        gboolean              has_nan)
{
  const gboolean masked = hl_mask_hides (&paint->mask) || has_masked;

  draw_bar (scene, frame, cr, paint, !masked && !has_nan);
  draw_swatches (scene, frame, cr, masked, has_nan);
}
