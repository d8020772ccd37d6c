/* SPDX-License-Identifier: MIT */
/* What the colours of a heatmap mean: a bar of them with numbers, and swatches of what is no number. */
#include "draw/heatmap/hl-heatmap-legend.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/paint/hl-cairo.h"
#include "draw/paint/hl-theme.h"
#include "draw/paint/hl-value-scale.h"
#include "draw/scene/hl-blank.h"
#include "draw/scene/hl-scene-write.h"

#define TITLE_SIZE 11
#define TICK_SIZE 10.5

static const HlTextStyle tick_style = { .size = TICK_SIZE };

static const char *
get_title (const HlSceneFrame   *frame,
           const HlHeatmapPaint *paint)
{
  switch (paint->scale.kind)
    {
    case HL_VALUE_SCALE_ROW:
      return paint->scale.is_signed ? _ ("share of the row’s greatest magnitude") : _ ("share of the row’s maximum");
    case HL_VALUE_SCALE_CUMULATIVE:
      if (paint->scale.is_signed)
        return hl_attention_source_get_quantity (frame->shown->source);
      return hl_attention_is_transposed (frame->shown->attention) ? _ ("share of the row held by queries no stronger")
                                                                  : _ ("share of the row held by keys no stronger");
    default:
      return hl_attention_source_get_quantity (frame->shown->source);
    }
}

/* From the least weight to the greatest, upwards or to the right. */
static void
draw_colours (cairo_t               *cr,
              const HlHeatmapPaint  *paint,
              const HlHeatmapLayout *layout)
{
  const cairo_rectangle_t *bar = &layout->bar;
  g_autoptr (cairo_pattern_t) gradient = layout->bar_is_flat
                                           ? cairo_pattern_create_linear (bar->x, 0, bar->x + bar->width, 0)
                                           : cairo_pattern_create_linear (0, bar->y + bar->height, 0, bar->y);

  for (guint i = 0; i <= 64; i++)
    {
      const guint32 pixel = hl_heatmap_paint_lookup (paint, i / 64.0);
      cairo_pattern_add_color_stop_rgb (gradient, i / 64.0, (pixel >> 16 & 0xFF) / 255.0, (pixel >> 8 & 0xFF) / 255.0,
                                        (pixel & 0xFF) / 255.0);
    }
  cairo_set_source (cr, gradient);
  cairo_rectangle (cr, bar->x, bar->y, bar->width, bar->height);
  cairo_fill (cr);
  hl_cairo_set_colour (cr, &paint->theme->grid, 1);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, bar->x - 0.5, bar->y - 0.5, bar->width + 1, bar->height + 1);
  cairo_stroke (cr);
}

/* Its title is beside the numbers; alone where there are no swatches below it. */
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
  const char *title = get_title (frame, paint);
  g_autoptr (GArray) ticks = hl_value_scale_make_ticks (&paint->scale, CLAMP ((guint) (bar->height / 28), 2, 8));
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

/* Its numbers are below it, and its title below these. */
static void
draw_flat_bar (HlScene              *scene,
               const HlSceneFrame   *frame,
               cairo_t              *cr,
               const HlHeatmapPaint *paint)
{
  const HlHeatmapLayout *layout = frame->layout;
  const HlTheme *theme = paint->theme;
  const cairo_rectangle_t *bar = &layout->bar;
  const double bottom = bar->y + bar->height, middle = bar->x + bar->width / 2;
  const HlTextStyle whole_title = { .size = TITLE_SIZE,
                                    .max_width = 2 * MIN (middle, layout->width - middle) - TITLE_SIZE };
  const char *title = get_title (frame, paint);
  const HlTextStyle title_style = hl_scene_fit_text (scene, title, &whole_title);
  g_autoptr (GArray) ticks = hl_value_scale_make_ticks (&paint->scale, CLAMP ((guint) (bar->width / 48), 2, 8));

  for (guint i = 0; i < ticks->len; i++)
    {
      const HlValueTick *tick = &g_array_index (ticks, HlValueTick, i);
      const double x = bar->x + bar->width * tick->position;

      hl_cairo_set_colour (cr, &theme->muted, 1);
      cairo_rectangle (cr, hl_cairo_snap (x - 0.5, layout->scale), bottom + 1, 1, 4);
      cairo_fill (cr);
      hl_scene_write (scene, cr, tick->label, &tick_style, &theme->muted, x, bottom + 12, 0.5);
    }
  hl_scene_write (scene, cr, title, &title_style, &theme->muted, middle, bottom + 27, 0.5);
}

/* What has no place on the bar. */
static void
draw_blanks (HlScene            *scene,
             const HlSceneFrame *frame,
             cairo_t            *cr,
             const gboolean      wanted[HL_N_BLANKS])
{
  const HlHeatmapLayout *layout = frame->layout;
  double x = layout->bar.x;
  double y = layout->bar.y + layout->bar.height + (layout->bar_is_flat ? 37 : 16);

  for (HlBlank blank = 0; blank < HL_N_BLANKS; blank++)
    {
      if (!wanted[blank])
        continue;
      const double width = hl_blank_draw_legend (blank, scene, frame, cr, x, y);
      if (layout->bar_is_flat)
        x += width + 16;
      else
        y += HL_BLANK_SWATCH + 8;
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

  draw_colours (cr, paint, frame->layout);
  if (((const HlHeatmapLayout *) frame->layout)->bar_is_flat)
    draw_flat_bar (scene, frame, cr, paint);
  else
    draw_bar (scene, frame, cr, paint, !masked && !has_nan);
  draw_blanks (scene, frame, cr, (const gboolean[]){ [HL_BLANK_MASKED] = masked, [HL_BLANK_NAN] = has_nan });
}
