/* SPDX-License-Identifier: MIT */
/*
 * The pixels of a heatmap, kept as tiles: of the present zoom, and as long as there is room of others, which are
 * stretched to stand in for tiles that are being made.
 */
#include "draw/heatmap/hl-heatmap-tiles.h"

#include <string.h>

#include "core/base/hl-lru-cache.h"

#define MAX_BYTES (64 * 1024 * 1024)
#define TILE_BYTES (HL_HEATMAP_TILE * HL_HEATMAP_TILE * 4)

struct _HlHeatmapTiles
{
  const HlHeatmapData *data;
  HlHeatmapPaint paint;
  HlLruCache tiles; /* of cairo_surface_t; a group is a zoom */
  /* Device pixels of a cell when last nothing was missing; zeros for never. */
  HlHeatmapCell last_cell;
  /* Tiles in view, which must stay however many there are. */
  guint n_seen;
};

HlHeatmapTiles *
hl_heatmap_tiles_new (void)
{
  HlHeatmapTiles *self = g_new0 (HlHeatmapTiles, 1);

  self->tiles = (HlLruCache) HL_LRU_CACHE_INIT (MAX_BYTES, (GDestroyNotify) cairo_surface_destroy);
  return self;
}

void
hl_heatmap_tiles_free (HlHeatmapTiles *self)
{
  hl_lru_cache_clear (&self->tiles);
  g_free (self);
}

gboolean
hl_heatmap_tiles_are_of (HlHeatmapTiles       *self,
                         const HlHeatmapData  *data,
                         const HlHeatmapPaint *paint)
{
  return self->data == data && hl_heatmap_paint_equal (&self->paint, paint);
}

/* Drops all tiles; those added from now on are of these weights. */
void
hl_heatmap_tiles_reset (HlHeatmapTiles       *self,
                        const HlHeatmapData  *data,
                        const HlHeatmapPaint *paint)
{
  hl_lru_cache_clear (&self->tiles);
  self->data = data;
  self->paint = *paint;
  self->last_cell = (HlHeatmapCell){ 0, 0 };
}

/* The pixels in view, widened to whole tiles but not beyond the map; may be empty. */
HlHeatmapPixels
hl_heatmap_tiles_get_seen (const HlHeatmapLayout *layout)
{
  const double scale = layout->scale;
  const gint64 all_x = (gint64) ceil (layout->keys.n * layout->cell.width * scale - 1e-6);
  const gint64 all_y = (gint64) ceil (layout->queries.n * layout->cell.height * scale - 1e-6);
  const gint64 x = (gint64) floor ((layout->plot.x - layout->origin_x) * scale + 0.5);
  const gint64 y = (gint64) floor ((layout->plot.y - layout->origin_y) * scale + 0.5);
  const gint64 end_x = MIN (all_x, x + (gint64) ceil (layout->plot.width * scale));
  const gint64 end_y = MIN (all_y, y + (gint64) ceil (layout->plot.height * scale));
  HlHeatmapPixels seen;

  seen.x = MAX (0, x) / HL_HEATMAP_TILE * HL_HEATMAP_TILE;
  seen.y = MAX (0, y) / HL_HEATMAP_TILE * HL_HEATMAP_TILE;
  seen.width = MIN (all_x, (end_x + HL_HEATMAP_TILE - 1) / HL_HEATMAP_TILE * HL_HEATMAP_TILE) - seen.x;
  seen.height = MIN (all_y, (end_y + HL_HEATMAP_TILE - 1) / HL_HEATMAP_TILE * HL_HEATMAP_TILE) - seen.y;
  seen.width = MAX (0, seen.width);
  seen.height = MAX (0, seen.height);
  return seen;
}

/* Device pixels of a cell now. */
static HlHeatmapCell
get_cell (const HlHeatmapLayout *layout)
{
  return (HlHeatmapCell){ layout->cell.width * layout->scale, layout->cell.height * layout->scale };
}

/* Of each size of cells another number: both sides, bit by bit, the second one stirred so that they do not cancel out. */
static guint64
get_group (const HlHeatmapCell *cell)
{
  guint64 width, height;

  G_STATIC_ASSERT (sizeof width == sizeof cell->width);
  memcpy (&width, &cell->width, sizeof width);
  memcpy (&height, &cell->height, sizeof height);
  return width ^ height * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
}

