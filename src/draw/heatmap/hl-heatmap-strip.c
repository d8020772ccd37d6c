/* SPDX-License-Identifier: MIT */
/* A strip of cells beside the map, in the room that margins leave: nothing of the map moves when tokens are gathered. */
#include "draw/heatmap/hl-heatmap-strip.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "draw/scene/hl-scene-write.h"
#include "view/hl-weight-text.h"

#define GAP 4
#define MIN_THICKNESS 8
/* Between the map and the colour bar. */
#define COLUMN_THICKNESS 14
#define LABEL_SIZE 11

/* Of gathered queries or keys; whether there is room for it. */
gboolean
hl_heatmap_strip_get_box (const HlHeatmapLayout *layout,
                          HlSide                 side,
                          cairo_rectangle_t     *box)
{
  const double bottom = layout->plot.y + layout->plot.height;
  const double end = layout->bar_is_flat ? layout->bar.y : layout->height;

  if (side == HL_KEYS)
    *box = (cairo_rectangle_t){ layout->plot.x + layout->plot.width + GAP, layout->plot.y, COLUMN_THICKNESS,
                                layout->plot.height };
  else
    *box = (cairo_rectangle_t){ layout->plot.x, bottom + GAP, layout->plot.width,
                                floor (MIN (MAX (layout->cell.height, MIN_THICKNESS), end - bottom - 2 * GAP)) };
  return box->width >= MIN_THICKNESS && box->height >= MIN_THICKNESS;
}

static double
find_max (const float *values,
          gsize        n,
          gboolean     is_signed)
{
  double max = 0;

  for (gsize i = 0; i < n; i++)
    if (isfinite (values[i]))
      max = MAX (max, is_signed ? fabs (values[i]) : values[i]);
  return max;
}

static void
draw_number (HlScene                 *scene,
             cairo_t                 *cr,
             const HlHeatmapPaint    *paint,
             double                   position,
             double                   value,
             const cairo_rectangle_t *cell)
{
  const HlTextStyle style = { .size = hl_text_size (cell->height * 0.32, 9.5, 13) };
  const HlColour ink = hl_heatmap_paint_get_ink (paint, position);
  char number[HL_WEIGHT_TEXT_SIZE];

  if (fabs (value) < 0.005)
    return;
  hl_weight_text_format_as (value, fabs (value) < 9.995 ? "%.2f" : "%.3g", number);
  hl_scene_write (scene, cr, number, &style, &ink, cell->x + cell->width / 2, cell->y + cell->height / 2, 0.5);
}

static void
draw_label (HlScene                 *scene,
            const HlSceneFrame      *frame,
            cairo_t                 *cr,
            HlSide                   side,
            const cairo_rectangle_t *box)
{
  const HlHeatmapLayout *layout = frame->layout;

  if (side == HL_QUERIES)
    hl_scene_write (scene, cr, C_ ("of queries", "mean"),
                    &(HlTextStyle){ .size = LABEL_SIZE, .max_width = layout->row_label_width },
                    &frame->theme->foreground, layout->plot.x - 6, box->y + box->height / 2, 1);
  else
    hl_scene_write (scene, cr, C_ ("of keys", "sum"), &(HlTextStyle){ .size = LABEL_SIZE }, &frame->theme->foreground,
                    box->x + box->width / 2, box->y + box->height + LABEL_SIZE, 0.5);
}

/* @values are those of all tokens in focus together, one for each that is shown of the other side. */
void
hl_heatmap_strip_draw (HlScene              *scene,
                       const HlSceneFrame   *frame,
                       cairo_t              *cr,
                       const HlHeatmapPaint *paint,
                       const HlHeatmapData  *data,
                       const float          *values)
{
  const HlHeatmapLayout *layout = frame->layout;
  const HlSide side = hl_pick_get_side (frame->focus);
  cairo_rectangle_t box;
  HlRange rows, columns;

  if (!hl_heatmap_strip_get_box (layout, side, &box))
    return;
  hl_heatmap_layout_get_cells (layout, &rows, &columns);
  const HlRange seen = side == HL_QUERIES ? columns : rows;
  const double max = find_max (values, side == HL_QUERIES ? data->keys.n : data->queries.n, data->is_signed);

  cairo_save (cr);
  cairo_rectangle (cr, box.x, box.y, box.width, box.height);
  cairo_clip (cr);
  for (gsize i = seen.first; i < seen.first + seen.n; i++)
    {
      const double position =
        hl_value_scale_map (&paint->scale, values[i], side == HL_QUERIES ? max : data->row_max[i]);
      const guint32 pixel = hl_heatmap_paint_lookup (paint, position);
      cairo_rectangle_t cell;

      if (!isfinite (values[i]))
        continue;
      hl_heatmap_layout_get_cell_box (layout, side == HL_QUERIES ? 0 : i, side == HL_QUERIES ? i : 0, &cell);
      cell = side == HL_QUERIES ? (cairo_rectangle_t){ cell.x, box.y, cell.width, box.height }
                                : (cairo_rectangle_t){ box.x, cell.y, box.width, cell.height };
      cairo_set_source_rgb (cr, (pixel >> 16 & 0xFF) / 255.0, (pixel >> 8 & 0xFF) / 255.0, (pixel & 0xFF) / 255.0);
      cairo_rectangle (cr, cell.x, cell.y, cell.width, cell.height);
      cairo_fill (cr);
      if (cell.width >= 28 && cell.height >= 14)
        draw_number (scene, cr, paint, position, values[i], &cell);
    }
  cairo_restore (cr);
  hl_cairo_set_colour (cr, &frame->theme->grid, 1);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, box.x - 0.5, box.y - 0.5, box.width + 1, box.height + 1);
  cairo_stroke (cr);
  draw_label (scene, frame, cr, side, &box);
}
