/* SPDX-License-Identifier: MIT */
/*
 * The cells of a heatmap: tiles on a screen, shapes or one image on paper, and the numbers in cells that are large
 * enough.
 */
#include "draw/heatmap/hl-heatmap-private.h"

#include "draw/paint/hl-value-scale.h"
#include "draw/scene/hl-scene-write.h"
#include "view/hl-weight-text.h"

/* On paper up to so many rows and columns are shapes of their own; more are an image. */
#define MAX_SHAPES 64

static HlColour
get_ink_on (guint32 pixel)
{
  const double r = (pixel >> 16 & 0xFF) / 255.0;
  const double g = (pixel >> 8 & 0xFF) / 255.0;
  const double b = (pixel & 0xFF) / 255.0;

  return 0.2126 * r * r + 0.7152 * g * g + 0.0722 * b * b > 0.26 ? (HlColour){ 0.08, 0.08, 0.08, 1 }
                                                                 : (HlColour){ 1, 1, 1, 1 };
}

static gboolean
is_masked (const HlHeatmapData  *data,
           const HlHeatmapPaint *paint,
           gsize                 row,
           gsize                 column)
{
  return !hl_mask_is_visible (&paint->mask, paint->n_queries, paint->n_keys, data->queries.first + row,
                              data->keys.first + column);
}

static void
draw_numbers (HlHeatmapScene        *self,
              cairo_t               *cr,
              const HlHeatmapLayout *layout,
              const HlHeatmapData   *data,
              const HlHeatmapPaint  *paint,
              HlRange                rows,
              HlRange                columns)
{
  const HlTextStyle style = { .size = hl_text_size (layout->cell * 0.32, 9.5, 13) };

  for (gsize row = rows.first; row < rows.first + rows.n; row++)
    for (gsize column = columns.first; column < columns.first + columns.n; column++)
      {
        char number[HL_WEIGHT_TEXT_SIZE];
        cairo_rectangle_t box;
        float weight;

        if (is_masked (data, paint, row, column) || !hl_heatmap_scene_get_weight (self, data, row, column, &weight) ||
            isnan (weight))
          continue;
        /* Two digits are what a cell has room for; those that would read 0.00 are what the colour says they are. */
        if (fabsf (weight) < 0.005f)
          continue;
        g_ascii_formatd (number, sizeof number, fabsf (weight) < 9.995f ? "%.2f" : "%.3g", weight);

        const double position = hl_value_scale_map (&paint->scale, weight, data->row_max[row]);
        const HlColour ink = get_ink_on (hl_heatmap_paint_lookup (paint, position));
        hl_heatmap_layout_get_cell_box (layout, row, column, &box);
        hl_scene_write (HL_SCENE (self), cr, number, &style, &ink, box.x + box.width / 2, box.y + box.height / 2, 0.5);
      }
}

/* Where one text of a pair ends and the other begins. */
static void
draw_divider (HlHeatmapScene        *self,
              cairo_t               *cr,
              const HlHeatmapLayout *layout,
              const HlTheme         *theme)
{
  const gsize b =
    hl_attention_get_sentence_b_start (hl_view_state_get_shown_attention (hl_scene_get_state (HL_SCENE (self))));
  const gsize row = b - layout->queries.first;
  const gsize column = b - layout->keys.first;
  cairo_rectangle_t box;

  if (b == 0 || layout->cell < 3)
    return;
  hl_heatmap_layout_get_cell_box (layout, row, column, &box);
  hl_cairo_set_colour (cr, &theme->background, 1);
  if (b > layout->queries.first && row < layout->queries.n)
    cairo_rectangle (cr, layout->plot.x, box.y - 1, layout->plot.width, 2);
  if (b > layout->keys.first && column < layout->keys.n)
    cairo_rectangle (cr, box.x - 1, layout->plot.y, 2, layout->plot.height);
  cairo_fill (cr);
}

