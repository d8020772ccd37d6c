/* SPDX-License-Identifier: MIT */
/*
 * What a model view tells of the numbers of heads: names over them while they are sorted, frames, and what frames mean.
 */
#include "draw/model-view/hl-model-view-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/paint/hl-cairo.h"
#include "draw/paint/hl-colour-map.h"
#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-scene-write.h"

#define LEGEND_SIZE 11
#define LEGEND_WIDTH 120
#define LEGEND_HEIGHT 9
#define LEGEND_GAP 8
#define N_STEPS 16
/* Between a head's name and its number, at least. */
#define MIN_SPACE 3
/* Wide thumbnails say which number is the layer's. */
#define MIN_WIDTH_OF_LETTERS 92

static HlColour
get_tint_colour (HlModelViewScene *self,
                 double            tint)
{
  const guint32 pixel =
    hl_colour_map_lookup (HL_COLOUR_MAP_PAPER, hl_view_state_get_options (hl_scene_get_state (HL_SCENE (self)))->dark, tint);

  return (HlColour){ (float) (pixel >> 16 & 0xff) / 255, (float) (pixel >> 8 & 0xff) / 255,
                     (float) (pixel & 0xff) / 255, 1 };
}

/**
 * hl_model_view_scene_draw_tints: (skip)
 * @self: a model view
 * @cr: where to
 * @layout: where everything is
 *
 * Draws what stands out around thumbnails, as far as numbers are known.
 */
void
hl_model_view_scene_draw_tints (HlModelViewScene        *self,
                                cairo_t                 *cr,
                                const HlModelViewLayout *layout)
{
  HlRange rows, columns;

  if (layout->mat <= 0)
    return;
  hl_model_view_layout_get_seen (layout, &rows, &columns);
  /* Lines are seen through. */
  cairo_set_fill_rule (cr, CAIRO_FILL_RULE_EVEN_ODD);
  for (gsize row = rows.first; row < rows.first + rows.n; row++)
    for (gsize column = columns.first; column < columns.first + columns.n; column++)
      {
        guint layer, head;
        cairo_rectangle_t box;
        double tint;

        if (!hl_model_view_layout_get_map (layout, row, column, &layer, &head) ||
            !hl_model_view_order_get_tint (&self->order, layer, head, &tint))
          continue;
        const HlColour colour = get_tint_colour (self, tint);
        hl_model_view_layout_get_box (layout, layer, head, &box);
        hl_cairo_set_colour (cr, &colour, 1);
        cairo_rectangle (cr, box.x - layout->mat, box.y - layout->mat, box.width + 2 * layout->mat,
                         box.height + 2 * layout->mat);
        cairo_rectangle (cr, box.x, box.y, box.width, box.height);
        cairo_fill (cr);
      }
}

static void
draw_name (HlModelViewScene        *self,
           cairo_t                 *cr,
           const HlModelViewLayout *layout,
           guint                    layer,
           guint                    head)
{
  const HlTheme *theme = hl_theme_get (hl_view_state_get_options (hl_scene_get_state (HL_SCENE (self)))->dark);
  const HlTextStyle style = { .size = layout->label_size, .bold = TRUE };
  const HlTextStyle plain = { .size = layout->label_size };
  HlHeadNumbers *numbers = self->order.numbers;
  const guint index = hl_head_numbers_get_index (numbers, layer, head);
  /* Translators: layer and head, very short; without the letters where there is less room */
  g_autofree char *name =
    g_strdup_printf (layout->pitch_x >= MIN_WIDTH_OF_LETTERS ? _ ("L%u·H%u") : "%u·%u", layer, head);
  g_autofree char *number =
    hl_model_view_format_measure (self->order.sort, hl_head_numbers_get (numbers, self->order.sort, index));
  cairo_rectangle_t box;

  hl_model_view_layout_get_box (layout, layer, head, &box);
  const double y = box.y - layout->mat - layout->strip / 2;
  const double left = box.x - layout->mat;
  const double width = box.width + 2 * layout->mat;
  hl_scene_write (HL_SCENE (self), cr, name, &style, &theme->foreground, left, y, 0);
  if (hl_scene_measure_text (HL_SCENE (self), name, &style) + hl_scene_measure_text (HL_SCENE (self), number, &plain) +
        MIN_SPACE <= width)
    hl_scene_write (HL_SCENE (self), cr, number, &plain, &theme->muted, left + width, y, 1);
}

