/* SPDX-License-Identifier: MIT */
/* A rectangle of a heatmap on its way from weights to pixels. */
#include "draw/heatmap/hl-heatmap-region.h"

#include <math.h>
#include <string.h>

#include "draw/paint/hl-cairo.h"
#include "draw/paint/hl-colour-map.h"
#include "draw/paint/hl-diverging-map.h"
#include "draw/paint/hl-value-scale.h"

typedef enum
{
  KIND_WEIGHT,
  KIND_MASKED,
  KIND_NAN,
} Kind;

/**
 * hl_heatmap_paint_equal:
 * @a: a paint
 * @b: another
 *
 * Returns: whether both make the same pixels of the same weights
 */
gboolean
hl_heatmap_paint_equal (const HlHeatmapPaint *a,
                        const HlHeatmapPaint *b)
{
  return a->map == b->map && a->theme == b->theme && a->scale.kind == b->scale.kind && a->scale.min == b->scale.min &&
         a->scale.max == b->scale.max && a->scale.is_signed == b->scale.is_signed && a->mask.causal == b->mask.causal &&
         a->mask.window == b->mask.window && a->mask.transposed == b->mask.transposed &&
         a->n_queries == b->n_queries && a->n_keys == b->n_keys && a->hatch == b->hatch;
}

/**
 * hl_heatmap_paint_lookup:
 * @self: a paint
 * @position: a place on its scale, 0 to 1
 *
 * Returns: the colour there, as hl_colour_map_lookup() gives it
 */
