/* SPDX-License-Identifier: MIT */
/* A rectangle of a heatmap on its way from weights to pixels. */
#include "draw/heatmap/hl-heatmap-region.h"

#include <math.h>
#include <string.h>

#include "draw/paint/hl-cairo.h"
#include "draw/paint/hl-contrast.h"
#include "draw/paint/hl-colour-map.h"
#include "draw/paint/hl-diverging-map.h"
#include "draw/paint/hl-value-cells.h"

/* Of more rows, stripes as lines would be too many. */
#define MAX_STRIPED_ROWS 1024

/* Logical pixels from one stripe to the next. */
#define STRIPE_PITCH 7

typedef enum
{
  KIND_WEIGHT,
  KIND_MASKED,
  KIND_NAN,
} Kind;

gboolean
hl_heatmap_paint_equal (const HlHeatmapPaint *a,
                        const HlHeatmapPaint *b)
{
  return a->map == b->map && a->theme == b->theme && a->scale.kind == b->scale.kind && a->scale.min == b->scale.min &&
         a->scale.max == b->scale.max && a->scale.is_signed == b->scale.is_signed &&
         hl_mask_equal (&a->mask, &b->mask) && a->n_queries == b->n_queries && a->n_keys == b->n_keys &&
         a->hatch == b->hatch;
}

guint32
hl_heatmap_paint_lookup (const HlHeatmapPaint *self,
                         double                position)
{
  return self->scale.is_signed ? hl_diverging_map_lookup (self->theme->dark, 2 * position - 1)
                               : hl_colour_map_lookup (self->map, self->theme->dark, position);
}

/* What is written on that colour. */
HlColour
hl_heatmap_paint_get_ink (const HlHeatmapPaint *self,
                          double                position)
{
  const guint32 pixel = hl_heatmap_paint_lookup (self, position);
  const HlColour ground = { (pixel >> 16 & 0xFF) / 255.0f, (pixel >> 8 & 0xFF) / 255.0f, (pixel & 0xFF) / 255.0f, 1 };

  return hl_contrast_choose_ink (&ground);
}

/*
 * The cells that a pixel shows: one, when cells are not smaller than pixels. The edges of a cell are the nearest
 * between two pixels.
 */
static HlRange
get_cells_of_pixel (double cell,
                    gint64 pixel,
                    gsize  n)
{
  if (cell >= 1)
    return (HlRange){ MIN ((gsize) MAX (0, ceil ((pixel + 0.5) / cell) - 1), n - 1), 1 };

  const gsize first = MIN ((gsize) floor (pixel / cell), n - 1);
  const gsize end = MIN ((gsize) floor ((pixel + 1) / cell), n);
  return (HlRange){ first, end > first ? end - first : 1 };
}

static HlRange
get_cells (double cell,
           gint64 first_pixel,
           gint64 n_pixels,
           gsize  n)
{
  const HlRange first = get_cells_of_pixel (cell, first_pixel, n);
  const HlRange last = get_cells_of_pixel (cell, first_pixel + n_pixels - 1, n);

  return (HlRange){ first.first, last.first + last.n - first.first };
}

HlHeatmapRegion *
hl_heatmap_region_new (HlHeatmapData         *data,
                       const HlHeatmapCell   *cell,
                       const HlHeatmapPixels *pixels)
{
  HlHeatmapRegion *self = g_new0 (HlHeatmapRegion, 1);

  self->data = hl_scene_data_ref (data);
  self->cell = *cell;
  self->pixels = *pixels;
  self->rows = get_cells (cell->height, pixels->y, pixels->height, data->queries.n);
  self->columns = get_cells (cell->width, pixels->x, pixels->width, data->keys.n);
  self->n_rows = cell->height >= 1 ? self->rows.n : MIN ((gsize) pixels->height, self->rows.n);
  self->n_columns = cell->width >= 1 ? self->columns.n : MIN ((gsize) pixels->width, self->columns.n);
  return self;
}

