/* SPDX-License-Identifier: MIT */
/*
 * Private to the line raster: sums the faint lines of a layer in the cells of a column of pixels.
 */
#pragma once

#include "draw/lines/hl-line-band.h"
#include "draw/lines/hl-line-load.h"

G_BEGIN_DECLS

void hl_line_cells_add_diagonals (guint32          *cells,
                                  const HlLineGrid *grid,
                                  const HlLineBand *band,
                                  const HlLineLoad *load,
                                  double            t);
void hl_line_cells_add_faint     (guint32          *cells,
                                  const HlLineBand *band,
                                  const GArray     *faint,
                                  float             t);
void hl_line_cells_run           (guint32          *cells,
                                  const HlLineBand *band,
                                  guint             per_row,
                                  guint32          *edge_sums);

G_END_DECLS
