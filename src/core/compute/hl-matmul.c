/* SPDX-License-Identifier: MIT */
/*
 * Products of matrices. The columns of the right factor are dealt out to the threads in groups of panels of 32, as many as fit in the
 * cache. A thread brings a group into the order in which it is used, which also widens 16-bit numbers, and multiplies all rows of the
 * left factor by it. So the right factor is read once, and nothing of it is kept, unless its panels are made beforehand.
 */
#include "core/compute/hl-matmul.h"

#include "core/base/block/hl-block.h"
#include "core/base/hl-limits.h"
#include "core/compute/hl-block-loops.h"
#include "core/compute/hl-block-product.h"
#include "core/compute/hl-few-rows.h"

#include <omp.h>
#include <stdint.h>
#include <string.h>

/* Returns whether its numbers are float32 that can be read where they are. */
static gboolean
hl_factor_is_plain (const HlFactor *self)
{
  return self->dtype == HL_DTYPE_F32 && self->data != NULL && (uintptr_t) self->data % sizeof (float) == 0;
}

static const guint8 *
get_row (const HlFactor *self,
         gsize           row)
{
  return (const guint8 *) self->data + row * hl_dtype_get_row_size (self->dtype, self->stride);
}

/* The panel of numbers that only their tensor can read. What cannot be read is zero: whoever has the file finds that out. */
static void
pack_unread (const HlFactor *self,
             gsize           n_columns,
             gsize           k,
             gsize           first,
             float          *widened,
             float          *panel)
{
  const HlShape *shape = hl_tensor_get_shape (self->tensor);
  const gboolean is_vector = shape->rank == 1; /* the only row of a matrix */
  const guint column = shape->rank - 1, line = is_vector ? 0 : column - 1;
  const guint64 before = self->first / shape->dims[column];
  guint64 start[HL_LIMIT_RANK] = { 0 }, count[HL_LIMIT_RANK];

  for (guint axis = 0; axis < line; axis++)
    count[axis] = 1;
  if (line > 0)
    start[line - 1] = before / shape->dims[line];
  if (!is_vector)
    {
      start[line] = (line > 0 ? before % shape->dims[line] : before) + (self->transposed ? first : 0);
      count[line] = self->transposed ? n_columns : k;
    }
  start[column] = self->transposed ? 0 : first;
  count[column] = self->transposed ? k : n_columns;
  if (!hl_tensor_read_f32 (self->tensor, start, count, widened, NULL, NULL))
    memset (widened, 0, n_columns * k * sizeof (float));
  if (self->transposed)
    {
      hl_tile_get (0)->pack (n_columns, k, widened, k, panel);
      return;
    }
  for (gsize i = 0; i < k; i++)
    {
      float *target = panel + i * HL_TILE_COLUMNS;

      memcpy (target, widened + i * n_columns, n_columns * sizeof (float));
      memset (target + n_columns, 0, (HL_TILE_COLUMNS - n_columns) * sizeof (float));
    }
}

/* How far ahead of what is packed the rows of a factor are fetched. */
#define ROWS_AHEAD 16
#define CACHE_LINE 64

/* Brings some columns into the order in which products use them. */
static void
hl_factor_pack_panel (const HlFactor *self,
                      gsize           n,
                      gsize           k,
                      gsize           first,
                      float          *widened,
                      float          *panel)
{
  const HlTile *tile = hl_tile_get (0);
  const gsize n_columns = MIN (n - first, HL_TILE_COLUMNS);

  if (self->data == NULL)
    {
      pack_unread (self, n_columns, k, first, widened, panel);
      return;
    }
  if (self->transposed && hl_factor_is_plain (self))
    {
      tile->pack (n_columns, k, (const float *) self->data + first * self->stride, self->stride, panel);
      return;
    }
  const HlBlockLoop *loop = self->transposed ? hl_block_loops_find (hl_block_loops_get (0), self->dtype) : NULL;
  if (loop != NULL && n_columns == HL_TILE_COLUMNS)
    {
      loop->pack (k / hl_dtype_get_block (self->dtype), get_row (self, first),
                  hl_dtype_get_row_size (self->dtype, self->stride), panel);
      return;
    }
  if (self->transposed)
    {
      for (gsize i = 0; i < n_columns; i++)
        hl_dtype_widen (self->dtype, get_row (self, first + i), k, widened + i * k);
      tile->pack (n_columns, k, widened, k, panel);
      return;
    }
  const gsize offset = hl_dtype_get_row_size (self->dtype, first);
  for (gsize i = 0; i < k; i++)
    {
      float *row = panel + i * HL_TILE_COLUMNS;

      /* The rows of a wide matrix are pages apart: nothing else fetches them in time. */
      if (i + ROWS_AHEAD < k)
        for (gsize byte = 0; byte < HL_TILE_COLUMNS * sizeof (float); byte += CACHE_LINE)
          __builtin_prefetch (get_row (self, i + ROWS_AHEAD) + offset + byte);
      hl_dtype_widen (self->dtype, get_row (self, i) + offset, n_columns, row);
      memset (row + n_columns, 0, (HL_TILE_COLUMNS - n_columns) * sizeof (float));
    }
}

