/* SPDX-License-Identifier: MIT */
/*
 * Faint lines, summed as logarithms. A box blurred by a box is the second running sum of four
 * numbers, so a line is four additions whatever its width and slope, and a diagonal of lines is
 * four additions of vectors. Then come three running sums over all cells: two that make the
 * profiles, and one whose differences are the integrals over pixels.
 */
#include "draw/lines/hl-line-cells.h"

#include <string.h>

#include "core/base/hl-kernel.h"

/* Adds HL_LINE_PAD units to as many cells, or subtracts them; all but the first `skip`. */
static inline void
add_units (guint32 *restrict       cells,
           const guint32 *restrict units,
           guint                   skip,
           gboolean                positive)
{
  cells = __builtin_assume_aligned (cells, HL_LINE_PAD * sizeof *cells);
#pragma omp simd
  for (guint lane = 0; lane < HL_LINE_PAD; lane++)
    {
      guint32 unit = lane >= skip ? units[lane] : 0;

      cells[lane] += positive ? unit : -unit;
    }
}

/*
 * Adds what begins, or ends, `place` after the begin of the row of each line first to end − 1. Goes
 * by whole, aligned vectors of cells: what hangs over the begin is skipped, what hangs over the end
 * are the zeros behind the diagonal, or falls on the padding between cells.
 */
static inline void
add_diagonal (guint32          *cells,
              const HlLineBand *band,
              const HlDiagonal *diagonal,
              gint64            first,
              gint64            end,
              HlCellPlace       place,
              gboolean          positive)
{
  gint64 row = first + place.rows - band->first_row;
  gint64 end_row = MIN (end + place.rows - band->first_row, (gint64) band->n_rows);
  gint64 aligned = row & ~(gint64) (HL_LINE_PAD - 1);
  const guint32 *units = diagonal->units + (first - (gint64) diagonal->first_query) + (aligned - row);

  if (row >= end_row)
    return;

  cells += place.cells * (gint64) band->stride + aligned;
  add_units (cells, units, (guint) (row - aligned), positive);
  for (gint64 k = HL_LINE_PAD; k < end_row - aligned; k += HL_LINE_PAD)
    add_units (cells + k, units + k, 0, positive);
}

static inline HlCellPlace
add_places (HlCellPlace a,
            HlCellPlace b,
            gint32      per_row)
{
  HlCellPlace sum = { a.rows + b.rows, a.cells + b.cells };

  if (sum.cells >= per_row)
    {
      sum.cells -= per_row;
      sum.rows++;
    }

  return sum;
}

/* Where the profile of a line begins, from the begin of the row of its query. */
static inline HlCellPlace
get_begin (const HlLineShape *shape,
           double             rows,
           gint32             per_row,
           double             row_per_cell)
{
  double cell = rows * per_row - 0.5 * ((double) shape->height + shape->rise - 1.0) + 0.5;
  double row = cell * row_per_cell;
  HlCellPlace begin;

  /* Rounds down; a plain conversion rounds to zero. */
  begin.rows = (gint32) row - (row < (gint32) row);
  begin.cells = (gint32) (cell - (double) begin.rows * per_row);

  /* The product may be off in its last digit. */
  if (begin.cells >= per_row)
    {
      begin.rows++;
      begin.cells = 0;
    }
  begin.cells = MAX (begin.cells, 0);

  return begin;
}

/* Adds what begins and what ends in each cell. */
HL_KERNEL void
hl_line_cells_add_diagonals (guint32          *cells,
                             const HlLineGrid *grid,
                             const HlLineBand *band,
                             const HlLineLoad *load,
                             double            t)
{
  gsize n_diagonals = grid->n_queries + grid->n_keys - 1;
  gint32 per_row = (gint32) grid->cells_per_row;
  double row_per_cell = 1.0 / per_row;

  for (gsize d = 0; d < n_diagonals; d++)
    {
      const HlDiagonal *diagonal = &load->diagonals[d];
      const HlLineShape *shape = &grid->shapes[d];
      HlCellPlace begin, turn, fall, end;
      gint64 first, last;

      if (diagonal->n_lines == 0)
        continue;

      begin =
        get_begin (shape, t * ((double) d - (double) (grid->n_queries - 1) + grid->offset), per_row, row_per_cell);

      /* The lines that begin where they can reach into the band. */
      first = MAX (band->first_row - begin.rows, (gint64) diagonal->first_query);
      last = (gint64) (diagonal->first_query + diagonal->n_lines) - 1;
      if (first > last || first + begin.rows >= band->first_row + (gint64) band->n_rows)
        continue;

      turn = add_places (begin, shape->rise_place, per_row);
      fall = add_places (begin, shape->height_place, per_row);
      end = add_places (turn, shape->height_place, per_row);
      add_diagonal (cells, band, diagonal, first, last + 1, begin, TRUE);
      add_diagonal (cells, band, diagonal, first, last + 1, turn, FALSE);
      add_diagonal (cells, band, diagonal, first, last + 1, fall, FALSE);
      add_diagonal (cells, band, diagonal, first, last + 1, end, TRUE);
    }
}

