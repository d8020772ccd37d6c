/* SPDX-License-Identifier: MIT */
/* A rectangle of a heatmap on its way from weights to pixels. */
#pragma once

#include <cairo.h>

#include "draw/heatmap/hl-heatmap-data.h"
#include "draw/heatmap/hl-heatmap-layout.h"
#include "draw/paint/hl-theme.h"
#include "draw/paint/hl-value-scale.h"

G_BEGIN_DECLS

/* On paper up to so many rows and columns are shapes of their own; more are an image. */
#define HL_HEATMAP_MAX_SHAPES 64

/* How weights look. */
typedef struct
{
  HlColourMap    map;       /* the colour map; of numbers that have a sign, the diverging one in its place */
  const HlTheme *theme;     /* the colours that are not data */
  HlValueScale   scale;     /* how weights become places on the map */
  HlMask         mask;      /* which cells are masked */
  gsize          n_queries; /* of the attention, which mask counts in */
  gsize          n_keys;    /* likewise */
  guint          hatch;     /* device pixels from one stripe of masked cells to the next; 0 for no stripes */
} HlHeatmapPaint;

/* Device pixels of the whole map at some zoom; the first cell begins at 0. */
typedef struct
{
  gint64 x;      /* columns of pixels left of it */
  gint64 y;      /* rows of pixels above it */
  gint64 width;  /* how many */
  gint64 height; /* how many */
} HlHeatmapPixels;

/* The weights behind a rectangle of pixels. */
typedef struct
{
  HlHeatmapData   *data;      /* whose weights */
  HlHeatmapCell    cell;      /* device pixels a cell takes */
  HlHeatmapPixels  pixels;    /* which pixels it can paint */
  HlRange          rows;      /* the rows of cells that these show */
  HlRange          columns;   /* likewise of columns */
  gsize            n_rows;    /* rows of values: those of cells, or of pixels if cells are smaller */
  gsize            n_columns; /* likewise of columns */
  float           *values;    /* n_rows × n_columns weights once read; may be NULL */
} HlHeatmapRegion;

gboolean         hl_heatmap_paint_equal  (const HlHeatmapPaint   *a,
                                          const HlHeatmapPaint   *b);
guint32          hl_heatmap_paint_lookup (const HlHeatmapPaint   *self,
                                          double                  position);
HlColour         hl_heatmap_paint_get_ink       (const HlHeatmapPaint   *self,
                                                 double                  position);

HlHeatmapRegion *hl_heatmap_region_new   (HlHeatmapData          *data,
                                          const HlHeatmapCell    *cell,
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
