/* SPDX-License-Identifier: MIT */
/*
 * Private to the line raster: where lines run, in pixels, and the cells that a column of pixels is
 * cut into.
 *
 * Faint lines are gathered in cells finer than a pixel. A cell is a whole fraction of the distance
 * between rows of tokens, so that the lines of one diagonal of the matrix (those that are parallel
 * to one another) all stand in the same place relative to their row: `cells_per_row` apart, cell
 * for cell.
 */
#pragma once

#include <math.h>

#include "draw/lines/hl-line-raster.h"

G_BEGIN_DECLS

/*
 * Units are added so many at a time. Before and behind the units of each diagonal there are as many more. Those
 * behind are 0.
 */
#define HL_LINE_PAD 16

/*
 * When rows of tokens are not evenly spaced, a row is just so many cells. Any number would do; this is quick to
 * divide by.
 */
#define HL_LINE_UNEVEN_CELLS_PER_ROW 64

/* A distance in cells. */
typedef struct
{
  gint32 rows;  /* whole rows of cells, rounded down */
  gint32 cells; /* and cells, 0 to one less than a row has */
} HlCellPlace;

/* The profile of a line in a column of pixels: a box of height blurred by a box of rise. */
typedef struct
{
  guint32 height;           /* cells that a line covers at one abscissa, at least 1 */
  guint32 rise;             /* cells that it climbs or falls within one column of pixels, at least 1 */
  HlCellPlace height_place; /* height, by rows */
  HlCellPlace rise_place;   /* rise, by rows */
  float gain;               /* what makes up for the rounding of height: the exact height / height */
} HlLineShape;

/* Columns of pixels, whole ones but for where lines begin and end. */
typedef struct
{
  double left;  /* where they begin */
  double right; /* and end */
} HlLineSpan;

/* Where lines run. */
typedef struct
{
  double x_query;  /* abscissa of the left ends, pixels of the surface */
  double x_key;    /* abscissa of the right ends */
  HlLineSpan span; /* the part that is drawn */
  double *y_query; /* ordinates of the left ends */
  gsize n_queries;
  double *y_key; /* ordinates of the right ends */
  gsize n_keys;
  double line_width; /* pixels */

  gboolean even;       /* whether both sides have the same constant distance from row to row */
  double origin;       /* the ordinate where row 0 of the cells begins: if even, that of query 0 */
  double offset;       /* if even, rows from query 0 to key 0 (any number, not only a whole one) */
  double cell;         /* pixels a cell */
  guint cells_per_row; /* cells a row; if not even, a row is just so many cells */
  double margin;       /* pixels above a window from where a line can still reach into it */
  /* if even, the profiles of the n_queries + n_keys − 1 diagonals: that of line (i, j) is number j − i + n_queries −
   * 1 */
  HlLineShape *shapes;
} HlLineGrid;

HlLineGrid *hl_line_grid_new (const HlLineGeometry *geometry,
                              double                scale,
                              double                x_offset,
                              double                y_offset,
                              const HlLineSpan     *span);
void hl_line_grid_free (HlLineGrid *self);

HlLineShape hl_line_grid_get_shape (const HlLineGrid *self, double slope);

static inline double
hl_line_grid_get_slope (const HlLineGrid *self, gsize query, gsize key)
{
  return (self->y_key[key] - self->y_query[query]) / (self->x_key - self->x_query);
}

/* How many pixels a line of that slope covers in a column of pixels, from its first to its last. */
static inline double
hl_line_grid_get_extent (const HlLineGrid *self, double slope)
{
  return self->line_width * sqrt (1.0 + slope * slope) + fabs (slope);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLineGrid, hl_line_grid_free)

G_END_DECLS