static guint64
get_index (gint64 column,
           gint64 row)
{
  return (guint64) row << 32 | (guint64) column;
}

static cairo_surface_t *
find (HlHeatmapTiles      *self,
      const HlHeatmapCell *cell,
      gint64               column,
      gint64               row)
{
  return hl_lru_cache_get (&self->tiles, get_group (cell), get_index (column, row));
}

/* The smallest rectangle, in whole tiles, with all pixels that are in view and not there. */
gboolean
hl_heatmap_tiles_get_missing (HlHeatmapTiles        *self,
                              const HlHeatmapLayout *layout,
                              HlHeatmapPixels       *missing)
{
  const HlHeatmapPixels seen = hl_heatmap_tiles_get_seen (layout);
  const HlHeatmapCell cell = get_cell (layout);
  gint64 left = G_MAXINT64, top = G_MAXINT64, right = -1, bottom = -1;

  self->n_seen = (guint) (((seen.width + HL_HEATMAP_TILE - 1) / HL_HEATMAP_TILE) *
                          ((seen.height + HL_HEATMAP_TILE - 1) / HL_HEATMAP_TILE));
  for (gint64 y = seen.y; y < seen.y + seen.height; y += HL_HEATMAP_TILE)
    for (gint64 x = seen.x; x < seen.x + seen.width; x += HL_HEATMAP_TILE)
      if (find (self, &cell, x / HL_HEATMAP_TILE, y / HL_HEATMAP_TILE) == NULL)
        {
          left = MIN (left, x);
          top = MIN (top, y);
          right = MAX (right, MIN (x + HL_HEATMAP_TILE, seen.x + seen.width));
          bottom = MAX (bottom, MIN (y + HL_HEATMAP_TILE, seen.y + seen.height));
        }
  if (right < 0)
    return FALSE;
  *missing = (HlHeatmapPixels){ left, top, right - left, bottom - top };
  return TRUE;
}

static cairo_surface_t *
copy_columns (cairo_surface_t *strip,
              int              x,
              int              width)
{
  const int height = cairo_image_surface_get_height (strip);
  const guint8 *source = cairo_image_surface_get_data (strip);
  cairo_surface_t *tile = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  guint8 *target = cairo_image_surface_get_data (tile);

  for (int y = 0; y < height; y++)
    memcpy (target + y * cairo_image_surface_get_stride (tile),
            source + y * cairo_image_surface_get_stride (strip) + x * sizeof (guint32), width * sizeof (guint32));
  cairo_surface_mark_dirty (tile);
  return tile;
}

/* Makes the tiles of a region, row by row, on whatever thread. */
GPtrArray *
hl_heatmap_tiles_cut (const HlHeatmapRegion *region,
                      const HlHeatmapPaint  *paint,
                      GCancellable          *cancellable)
{
  g_autoptr (GPtrArray) surfaces = g_ptr_array_new_with_free_func ((GDestroyNotify) cairo_surface_destroy);

  for (gint64 y = 0; y < region->pixels.height; y += HL_HEATMAP_TILE)
    {
      const HlHeatmapPixels pixels = { region->pixels.x, region->pixels.y + y, region->pixels.width,
                                       MIN (HL_HEATMAP_TILE, region->pixels.height - y) };
      g_autoptr (cairo_surface_t) strip = NULL;

      if (g_cancellable_is_cancelled (cancellable))
        return NULL;
      /* A row of weights is coloured once for all tiles that it runs through. */
      strip = hl_heatmap_region_paint (region, paint, &pixels);
      for (gint64 x = 0; x < region->pixels.width; x += HL_HEATMAP_TILE)
        g_ptr_array_add (surfaces,
                         copy_columns (strip, (int) x, (int) MIN (HL_HEATMAP_TILE, region->pixels.width - x)));
    }
  return g_steal_pointer (&surfaces);
}