/**
 * hl_model_view_scene_draw_names: (skip)
 * @self: a model view that is sorted
 * @cr: where to
 * @layout: where everything is
 *
 * Writes over each thumbnail which layer and head it is, and the number that gave it its place.
 */
void
hl_model_view_scene_draw_names (HlModelViewScene        *self,
                                cairo_t                 *cr,
                                const HlModelViewLayout *layout)
{
  HlRange rows, columns;

  hl_model_view_layout_get_seen (layout, &rows, &columns);
  cairo_save (cr);
  cairo_rectangle (cr, layout->plot.x - 1, layout->plot.y - 1, layout->plot.width + 2, layout->plot.height + 2);
  cairo_clip (cr);
  for (gsize row = rows.first; row < rows.first + rows.n; row++)
    for (gsize column = columns.first; column < columns.first + columns.n; column++)
      {
        guint layer, head;

        if (hl_model_view_layout_get_map (layout, row, column, &layer, &head))
          draw_name (self, cr, layout, layer, head);
      }
  cairo_restore (cr);
}

/**
 * hl_model_view_scene_draw_legend: (skip)
 * @self: a model view
 * @cr: where to
 * @layout: where everything is
 *
 * Says what the frames mean: the number, its least and its greatest value, and the colours between.
 */
void
hl_model_view_scene_draw_legend (HlModelViewScene        *self,
                                 cairo_t                 *cr,
                                 const HlModelViewLayout *layout)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  const HlTheme *theme = hl_theme_get (hl_view_state_get_options (state)->dark);
  const HlTextStyle style = { .size = LEGEND_SIZE };
  const HlModelViewOrder *order = &self->order;

  if (layout->mat <= 0 || order->numbers == NULL)
    return;
  const char *label = hl_head_measure_get_label (order->colour_by);
  g_autofree char *min = hl_model_view_format_measure (order->colour_by, order->min);
  g_autofree char *max = hl_model_view_format_measure (order->colour_by, order->max);
  const double widths[] = { hl_scene_measure_text (HL_SCENE (self), label, &style),
                            hl_scene_measure_text (HL_SCENE (self), min, &style),
                            hl_scene_measure_text (HL_SCENE (self), max, &style) };
  const double y = layout->legend_y;
  double x = (layout->width - widths[0] - widths[1] - widths[2] - LEGEND_WIDTH - 3 * LEGEND_GAP) / 2;

  hl_scene_write (HL_SCENE (self), cr, label, &style, &theme->foreground, x, y, 0);
  x += widths[0] + LEGEND_GAP;
  hl_scene_write (HL_SCENE (self), cr, min, &style, &theme->muted, x, y, 0);
  x = hl_cairo_snap (x + widths[1] + LEGEND_GAP, layout->scale);

  const double top = hl_cairo_snap (y - LEGEND_HEIGHT / 2.0, layout->scale);
  g_autoptr (cairo_pattern_t) pattern = cairo_pattern_create_linear (x, 0, x + LEGEND_WIDTH, 0);
  for (guint i = 0; i <= N_STEPS; i++)
    {
      const HlColour colour = get_tint_colour (self, (double) i / N_STEPS);
      cairo_pattern_add_color_stop_rgb (pattern, (double) i / N_STEPS, colour.r, colour.g, colour.b);
    }
  cairo_rectangle (cr, x, top, LEGEND_WIDTH, LEGEND_HEIGHT);
  cairo_set_source (cr, pattern);
  cairo_fill_preserve (cr);
  hl_cairo_set_colour (cr, &theme->grid, 1);
  cairo_set_line_width (cr, 1 / layout->scale);
  cairo_stroke (cr);
  hl_scene_write (HL_SCENE (self), cr, max, &style, &theme->muted, x + LEGEND_WIDTH + LEGEND_GAP, y, 0);
}