/* Makes all panels, for a factor that is used many times. Uses all threads. */
float *
hl_factor_new_panels (const HlFactor *self,
                      gsize           n,
                      gsize           k)
{
  const gsize n_panels = (n + HL_TILE_COLUMNS - 1) / HL_TILE_COLUMNS;
  float *panels = g_new (float, n_panels *k *HL_TILE_COLUMNS);

#pragma omp parallel
  {
    g_autofree float *widened = hl_factor_is_plain (self) ? NULL : g_new (float, k *HL_TILE_COLUMNS);

#pragma omp for
    for (gsize i = 0; i < n_panels; i++)
      hl_factor_pack_panel (self, n, k, i * HL_TILE_COLUMNS, widened, panels + i * k * HL_TILE_COLUMNS);
  }
  return panels;
}

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
} Product;

/* One tile of the result; the last panel may be wider than what is left of it. */
static void
multiply_tile (const Product *self,
               gboolean       fetch,
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
      self->tile->multiply (end_row - row, fetch, self->k, a, self->a_stride, panel, HL_TILE_COLUMNS, c,
                            self->c_stride);
      return;
    }
  self->tile->multiply (end_row - row, fetch, self->k, a, self->a_stride, panel, HL_TILE_COLUMNS, rest,
                        HL_TILE_COLUMNS);
  for (gsize i = 0; i < end_row - row; i++)
    memcpy (c + i * self->c_stride, rest + i * HL_TILE_COLUMNS, n_columns * sizeof (float));
}

/* Some rows and some panels. */
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
  const gsize n_panels = end_panel - first_panel;
  const float *panels = self->b->panels != NULL ? self->b->panels + first_panel * panel_size : room;

  for (gsize i = 0; self->b->panels == NULL && i < n_panels; i++)
    hl_factor_pack_panel (self->b, self->n, self->k, (first_panel + i) * HL_TILE_COLUMNS, room + n_panels * panel_size,
                          room + i * panel_size);
  for (gsize block = 0; block < n_blocks; block++)
    for (gsize i = 0; i < n_panels; i++)
      multiply_tile (self, self->b->panels != NULL && block == 0, first_row + n_rows * block / n_blocks,
                     first_row + n_rows * (block + 1) / n_blocks, (first_panel + i) * HL_TILE_COLUMNS,
                     panels + i * panel_size);
}

/* C = a · b in float32. Uses all threads, or one when called from a parallel region. */
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
  const Product product = { hl_tile_get (0), m, n, k, a, a_stride, b, c, c_stride };
  const gsize n_panels = (n + HL_TILE_COLUMNS - 1) / HL_TILE_COLUMNS;
  const gsize panel_size = MAX (k, 1) * HL_TILE_COLUMNS;
  const gboolean alone = m * n * k < MIN_PARALLEL || omp_in_parallel ();
  const gsize n_threads = alone ? 1 : (gsize) omp_get_max_threads ();

  if (m == 0 || n == 0)
    return;
  /* Panels, which are float32, are twice as much to read as weights of 16 bits. */
  if (m <= HL_FEW_ROWS && hl_few_rows_can (b) && (b->panels == NULL || b->dtype != HL_DTYPE_F32))
    {
      hl_few_rows_multiply (m, n, k, a, a_stride, b, c, c_stride);
      return;
    }
  if (hl_block_product_can (m, n, b))
    {
      hl_block_product_multiply (m, n, k, a, a_stride, b, c, c_stride, scratch);
      return;
    }
  /* As many groups as fit in the cache, and more than threads, so that one that is held up leaves its work to the others. With fewer
   * panels than threads, the rows are dealt out too. */
  const gsize fitting = MAX (GROUP_SIZE / panel_size, 1);
  const gsize n_groups = MIN (MAX ((n_panels + fitting - 1) / fitting, 2 * n_threads), n_panels);
  const gsize group = (n_panels + n_groups - 1) / n_groups;
  const gsize n_row_parts = CLAMP (n_threads / n_groups, 1, (m + product.tile->n_rows - 1) / product.tile->n_rows);
  const gsize room_size = (group + (hl_factor_is_plain (b) ? 0 : 1)) * panel_size;
  float *room = b->panels == NULL ? hl_scratch_get (scratch, n_threads * room_size) : NULL;

#pragma omp parallel for schedule(dynamic) num_threads(n_threads) if (n_threads > 1)
  for (gsize i = 0; i < n_groups * n_row_parts; i++)
    {
      const gsize part = i / n_groups, number = i % n_groups;

      multiply_part (&product, m * part / n_row_parts, m * (part + 1) / n_row_parts, n_panels * number / n_groups,
                     n_panels * (number + 1) / n_groups,
                     room != NULL ? room + (gsize) omp_get_thread_num () * room_size : NULL);
    }
}