void
hl_heatmap_region_free (HlHeatmapRegion *self)
{
  hl_scene_data_unref (self->data);
  g_free (self->values);
  g_free (self);
}

gboolean
hl_heatmap_region_read (HlHeatmapRegion *self,
                        gboolean         with_data,
                        GCancellable    *cancellable,
                        GError         **error)
{
  const gboolean is_whole = self->rows.n == self->data->queries.n && self->columns.n == self->data->keys.n;
  g_autofree float *values = g_new (float, self->n_rows * self->n_columns);

  if (with_data &&
      !hl_heatmap_data_read (self->data, self->n_rows, self->n_columns, is_whole ? values : NULL, cancellable, error))
    return FALSE;
  if (!(with_data && is_whole) && !hl_heatmap_data_pool (self->data, self->rows, self->columns, self->n_rows,
                                                         self->n_columns, values, cancellable, error))
    return FALSE;
  self->values = g_steal_pointer (&values);
  return TRUE;
}

/* Which row or column of values a pixel shows. */
static gsize
get_value_index (double  cell,
                 gint64  pixel,
                 gint64  first_pixel,
                 HlRange cells,
                 gsize   n_cells,
                 gsize   n_values)
{
  if (cell >= 1)
    return get_cells_of_pixel (cell, pixel, n_cells).first - cells.first;
  return MIN ((gsize) (pixel - first_pixel), n_values - 1);
}

/* The keys that some of the queries of a row of values see; they are one run. */
static void
get_visible (const HlHeatmapRegion *self,
             const HlHeatmapPaint  *paint,
             gsize                  index,
             gsize                 *first,
             gsize                 *end)
{
  const gsize row = self->data->queries.first + self->rows.first + index * self->rows.n / self->n_rows;
  const gsize last = self->data->queries.first + self->rows.first + (index + 1) * self->rows.n / self->n_rows - 1;
  gsize unused;

  hl_mask_get_visible (&paint->mask, paint->n_queries, paint->n_keys, row, first, &unused);
  hl_mask_get_visible (&paint->mask, paint->n_queries, paint->n_keys, last, &unused, end);
}

/* Colours and kinds of one row of values. */
static void
colour_row (const HlHeatmapRegion *self,
            const HlHeatmapPaint  *paint,
            gsize                  index,
            guint32               *colours,
            guint8                *kinds)
{
  const float *values = self->values + index * self->n_columns;
  const gsize row = self->rows.first + index * self->rows.n / self->n_rows;
  const gsize row_end = self->rows.first + (index + 1) * self->rows.n / self->n_rows;
  float row_max = 0;
  gsize first, end;

  for (gsize i = row; i < row_end; i++)
    row_max = MAX (row_max, self->data->row_max[i]);
  hl_value_cells_colour_row (paint->map, paint->theme, &paint->scale, values, self->n_columns, row_max, colours);
  for (gsize j = 0; j < self->n_columns; j++)
    kinds[j] = isnan (values[j]) ? KIND_NAN : hl_weight_is_masked (&paint->mask, values[j]) ? KIND_MASKED : KIND_WEIGHT;
  if (!hl_mask_hides (&paint->mask))
    return;

  /* Of cells that fall together, one that can be seen is enough. */
  get_visible (self, paint, index, &first, &end);
  for (gsize j = 0; j < self->n_columns; j++)
    {
      const gsize key = self->data->keys.first + self->columns.first + j * self->columns.n / self->n_columns;
      const gsize key_end = self->data->keys.first + self->columns.first + (j + 1) * self->columns.n / self->n_columns;
      if (key >= end || key_end <= first)
        kinds[j] = KIND_MASKED;
    }
}

