/* SPDX-License-Identifier: MIT */
/*
 * Works out columns. What shows through a layer is the product of (1 − opacity × coverage) over its
 * lines, in any order: of the strong ones it is multiplied up, of the faint ones their logarithms
 * are summed.
 */
#include "draw/lines/hl-line-column.h"

#include <string.h>

#include "core/base/hl-kernel.h"
#include "draw/lines/hl-line-cells.h"
#include "draw/lines/hl-line-crowd.h"
#include "draw/lines/hl-line-strong.h"

struct _HlLineColumn
{
  guint32 *cells;
  gsize n_cells;
  guint32 *sums;
  float *through; /* HL_LINE_STRONG_STEP more at either end */
  gsize n_through;
};

HlLineColumn *
hl_line_column_new (void)
{
  return g_new0 (HlLineColumn, 1);
}

void
hl_line_column_free (HlLineColumn *self)
{
  g_aligned_free (self->cells);
  g_free (self->sums);
  g_free (self->through);
  g_free (self);
}

static void
make_room (HlLineColumn *self,
           gsize         n_cells,
           gsize         n_pixels)
{
  gsize n_through = n_pixels + 2 * HL_LINE_STRONG_STEP;

  if (n_cells > self->n_cells)
    {
      g_aligned_free (self->cells);
      self->cells = g_aligned_alloc (n_cells, sizeof *self->cells, HL_LINE_PAD * sizeof *self->cells);
      self->n_cells = n_cells;
    }
  if (n_through > self->n_through)
    {
      g_free (self->sums);
      self->sums = g_new (guint32, n_through);
      g_free (self->through);
      self->through = g_new (float, n_through);
      self->n_through = n_through;
    }
}

/*
 * e^−x for x ≥ 0, to 1 part in 10⁵, a hundredth of a step of 255: a polynomial for e^(−x / 16),
 * which is then squared four times. No bits are looked at, so that it can be vectorised.
 */
static inline float
exp_negative (float x)
{
  float u = (x < 16.0f ? x : 16.0f) * (1.0f / 16.0f);
  float root = 1.0f - u * (0.99997836f - u * (0.49968519f - u * (0.16516849f - u * (0.03850128f - u * 0.00516064f))));

  root *= root;
  root *= root;
  root *= root;

  return root * root;
}

/* What shows through the faint lines. */
HL_KERNEL static void
see_through (const guint32 *restrict edge_sums,
             float                   factor,
             float *restrict         through,
             guint                   n)
{
#pragma omp simd
  for (guint k = 0; k < n; k++)
    through[k] = exp_negative ((float) (edge_sums[k + 1] - edge_sums[k]) * factor);
}

/*
 * For each pixel of the band 0 (nothing shows through the lines of the layer) to 1 (all); good until the next call.
 */
const float *
hl_line_column_run (HlLineColumn     *self,
                    const HlLineGrid *grid,
                    const HlLineBand *band,
                    const HlLineLoad *load,
                    int               x)
{
  gsize n_cells = band->stride * grid->cells_per_row;
  double left = MAX ((double) x, grid->span.left);
  double right = MIN (x + 1.0, grid->span.right);
  double part = right - left;
  double t = ((left + right) / 2.0 - grid->x_query) / (grid->x_key - grid->x_query);
  float *through;

  g_return_val_if_fail (part > 0.0, NULL);

  make_room (self, n_cells, band->height);
  memset (self->cells, 0, n_cells * sizeof *self->cells);
  through = self->through + HL_LINE_STRONG_STEP;

  if (grid->even)
    hl_line_cells_add_diagonals (self->cells, grid, band, load, t);
  else
    hl_line_cells_add_faint (self->cells, band, load->faint, (float) t);
  hl_line_cells_run (self->cells, band, grid->cells_per_row, self->sums);
  see_through (self->sums, (float) (load->unit * part), through, band->height);
  if (load->crowd != NULL)
    hl_line_crowd_multiply (grid, load, band, t, (float) part, through);
  else
    hl_line_strong_multiply ((const HlStrongLine *) load->strong->data, load->strong->len, band, t, (float) part,
                             through);

  return through;
}
