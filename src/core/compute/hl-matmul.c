/* SPDX-License-Identifier: MIT */
/*
 * Products of matrices. The columns of the right factor are dealt out to the threads in panels of 32. A thread brings as many of its
 * panels as fit in its cache into the order in which they are used, which also widens 16-bit numbers, and multiplies all rows of the
 * left factor by them. So the right factor is read once, and nothing of it is kept, unless its panels are made beforehand.
 */
#include "core/compute/hl-matmul.h"

#include <omp.h>
#include <string.h>

/* Products of fewer multiplications are done sooner than a second thread wakes. */
#define MIN_PARALLEL (1 << 16)

/* Numbers of the panels that a thread packs at a time: what a cache of its own holds. */
#define GROUP_SIZE (1 << 16)

/* What all threads know of a product. */
typedef struct
{
  const HlTile *tile;
  gsize m;
  gsize n;
  gsize k;
  const float *a;
  gsize a_stride;
  const HlFactor *b;
  float *c;
  gsize c_stride;
  gsize group; /* panels packed at a time */
} Product;

/* One tile of the result; the last panel may be wider than what is left of it. */
static void
multiply_tile (const Product *self,
               gsize          row,
               gsize          end_row,
               gsize          column,
               const float   *panel)
{
  const float *a = self->a + row * self->a_stride;
  float *c = self->c + row * self->c_stride + column;
  const gsize n_columns = self->n - column;
  float rest[HL_TILE_MAX_ROWS * HL_TILE_COLUMNS];

  if (n_columns >= HL_TILE_COLUMNS)
    {
      self->tile->multiply (end_row - row, self->k, a, self->a_stride, panel, HL_TILE_COLUMNS, c,
                            self->c_stride);
      return;
    }
  self->tile->multiply (end_row - row, self->k, a, self->a_stride, panel, HL_TILE_COLUMNS, rest,
                        HL_TILE_COLUMNS);
  for (gsize i = 0; i < end_row - row; i++)
    memcpy (c + i * self->c_stride, rest + i * HL_TILE_COLUMNS, n_columns * sizeof (float));
}

/* The rows and panels of one thread. */
static void
multiply_part (const Product *self,
               gsize          first_row,
               gsize          end_row,
               gsize          first_panel,
               gsize          end_panel,
               float         *room)
{
  const gsize n_rows = end_row - first_row;
  const gsize n_blocks = (n_rows + self->tile->n_rows - 1) / self->tile->n_rows;
  const gsize panel_size = self->k * HL_TILE_COLUMNS;

  for (gsize panel = first_panel; panel < end_panel; panel += self->group)
    {
      const gsize end = MIN (panel + self->group, end_panel);
      const float *panels = self->b->panels != NULL ? self->b->panels + panel * panel_size : room;

      for (gsize i = panel; self->b->panels == NULL && i < end; i++)
        hl_factor_pack_panel (self->b, self->n, self->k, i * HL_TILE_COLUMNS,
                              room + self->group * panel_size, room + (i - panel) * panel_size);
      for (gsize block = 0; block < n_blocks; block++)
        for (gsize i = panel; i < end; i++)
          multiply_tile (self, first_row + n_rows * block / n_blocks,
                         first_row + n_rows * (block + 1) / n_blocks, i * HL_TILE_COLUMNS,
                         panels + (i - panel) * panel_size);
    }
}

/**
 * hl_matmul:
 * @m: rows of @a and @c
 * @n: columns of @c
 * @k: columns of @a
 * @a: [m, k]
 * @a_stride: numbers from one row to the next
 * @b: [k, n]
 * @c: (out caller-allocates): [m, n]
 * @c_stride: as @a_stride
 * @scratch: memory to work in
 *
 * c = a · b in float32. Uses all threads, or one when called from a parallel region.
 */
void
hl_matmul (gsize           m,
           gsize           n,
           gsize           k,
           const float    *a,
           gsize           a_stride,
           const HlFactor *b,
           float          *c,
           gsize           c_stride,
           HlScratch      *scratch)
{
  Product product = { hl_tile_get (0), m, n, k, a, a_stride, b, c, c_stride, 1 };
  const gsize n_panels = (n + HL_TILE_COLUMNS - 1) / HL_TILE_COLUMNS;
  const gsize panel_size = MAX (k, 1) * HL_TILE_COLUMNS;
  const gboolean alone = m * n * k < MIN_PARALLEL || omp_in_parallel ();
  const gsize n_threads = alone ? 1 : (gsize) omp_get_max_threads ();

  if (m == 0 || n == 0)
    return;
  /* More threads than panels share the rows too. */
  const gsize n_column_parts = MIN (n_threads, n_panels);
  const gsize n_row_parts =
    CLAMP (n_threads / n_column_parts, 1, (m + product.tile->n_rows - 1) / product.tile->n_rows);
  const gsize n_parts = n_row_parts * n_column_parts;
  const gsize most = (n_panels + n_column_parts - 1) / n_column_parts;
  const gsize fitting = MAX (GROUP_SIZE / panel_size, 1);
  const gsize n_groups = (most + fitting - 1) / fitting;
  product.group = (most + n_groups - 1) / n_groups;
  const gsize room_size = (product.group + (hl_factor_is_plain (b) ? 0 : 1)) * panel_size;
  float *room = b->panels == NULL ? hl_scratch_get (scratch, n_parts * room_size) : NULL;

#pragma omp parallel for schedule(static, 1) num_threads(n_parts) if (n_parts > 1)
  for (gsize i = 0; i < n_parts; i++)
    {
      const gsize row = i / n_column_parts, column = i % n_column_parts;

      multiply_part (&product, m * row / n_row_parts, m * (row + 1) / n_row_parts,
                     n_panels * column / n_column_parts, n_panels * (column + 1) / n_column_parts,
                     room != NULL ? room + i * room_size : NULL);
    }
}
