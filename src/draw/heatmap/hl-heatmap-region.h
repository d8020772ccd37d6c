/* SPDX-License-Identifier: MIT */
/* A rectangle of a heatmap on its way from weights to pixels. */
#pragma once

#include <cairo.h>

#include "draw/heatmap/hl-heatmap-data.h"
#include "draw/heatmap/hl-heatmap-layout.h"
#include "draw/paint/hl-theme.h"
#include "draw/paint/hl-value-scale.h"

G_BEGIN_DECLS

/**
 * HlHeatmapPaint:
 * @map: the colour map; of numbers that have a sign, the diverging one in its place
 * @theme: the colours that are not data
 * @scale: how weights become places on the map
 * @mask: which cells are masked
 * @n_queries: of the attention, which @mask counts in
 * @n_keys: likewise
 * @hatch: device pixels from one stripe of masked cells to the next; 0 for no stripes
 *
 * How weights look.
 */
typedef struct
{
  HlColourMap    map;
  const HlTheme *theme;
  HlValueScale   scale;
  HlMask         mask;
  gsize          n_queries;
  gsize          n_keys;
  guint          hatch;
} HlHeatmapPaint;

/**
 * HlHeatmapPixels:
 * @x: columns of pixels left of it
 * @y: rows of pixels above it
 * @width: how many
 * @height: how many
 *
 * Device pixels of the whole map at some zoom; the first cell begins at 0.
 */
typedef struct
{
  gint64 x;
  gint64 y;
  gint64 width;
  gint64 height;
} HlHeatmapPixels;

/**
 * HlHeatmapRegion:
 * @data: whose weights
 * @cell: device pixels a cell takes
 * @pixels: which pixels it can paint
 * @rows: the rows of cells that these show
 * @columns: likewise of columns
 * @n_rows: rows of @values: those of cells, or of pixels if cells are smaller
 * @n_columns: likewise of columns
 * @values: (nullable): n_rows × n_columns weights once read
 *
 * The weights behind a rectangle of pixels.
 */
typedef struct
{
  HlHeatmapData   *data;
  double           cell;
  HlHeatmapPixels  pixels;
  HlRange          rows;
  HlRange          columns;
  gsize            n_rows;
  gsize            n_columns;
  float           *values;
} HlHeatmapRegion;

gboolean         hl_heatmap_paint_equal  (const HlHeatmapPaint   *a,
                                          const HlHeatmapPaint   *b);
guint32          hl_heatmap_paint_lookup (const HlHeatmapPaint   *self,
                                          double                  position);

HlHeatmapRegion *hl_heatmap_region_new   (HlHeatmapData          *data,
                                          double                  cell,
                                          const HlHeatmapPixels  *pixels);
void             hl_heatmap_region_free  (HlHeatmapRegion        *self);
gboolean         hl_heatmap_region_read  (HlHeatmapRegion        *self,
                                          gboolean                with_data,
                                          GCancellable           *cancellable,
                                          GError                **error);
cairo_surface_t *hl_heatmap_region_paint (const HlHeatmapRegion  *self,
                                          const HlHeatmapPaint   *paint,
                                          const HlHeatmapPixels  *pixels);
void             hl_heatmap_region_draw  (const HlHeatmapRegion  *region,
                                          cairo_t                *cr,
                                          const HlHeatmapLayout  *layout,
                                          const HlHeatmapPaint   *paint,
                                          HlRange                 rows,
                                          HlRange                 columns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlHeatmapRegion, hl_heatmap_region_free)

G_END_DECLS