void
hl_heatmap_tiles_add (HlHeatmapTiles        *self,
                      const HlHeatmapRegion *region,
                      GPtrArray             *surfaces)
{
  guint i = 0;

  self->tiles.budget = MAX (MAX_BYTES, (gsize) self->n_seen * TILE_BYTES);
  for (gint64 y = 0; y < region->pixels.height; y += HL_HEATMAP_TILE)
    for (gint64 x = 0; x < region->pixels.width; x += HL_HEATMAP_TILE)
      hl_lru_cache_add (&self->tiles, get_group (&region->cell),
                        get_index ((region->pixels.x + x) / HL_HEATMAP_TILE, (region->pixels.y + y) / HL_HEATMAP_TILE),
                        cairo_surface_reference (g_ptr_array_index (surfaces, i++)), TILE_BYTES);
}

/* @stretch: device pixels now for one of the tile, in each direction */
static void
paint_tile (cairo_surface_t       *tile,
            gint64                 column,
            gint64                 row,
            const HlHeatmapLayout *layout,
            const HlHeatmapCell   *stretch,
            cairo_t               *cr)
{
  cairo_save (cr);
  cairo_translate (cr, layout->origin_x, layout->origin_y);
  cairo_scale (cr, stretch->width / layout->scale, stretch->height / layout->scale);
  cairo_set_source_surface (cr, tile, column * HL_HEATMAP_TILE, row * HL_HEATMAP_TILE);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  /* Stretched, the edges of tiles would be half transparent. */
  cairo_pattern_set_extend (cairo_get_source (cr), CAIRO_EXTEND_PAD);
  cairo_rectangle (cr, column * HL_HEATMAP_TILE, row * HL_HEATMAP_TILE, cairo_image_surface_get_width (tile),
                   cairo_image_surface_get_height (tile));
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  cairo_fill (cr);
  cairo_restore (cr);
}

static void
paint_level (HlHeatmapTiles        *self,
             const HlHeatmapLayout *layout,
             const HlHeatmapCell   *cell,
             cairo_t               *cr)
{
  /* As if the layout had this zoom: the same part of the map, in pixels of the tiles. */
  const HlHeatmapCell now = get_cell (layout), stretch = { now.width / cell->width, now.height / cell->height };
  const double left = MAX (0, (layout->plot.x - layout->origin_x) * layout->scale / stretch.width);
  const double top = MAX (0, (layout->plot.y - layout->origin_y) * layout->scale / stretch.height);
  const gint64 first_column = (gint64) (left / HL_HEATMAP_TILE);
  const gint64 first_row = (gint64) (top / HL_HEATMAP_TILE);
  const gint64 last_column = (gint64) ((left + layout->plot.width * layout->scale / stretch.width) / HL_HEATMAP_TILE);
  const gint64 last_row = (gint64) ((top + layout->plot.height * layout->scale / stretch.height) / HL_HEATMAP_TILE);

  /* Much finer tiles in their thousands would cost more than the few that are missing. */
  if ((last_column - first_column + 1) * (last_row - first_row + 1) > 2 * MAX_BYTES / TILE_BYTES)
    return;
  for (gint64 row = first_row; row <= last_row; row++)
    for (gint64 column = first_column; column <= last_column; column++)
      {
        cairo_surface_t *tile = find (self, cell, column, row);
        if (tile != NULL)
          paint_tile (tile, column, row, layout, &stretch, cr);
      }
}

/* Paints the pixels that are there; where they are missing, those of the last zoom that was complete. */
void
hl_heatmap_tiles_paint (HlHeatmapTiles        *self,
                        const HlHeatmapLayout *layout,
                        cairo_t               *cr)
{
  const HlHeatmapCell cell = get_cell (layout);
  HlHeatmapPixels missing;

  cairo_save (cr);
  cairo_rectangle (cr, layout->plot.x, layout->plot.y, layout->plot.width, layout->plot.height);
  cairo_clip (cr);
  if (!hl_heatmap_tiles_get_missing (self, layout, &missing))
    self->last_cell = cell;
  else if (self->last_cell.width > 0 && !hl_heatmap_cell_equal (&self->last_cell, &cell))
    paint_level (self, layout, &self->last_cell, cr);
  paint_level (self, layout, &cell, cr);
  cairo_restore (cr);
}
