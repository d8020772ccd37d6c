/* SPDX-License-Identifier: MIT */
/*
 * The lines of a head view: one from every query on the left to every key on the right, as opaque
 * as the weight between them. As pixels (hl_line_raster_draw(), all lines, fast) and as strokes
 * (hl_line_raster_stroke(), for SVG and PDF); both make the same picture.
 */
#pragma once

#include "draw/paint/hl-colour.h"

#include <cairo.h>
#include <gio/gio.h>

G_BEGIN_DECLS

/* Where lines run, in user units of the surface or context they are drawn to. Line (i, j) goes from (x_query,
 * y_query[i]) to (x_key, y_key[j]). Drawing pixels is several times faster when the queries and the keys have one
 * and the same constant distance from row to row (each side may begin anywhere). */
typedef struct
{
  double x_query;        /* the abscissa where lines begin */
  double x_key;          /* the abscissa where lines end; greater than x_query */
  const double *y_query; /* the ordinate of each query, finite, in any order */
  gsize n_queries;       /* how many queries */
  const double *y_key;   /* the ordinate of each key, finite, in any order */
  gsize n_keys;          /* how many keys */
  double line_width;     /* the width of a line, measured across it; greater than 0 */
  /* of how many columns of pixels one is drawn, into a surface that is so much narrower; 0 as 1. For pixels only */
  guint column_step;
  gboolean curved; /* whether lines are level where they begin and end, as hl_line_ease() has it, rather than straight */
} HlLineGeometry;

/* How far a curved line has come from its query to its key, 0 to 1, where a straight one would be at @t: a cubic Bézier of which the control
 * points lie at a third and at two thirds, as high as the ends. */
static inline double
hl_line_ease (double t)
{
  return t * t * (3 - 2 * t);
}

/* The lines of one head. */
typedef struct
{
  /* n_queries × n_keys weights, the keys of a query next to each other. Below 0 and NaN count as 0 */
  const float *weights;
  gsize row_stride; /* floats from one query's weights to the next's; at least n_keys */
  /* the colour of the lines; the opacity of line (i, j) is its weight × the colour's alpha, at most 1: an alpha above 1
   * makes lines stronger than their weights */
  HlColour colour;
} HlLineLayer;

/* Bytes that drawing pixels takes for each line above 0 where queries and keys have not one distance from row to row. */
#define HL_LINE_RASTER_UNEVEN_BYTES 20

gboolean hl_line_raster_draw (cairo_surface_t *surface,
                              const HlLineGeometry *geometry,
                              const HlLineLayer *layers,
                              gsize n_layers,
                              GCancellable *cancellable,
                              GError **error);

void hl_line_geometry_trace (const HlLineGeometry *self, cairo_t *cr, gsize query, gsize key);

gsize hl_line_raster_count (const HlLineGeometry *geometry, const HlLineLayer *layers, gsize n_layers, double min_alpha);

gboolean hl_line_raster_stroke (cairo_t *cr,
                                const HlLineGeometry *geometry,
                                const HlLineLayer *layers,
                                gsize n_layers,
                                double min_alpha,
                                gsize *n_left_out,
                                GCancellable *cancellable,
                                GError **error);

G_END_DECLS