static inline void
add_unit (guint32          *cells,
          const HlLineBand *band,
          gint64            cell,
          guint32           unit)
{
  gint64 row = cell / HL_LINE_UNEVEN_CELLS_PER_ROW;

  if (row < (gint64) band->n_rows)
    cells[cell % HL_LINE_UNEVEN_CELLS_PER_ROW * (gint64) band->stride + row] += unit;
}

/* Adds what begins and what ends in each cell, where rows are not even. */
void
hl_line_cells_add_faint (guint32          *cells,
                         const HlLineBand *band,
                         const GArray     *faint,
                         float             t)
{
  const HlFaintLine *lines = (const HlFaintLine *) faint->data;
  float origin = (float) (band->first_row * HL_LINE_UNEVEN_CELLS_PER_ROW) - 0.5f;

  for (guint i = 0; i < faint->len; i++)
    {
      const HlFaintLine *line = &lines[i];
      float place = line->y_query + t * (line->y_key - line->y_query) - origin;
      gint64 cell = (gint64) place;

      if (place < 0.0f)
        continue;
      add_unit (cells, band, cell, line->unit);
      add_unit (cells, band, cell + line->rise, -line->unit);
      add_unit (cells, band, cell + line->height, -line->unit);
      add_unit (cells, band, cell + line->rise + line->height, line->unit);
    }
}

/* What a row of cells adds to the three running sums if they begin at 0, for HL_LINE_LANES rows at
 * once. */
HL_KERNEL static void
sum_rows (const guint32 *cells,
          gsize          stride,
          guint          per_row,
          guint32        sums[3][HL_LINE_LANES])
{
  memset (sums, 0, 3 * sizeof *sums);
  for (guint plane = 0; plane < per_row; plane++)
    {
      const guint32 *row = cells + plane * stride;

#pragma omp simd
      for (guint k = 0; k < HL_LINE_LANES; k++)
        {
          sums[0][k] += row[k];
          sums[1][k] += sums[0][k];
          sums[2][k] += sums[1][k];
        }
    }
}

/* Puts the third running sum in each cell. */
HL_KERNEL static void
run_rows (guint32 *cells,
          gsize    stride,
          guint    per_row,
          guint32  sums[3][HL_LINE_LANES])
{
  for (guint plane = 0; plane < per_row; plane++)
    {
      guint32 *row = cells + plane * stride;

#pragma omp simd
      for (guint k = 0; k < HL_LINE_LANES; k++)
        {
          sums[0][k] += row[k];
          sums[1][k] += sums[0][k];
          sums[2][k] += sums[1][k];
          row[k] = sums[2][k];
        }
    }
}

/*
 * Replaces the cells by their third running sum. The rows are first summed side by side, each from
 * 0; what comes before a row then follows from the row before: after m cells, the sums that began
 * as a, b, c have got a, a m + b and a m (m + 1) / 2 + b m + c more.
 */
HL_KERNEL static void
sample_edges (const guint32 *restrict cells,
              const HlLineBand       *band,
              guint                   first,
              guint                   end,
              guint32 *restrict       sums)
{
  const guint32 *before = band->cell_before;
  const guint32 *within = band->cell_within;
  const float *fraction = band->fraction;

#pragma omp simd
  for (guint k = first; k < end; k++)
    {
      guint32 sum = cells[before[k]];

      sums[k] = sum + (guint32) ((float) (cells[within[k]] - sum) * fraction[k]);
    }
}

/* The cells of a band are replaced by their third running sum; edge_sums gets for each edge of a pixel, one more
 * than the band is high, the sum of all that is above it. */
void
hl_line_cells_run (guint32          *cells,
                   const HlLineBand *band,
                   guint             per_row,
                   guint32          *edge_sums)
{
  guint32 m = per_row;
  guint32 triangle = (guint32) ((guint64) m * (m + 1) / 2);
  guint32 a = 0, b = 0, c = 0;

  for (gsize row = 0; row < band->n_rows; row += HL_LINE_LANES)
    {
      gsize block = row / HL_LINE_LANES;
      guint n = (guint) MIN (HL_LINE_LANES, band->n_rows - row);
      guint32 sums[3][HL_LINE_LANES];

      sum_rows (cells + row, band->stride, per_row, sums);
      for (guint k = 0; k < n; k++)
        {
          guint32 next_a = a + sums[0][k];
          guint32 next_b = b + a * m + sums[1][k];
          guint32 next_c = c + b * m + a * triangle + sums[2][k];

          sums[0][k] = a;
          sums[1][k] = b;
          sums[2][k] = c;
          a = next_a;
          b = next_b;
          c = next_c;
        }
      run_rows (cells + row, band->stride, per_row, sums);
      sample_edges (cells, band, band->first_edge[block], band->first_edge[block + 1], edge_sums);
    }
}