guint32
hl_heatmap_paint_lookup (const HlHeatmapPaint *self,
                         double                position)
{
  return self->scale.is_signed ? hl_diverging_map_lookup (self->theme->dark, 2 * position - 1)
                               : hl_colour_map_lookup (self->map, self->theme->dark, position);
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

/**
 * hl_heatmap_region_new:
 * @data: whose weights; not empty
 * @cell: device pixels a cell takes
 * @pixels: which pixels it is to paint; not empty
 *
 * Returns: (transfer full): a region without values
 */
HlHeatmapRegion *
hl_heatmap_region_new (HlHeatmapData         *data,
                       double                 cell,
                       const HlHeatmapPixels *pixels)
{
  HlHeatmapRegion *self = g_new0 (HlHeatmapRegion, 1);

  self->data = hl_scene_data_ref (data);
  self->cell = cell;
  self->pixels = *pixels;
  self->rows = get_cells (cell, pixels->y, pixels->height, data->queries.n);
  self->columns = get_cells (cell, pixels->x, pixels->width, data->keys.n);
  self->n_rows = cell >= 1 ? self->rows.n : MIN ((gsize) pixels->height, self->rows.n);
  self->n_columns = cell >= 1 ? self->columns.n : MIN ((gsize) pixels->width, self->columns.n);
  return self;
}

/**
 * hl_heatmap_region_free:
 * @self: (transfer full): a region
 */
void
hl_heatmap_region_free (HlHeatmapRegion *self)
{
  hl_scene_data_unref (self->data);
  g_free (self->values);
  g_free (self);
}

/**
 * hl_heatmap_region_read:
 * @self: a region without values
 * @with_data: whether its data has no numbers yet and must be read too
 * @cancellable: (nullable): stops it
 * @error: what the source says, or %G_IO_ERROR_CANCELLED
 *
 * Returns: whether its values are there
 */
gboolean
hl_heatmap_region_read (HlHeatmapRegion  *self,
                        gboolean          with_data,
                        GCancellable     *cancellable,
                        GError          **error)
{
  const gboolean is_whole = self->rows.n == self->data->queries.n && self->columns.n == self->data->keys.n;
  g_autofree float *values = g_new (float, self->n_rows * self->n_columns);

  if (with_data && !hl_heatmap_data_read (self->data, self->n_rows, self->n_columns, is_whole ? values : NULL,
                                          cancellable, error))
    return FALSE;
  if (!(with_data && is_whole) &&
      !hl_heatmap_data_pool (self->data, self->rows, self->columns, self->n_rows, self->n_columns, values, cancellable,
                             error))
    return FALSE;
  self->values = g_steal_pointer (&values);
  return TRUE;
}

/* Which row or column of values a pixel shows. */
static gsize
get_value_index (const HlHeatmapRegion *self,
                 gint64                 pixel,
                 gint64                 first_pixel,
                 HlRange                cells,
                 gsize                  n_cells,
                 gsize                  n_values)
{
  if (self->cell >= 1)
    return get_cells_of_pixel (self->cell, pixel, n_cells).first - cells.first;
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
            float                 *positions,
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
  hl_value_scale_map_row (&paint->scale, values, self->n_columns, row_max, positions);
  if (paint->scale.is_signed)
    hl_diverging_map_fill_row (paint->theme->dark, positions, self->n_columns, colours);
  else
    hl_colour_map_fill_row (paint->map, paint->theme->dark, positions, self->n_columns, colours);

  for (gsize j = 0; j < self->n_columns; j++)
    kinds[j] = isnan (values[j]) ? KIND_NAN : KIND_WEIGHT;
  if (!paint->mask.causal)
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

static guint32
to_pixel (const HlColour *colour)
{
  return 0xFF000000u | (guint32) lround (colour->r * 255) << 16 | (guint32) lround (colour->g * 255) << 8 |
         (guint32) lround (colour->b * 255);
}

/**
 * hl_heatmap_region_paint:
 * @self: a region that was read
 * @paint: how weights look
 * @pixels: which pixels; inside those of the region
 *
 * Returns: (transfer full): the pixels, opaque
 */
cairo_surface_t *
hl_heatmap_region_paint (const HlHeatmapRegion *self,
                         const HlHeatmapPaint  *paint,
                         const HlHeatmapPixels *pixels)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) pixels->width, (int) pixels->height);
  guint8 *target = cairo_image_surface_get_data (surface);
  const int stride = cairo_image_surface_get_stride (surface);
  g_autofree float *positions = g_new (float, self->n_columns);
  g_autofree guint32 *colours = g_new (guint32, self->n_columns);
  g_autofree guint8 *kinds = g_new (guint8, self->n_columns);
  g_autofree guint32 *indices = g_new (guint32, pixels->width);
  const guint32 masked = to_pixel (&paint->theme->masked);
  const guint32 hatch = to_pixel (&paint->theme->hatch);
  const guint32 background = to_pixel (&paint->theme->background);
  const guint32 ink = to_pixel (&paint->theme->muted);
  const guint period = paint->hatch > 0 ? paint->hatch : G_MAXINT;
  const guint thickness = paint->hatch / 6;
  gsize coloured = G_MAXSIZE;

  g_return_val_if_fail (target != NULL, surface);
  g_assert (self->values != NULL);

  for (gint64 x = 0; x < pixels->width; x++)
    indices[x] =
      get_value_index (self, pixels->x + x, self->pixels.x, self->columns, self->data->keys.n, self->n_columns);

  for (gint64 y = 0; y < pixels->height; y++)
    {
      const gint64 map_y = pixels->y + y;
      const gsize index =
        get_value_index (self, map_y, self->pixels.y, self->rows, self->data->queries.n, self->n_rows);
      guint32 *line = (guint32 *) (target + y * stride);

      if (index != coloured)
        colour_row (self, paint, index, positions, colours, kinds);
      coloured = index;
      for (gint64 x = 0; x < pixels->width; x++)
        {
          const guint32 i = indices[x];
          const guint64 map_x = (guint64) (pixels->x + x);

          if (kinds[i] == KIND_WEIGHT)
            line[x] = colours[i];
          else if (kinds[i] == KIND_MASKED)
            line[x] = paint->hatch > 0 && (map_x + map_y) % period < thickness ? hatch : masked;
          else
            line[x] = paint->hatch == 0 || (map_x + map_y) % period < thickness ||
                          (map_x + (guint64) period * map_y - map_y) % period < thickness
                        ? ink
                        : background;
        }
    }
  cairo_surface_mark_dirty (surface);
  return surface;
}
