/* SPDX-License-Identifier: MIT */
/*
 * Private to the line raster: some rows of pixels, and the cells behind them.
 */
#pragma once

#include "draw/lines/hl-line-grid.h"

G_BEGIN_DECLS

/*
 * Rows of cells that running sums are made of at once: few enough for all their cells to stay in the first cache. A
 * multiple of HL_LINE_PAD.
 */
#define HL_LINE_LANES 32

/* Some rows of pixels, and the cells to make them from. */
typedef struct
{
  guint y;          /* the first row of pixels */
  guint height;     /* how many */
  gint64 first_row; /* the first row of cells: the first where a line can begin and reach into the band */
  gsize n_rows;     /* how many */
  /* cells from one cell of a row to the next: a multiple of HL_LINE_LANES, and HL_LINE_PAD at least more than n_rows */
  gsize stride;
  /* for the upper edge of each pixel, and the lowest edge, the index of the cell before the one that it is in */
  guint32 *cell_before;
  guint32 *cell_within; /* the index of the one that it is in */
  float *fraction;      /* what of that cell is above the edge */
  guint *first_edge;    /* for each HL_LINE_LANES rows of cells, the first edge in them; and one more, the end */
} HlLineBand;

HlLineBand *hl_line_band_new  (const HlLineGrid *grid,
                               guint             y,
                               guint             height);
void        hl_line_band_free (HlLineBand       *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLineBand, hl_line_band_free)

G_END_DECLS