static cairo_surface_t *
paint_pixels (const HlHeatmapRegion *self,
              const HlHeatmapPaint  *paint,
              const HlHeatmapPixels *pixels,
              const HlBlankCells    *blank)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) pixels->width, (int) pixels->height);
  guint8 *target = cairo_image_surface_get_data (surface);
  const int stride = cairo_image_surface_get_stride (surface);
  g_autofree guint32 *colours = g_new (guint32, self->n_columns);
  g_autofree guint8 *kinds = g_new (guint8, self->n_columns);
  g_autofree guint32 *indices = g_new (guint32, pixels->width);
  gsize coloured = G_MAXSIZE;

  g_return_val_if_fail (target != NULL, surface);
  g_assert (self->values != NULL);

  for (gint64 x = 0; x < pixels->width; x++)
    indices[x] = get_value_index (self->cell.width, pixels->x + x, self->pixels.x, self->columns, self->data->keys.n,
                                  self->n_columns);

  for (gint64 y = 0; y < pixels->height; y++)
    {
      const gint64 map_y = pixels->y + y;
      const gsize index =
        get_value_index (self->cell.height, map_y, self->pixels.y, self->rows, self->data->queries.n, self->n_rows);
      guint32 *line = (guint32 *) (target + y * stride);

      if (index != coloured)
        colour_row (self, paint, index, colours, kinds);
      coloured = index;
      for (gint64 x = 0; x < pixels->width; x++)
        {
          const guint32 i = indices[x];
          const guint64 map_x = (guint64) (pixels->x + x);

          if (kinds[i] == KIND_WEIGHT)
            line[x] = colours[i];
          else if (kinds[i] == KIND_MASKED)
            line[x] = hl_blank_cells_get_masked (blank, map_x, (guint64) map_y);
          else
            line[x] = hl_blank_cells_get_nan (blank, map_x, (guint64) map_y);
        }
    }
  cairo_surface_mark_dirty (surface);
  return surface;
}

cairo_surface_t *
hl_heatmap_region_paint (const HlHeatmapRegion *self,
                         const HlHeatmapPaint  *paint,
                         const HlHeatmapPixels *pixels)
{
  const HlBlankCells blank = hl_blank_cells_of (paint->theme, paint->hatch);

  return paint_pixels (self, paint, pixels, &blank);
}

/* The box of a run of cells of a row. */
static void
add_run (cairo_t               *cr,
         const HlHeatmapLayout *layout,
         gsize                  row,
         gsize                  first,
         gsize                  last)
{
  cairo_rectangle_t left, right;

  hl_heatmap_layout_get_cell_box (layout, row, first, &left);
  hl_heatmap_layout_get_cell_box (layout, row, last, &right);
  cairo_rectangle (cr, left.x, left.y, right.x + right.width - left.x, left.height);
}

/* The boxes of runs of single cells of a row that are masked; of a head that is kept. */
static void
add_scattered (cairo_t               *cr,
               const HlHeatmapLayout *layout,
               const HlHeatmapData   *data,
               const HlMask          *mask,
               gsize                  row,
               HlRange                columns)
{
  const float *weights = data->weights + row * data->keys.n;
  const gsize end = columns.first + columns.n;

  for (gsize first = columns.first, next; first < end; first = next + 1)
    {
      for (next = first; next < end && hl_weight_is_masked (mask, weights[next]);)
        next++;
      if (next > first)
        add_run (cr, layout, row, first, next - 1);
    }
}

/* Parallel lines over all cells, that rise or that fall. */
static void
add_stripes (cairo_t                 *cr,
             const cairo_rectangle_t *plot,
             gboolean                 rise)
{
  const double top = plot->y, bottom = plot->y + plot->height;

  for (double x = plot->x - plot->height; x < plot->x + plot->width; x += STRIPE_PITCH)
    {
      cairo_move_to (cr, x, rise ? bottom : top);
      cairo_line_to (cr, x + plot->height, rise ? top : bottom);
    }
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
      if (data->has_masked && data->weights != NULL)
        add_scattered (cr, layout, data, &paint->mask, row, (HlRange){ first, end > first ? end - first : 0 });
    }
  cairo_save (cr);
  cairo_clip (cr);
  hl_cairo_set_colour (cr, &paint->theme->hatch, 1);
  cairo_set_line_width (cr, 0.8);
  add_stripes (cr, plot, TRUE);
  cairo_stroke (cr);
  cairo_restore (cr);
}

