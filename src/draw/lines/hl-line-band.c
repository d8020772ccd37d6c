/* SPDX-License-Identifier: MIT */
/*
 * Finds the cells that lie behind a band of pixels.
 *
 * Cells are stored by their place in the row first: all rows' cell 0, all rows' cell 1 and so on. A
 * diagonal of the matrix has its lines one row apart, so what it adds is contiguous.
 */
#include "draw/lines/hl-line-band.h"

#include <math.h>

static guint32
get_index (const HlLineBand *self,
           const HlLineGrid *grid,
           gint64            cell)
{
  return (guint32) (cell % grid->cells_per_row * self->stride + cell / grid->cells_per_row);
}

HlLineBand *
hl_line_band_new (const HlLineGrid *grid,
                  guint             y,
                  guint             height)
{
  HlLineBand *self = g_new0 (HlLineBand, 1);
  double row = grid->cell * grid->cells_per_row;
  double top = (y - grid->margin - grid->origin) / row;
  double bottom = ((double) y + height - grid->origin) / row;
  gsize n_blocks;

  self->y = y;
  self->height = height;
  self->first_row = (gint64) floor (top) - 1;
  self->n_rows = (gsize) ((gint64) floor (bottom) + 2 - self->first_row);
  n_blocks = self->n_rows / HL_LINE_LANES + 1;
  self->stride = (self->n_rows + HL_LINE_PAD + HL_LINE_LANES - 1) / HL_LINE_LANES * HL_LINE_LANES;
  self->cell_before = g_new (guint32, height + 1);
  self->cell_within = g_new (guint32, height + 1);
  self->fraction = g_new (float, height + 1);
  self->first_edge = g_new0 (guint, n_blocks + 1);

  for (guint k = 0; k <= height; k++)
    {
      double place = ((double) y + k - grid->origin) / grid->cell;
      double cell = floor (place);
      gint64 index = (gint64) cell - self->first_row * grid->cells_per_row;

      self->cell_before[k] = get_index (self, grid, index - 1);
      self->cell_within[k] = get_index (self, grid, index);
      self->fraction[k] = (float) (place - cell);
      self->first_edge[index / grid->cells_per_row / HL_LINE_LANES + 1] = k + 1;
    }
  for (gsize block = 1; block <= n_blocks; block++)
    self->first_edge[block] = MAX (self->first_edge[block], self->first_edge[block - 1]);

  return self;
}

void
hl_line_band_free (HlLineBand *self)
{
  g_free (self->cell_before);
  g_free (self->cell_within);
  g_free (self->fraction);
  g_free (self->first_edge);
  g_free (self);
}
