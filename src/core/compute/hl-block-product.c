/* SPDX-License-Identifier: MIT */
/*
 * Products of up to 16 rows with quantised weights: short texts, and the tokens that a model writes. The weights are widened in registers,
 * where they are multiplied at once, so that a matrix takes the time that reading its blocks takes, or its multiplications.
 */
#include "core/compute/hl-block-product.h"

#include "core/base/block/hl-block.h"
#include "core/compute/hl-block-loops.h"

#include <omp.h>
#include <string.h>

/* Products of fewer multiplications are done sooner than a second thread wakes. */
#define MIN_PARALLEL (1 << 16)

/* Vectors of columns that a thread takes at a time at most. */
#define MAX_CHUNK 4

/* Whether there are loops for them. */
gboolean
hl_block_product_can (gsize           m,
                      gsize           n,
                      const HlFactor *b)
{
  const HlBlockLoops *loops = hl_block_loops_get (0);

  return b->data != NULL && b->transposed && hl_block_loops_find (loops, b->dtype) != NULL && m <= loops->n_rows &&
         n >= loops->n_lanes;
}

/* Puts the rows of the left factor beside one another, and zeros beside them. */
static void
pack_left (gsize        m,
           gsize        n_rows,
           gsize        k,
           const float *a,
           gsize        a_stride,
           float       *packed)
{
  for (gsize i = 0; i < k; i++, packed += n_rows)
    {
      for (gsize row = 0; row < m; row++)
        packed[row] = a[row * a_stride + i];
      for (gsize row = m; row < n_rows; row++)
        packed[row] = 0;
    }
}

/* C = a · b in float32. Uses all threads, or one when called from a parallel region. */
void
hl_block_product_multiply (gsize           m,
                           gsize           n,
                           gsize           k,
                           const float    *a,
                           gsize           a_stride,
                           const HlFactor *b,
                           float          *c,
                           gsize           c_stride,
                           HlScratch      *scratch)
{
  const HlBlockLoops *loops = hl_block_loops_get (0);
  const HlBlockLoop *loop = hl_block_loops_find (loops, b->dtype);
  const gsize row_size = hl_dtype_get_row_size (b->dtype, b->stride);
  const gsize n_blocks = k / hl_dtype_get_block (b->dtype), n_rows = hl_block_loops_round_rows (m);
  const guint8 *data = b->data;
  const gboolean alone = m * n * k < MIN_PARALLEL || omp_in_parallel ();
  const gsize n_threads = alone ? 1 : (gsize) omp_get_max_threads ();
  const gsize n_lanes = loops->n_lanes, n_vectors = (n + n_lanes - 1) / n_lanes;
  const gsize chunk = CLAMP (n_vectors / (4 * n_threads), 1, MAX_CHUNK);
  float *packed = hl_scratch_get (scratch, n_rows * k);

  g_return_if_fail (hl_block_product_can (m, n, b));

  pack_left (m, n_rows, k, a, a_stride, packed);
  /* A thread that is held up leaves its work to the others. */
#pragma omp parallel for schedule(dynamic, chunk) num_threads(n_threads) if (n_threads > 1)
  for (gsize i = 0; i < n_vectors; i++)
    {
      /* The last vector begins earlier, and has some columns again. */
      const gsize first = i * n_lanes, begin = MIN (first, n - n_lanes);
      float result[HL_BLOCK_MAX_ROWS * HL_BLOCK_MAX_LANES];

      loop->multiply (n_rows, n_blocks, packed, data + begin * row_size, row_size, result, n_lanes);
      for (gsize row = 0; row < m; row++)
        memcpy (c + row * c_stride + first, result + row * n_lanes + (first - begin),
                MIN (n_lanes, n - first) * sizeof *c);
    }
}