/* Stripes over what is masked, as lines, since the pixels of an image on paper are cells. */
static void
draw_hatch (cairo_t               *cr,
            const HlHeatmapLayout *layout,
            const HlHeatmapData   *data,
            const HlHeatmapPaint  *paint,
            HlRange                rows,
            HlRange                columns)
{
  const cairo_rectangle_t *plot = &layout->plot;
  const HlRange seen = { columns.first, columns.n };

  for (gsize row = rows.first; row < rows.first + rows.n; row++)
    {
      gsize first, end;
      cairo_rectangle_t left, right;

      hl_mask_get_visible (&paint->mask, paint->n_queries, paint->n_keys, data->queries.first + row, &first, &end);
      first = CLAMP (first, data->keys.first + seen.first, data->keys.first + seen.first + seen.n) - data->keys.first;
      end = CLAMP (end, data->keys.first + first, data->keys.first + seen.first + seen.n) - data->keys.first;
      hl_heatmap_layout_get_cell_box (layout, row, first, &left);
      hl_heatmap_layout_get_cell_box (layout, row, end, &right);
      if (first > seen.first)
        cairo_rectangle (cr, plot->x, left.y, left.x - plot->x, left.height);
      if (end < seen.first + seen.n)
        cairo_rectangle (cr, right.x, right.y, plot->x + plot->width - right.x, right.height);
    }
  cairo_save (cr);
  cairo_clip (cr);
  hl_cairo_set_colour (cr, &paint->theme->hatch, 1);
  cairo_set_line_width (cr, 0.8);
  for (double offset = -plot->height; offset < plot->width; offset += 7)
    {
      cairo_move_to (cr, plot->x + offset, plot->y + plot->height);
      cairo_line_to (cr, plot->x + offset + plot->height, plot->y);
    }
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
draw_shapes (cairo_t               *cr,
             const HlHeatmapLayout *layout,
             const HlHeatmapRegion *region,
             const HlHeatmapPaint  *paint)
{
  g_autoptr (cairo_surface_t) image = hl_heatmap_region_paint (region, paint, &region->pixels);
  const guint8 *data = cairo_image_surface_get_data (image);
  const int stride = cairo_image_surface_get_stride (image);

  for (gsize i = 0; i < region->rows.n; i++)
    for (gsize j = 0; j < region->columns.n; j++)
      {
        const guint32 pixel = ((const guint32 *) (data + i * stride))[j];
        cairo_rectangle_t box, next;

        hl_heatmap_layout_get_cell_box (layout, region->rows.first + i, region->columns.first + j, &box);
        next = box;
        /* Under the neighbours that follow, so that no paper shines through the seams. */
        if (j + 1 < region->columns.n)
          next.width += 0.5;
        if (i + 1 < region->rows.n)
          next.height += 0.5;
        cairo_set_source_rgb (cr, (pixel >> 16 & 0xFF) / 255.0, (pixel >> 8 & 0xFF) / 255.0, (pixel & 0xFF) / 255.0);
        cairo_rectangle (cr, next.x, next.y, next.width, next.height);
        cairo_fill (cr);
      }
}

static void
draw_image (cairo_t               *cr,
            const HlHeatmapLayout *layout,
            const HlHeatmapRegion *region,
            const HlHeatmapPaint  *paint)
{
  g_autoptr (cairo_surface_t) image = hl_heatmap_region_paint (region, paint, &region->pixels);
  const double stretch = layout->cell / region->cell;

  cairo_save (cr);
  cairo_translate (cr, layout->origin_x, layout->origin_y);
  cairo_scale (cr, stretch, stretch);
  cairo_set_source_surface (cr, image, region->pixels.x, region->pixels.y);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_rectangle (cr, region->pixels.x, region->pixels.y, region->pixels.width, region->pixels.height);
  cairo_fill (cr);
  cairo_restore (cr);
}

static void
draw_on_paper (HlHeatmapScene        *self,
               cairo_t               *cr,
               const HlHeatmapLayout *layout,
               const HlHeatmapData   *data,
               const HlHeatmapPaint  *paint,
               HlRange                rows,
               HlRange                columns)
{
  HlHeatmapPaint flat = *paint;

  /* An image's pixels are cells: stripes of pixels would say something about cells. */
  flat.hatch = 0;
  if (self->region == NULL || self->region->data != data)
    return;
  if (self->region->cell == 1 && rows.n <= MAX_SHAPES && columns.n <= MAX_SHAPES)
    draw_shapes (cr, layout, self->region, &flat);
  else
    draw_image (cr, layout, self->region, &flat);
  if (paint->mask.causal && rows.n <= 1024)
    draw_hatch (cr, layout, data, paint, rows, columns);
}

/**
 * hl_heatmap_scene_draw_picture: (skip)
 * @scene: a heatmap
 * @cr: where to
 */
void
hl_heatmap_scene_draw_picture (HlScene *scene,
                               cairo_t *cr)
{
  HlHeatmapScene *self = HL_HEATMAP_SCENE (scene);
  const HlHeatmapLayout layout = hl_heatmap_scene_get_layout (self);
  const HlHeatmapData *data = hl_heatmap_scene_get_data (self);
  HlHeatmapLayout straight;
  HlRange rows, columns;

  if (data == NULL || layout.queries.n == 0 || layout.keys.n == 0)
    return;

  const HlHeatmapPaint paint = hl_heatmap_scene_get_paint (self, data);
  hl_heatmap_layout_get_cells (&layout, &rows, &columns);
  cairo_rectangle (cr, layout.plot.x, layout.plot.y, layout.plot.width, layout.plot.height);
  cairo_clip (cr);
  cairo_save (cr);
  hl_heatmap_layout_enter (&layout, &straight, cr);
  if (hl_scene_get_vector (scene))
    draw_on_paper (self, cr, &straight, data, &paint, rows, columns);
  else
    hl_heatmap_tiles_paint (self->tiles, &straight, cr);
  draw_divider (self, cr, &straight, paint.theme);
  cairo_restore (cr);
  if (layout.cell >= HL_HEATMAP_MIN_NUMBER_CELL)
    draw_numbers (self, cr, &layout, data, &paint, rows, columns);
}