/* Whether cells without a number have stripes on paper, too: where a value is that of one cell. */
static gboolean
has_crossed_cells (const HlHeatmapRegion *region)
{
  return region->data->has_nan && region->rows.n <= MAX_STRIPED_ROWS && region->n_rows == region->rows.n &&
         region->n_columns == region->columns.n;
}

/* Stripes that cross over what is no number: as a colour of its own it would be that of a weight in some maps. */
static void
draw_crossed (cairo_t               *cr,
              const HlHeatmapLayout *layout,
              const HlHeatmapRegion *region,
              const HlHeatmapPaint  *paint)
{
  g_autofree guint32 *colours = g_new (guint32, region->n_columns);
  g_autofree guint8 *kinds = g_new (guint8, region->n_columns);

  for (gsize i = 0; i < region->n_rows; i++)
    {
      colour_row (region, paint, i, colours, kinds);
      for (gsize first = 0, next; first < region->n_columns; first = next + 1)
        {
          for (next = first; next < region->n_columns && kinds[next] == KIND_NAN;)
            next++;
          if (next > first)
            add_run (cr, layout, region->rows.first + i, region->columns.first + first,
                     region->columns.first + next - 1);
        }
    }
  cairo_save (cr);
  cairo_clip (cr);
  hl_cairo_set_colour (cr, &paint->theme->muted, 1);
  cairo_set_line_width (cr, 0.8);
  add_stripes (cr, &layout->plot, TRUE);
  add_stripes (cr, &layout->plot, FALSE);
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
draw_shapes (cairo_t               *cr,
             const HlHeatmapLayout *layout,
             const HlHeatmapRegion *region,
             const HlHeatmapPaint  *paint,
             const HlBlankCells    *blank)
{
  g_autoptr (cairo_surface_t) image = paint_pixels (region, paint, &region->pixels, blank);
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
            const HlHeatmapPaint  *paint,
            const HlBlankCells    *blank)
{
  g_autoptr (cairo_surface_t) image = paint_pixels (region, paint, &region->pixels, blank);
  cairo_save (cr);
  cairo_translate (cr, layout->origin_x, layout->origin_y);
  cairo_scale (cr, layout->cell.width / region->cell.width, layout->cell.height / region->cell.height);
  cairo_set_source_surface (cr, image, region->pixels.x, region->pixels.y);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_rectangle (cr, region->pixels.x, region->pixels.y, region->pixels.width, region->pixels.height);
  cairo_fill (cr);
  cairo_restore (cr);
}

/* The cells on paper: shapes, or one image of many. */
void
hl_heatmap_region_draw (const HlHeatmapRegion *region,
                        cairo_t               *cr,
                        const HlHeatmapLayout *layout,
                        const HlHeatmapPaint  *paint,
                        HlRange                rows,
                        HlRange                columns)
{
  /* An image's pixels are cells: stripes of pixels would say something about cells. */
  HlBlankCells blank = hl_blank_cells_of (paint->theme, 0);
  const gboolean crosses = has_crossed_cells (region);

  if (crosses)
    blank.ink = blank.ground;
  if (region->cell.width == 1 && region->cell.height == 1 && rows.n <= HL_HEATMAP_MAX_SHAPES &&
      columns.n <= HL_HEATMAP_MAX_SHAPES)
    draw_shapes (cr, layout, region, paint, &blank);
  else
    draw_image (cr, layout, region, paint, &blank);
  if ((hl_mask_hides (&paint->mask) || region->data->has_masked) && rows.n <= MAX_STRIPED_ROWS)
    draw_hatch (cr, layout, region->data, paint, rows, columns);
  if (crosses)
    draw_crossed (cr, layout, region, paint);
}
