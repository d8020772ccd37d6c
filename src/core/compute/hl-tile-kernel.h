/* SPDX-License-Identifier: MIT */
/*
 * The innermost loops of products, for one instruction set. Included once for each, with
 *
 *   TILE (name)    what a function is called there
 *   TILE_TARGET    an attribute that lets the compiler use the instructions
 *   TILE_LANES     float32 numbers of a vector
 *   TILE_ROWS      rows whose sums, of two vectors each, fit in the registers
 *   TILE_LOW, TILE_HIGH, TILE_STAGES    see transpose()
 */

/* As wide as the registers, and anywhere in memory. */
typedef float TILE (Vector) __attribute__ ((vector_size (4 * TILE_LANES), aligned (4), may_alias));

/* Rows of b that are fetched ahead. */
#define AHEAD 16

/* c = a · b for two vectors' columns. The number of rows is a constant wherever this is used, so that sums stay in registers. */
TILE_TARGET static inline __attribute__ ((always_inline)) void
TILE (multiply_rows) (const gsize  n_rows,
                      const gboolean fetch,
                      gsize        k,
                      const float *a,
                      gsize        a_stride,
                      const float *b,
                      gsize        b_stride,
                      float       *c,
                      gsize        c_stride)
{
  TILE (Vector) sums[TILE_ROWS][2];

#pragma GCC unroll 12
  for (gsize row = 0; row < n_rows; row++)
    sums[row][0] = sums[row][1] = (TILE (Vector)){ 0 };
  for (gsize i = 0; i < k; i++)
    {
      const TILE (Vector) left = *(const TILE (Vector) *) (b + i * b_stride);
      const TILE (Vector) right = *(const TILE (Vector) *) (b + i * b_stride + TILE_LANES);

      if (fetch)
        {
          __builtin_prefetch (b + (i + AHEAD) * b_stride);
          __builtin_prefetch (b + (i + AHEAD) * b_stride + TILE_LANES);
        }
#pragma GCC unroll 12
      for (gsize row = 0; row < n_rows; row++)
        {
          const float factor = a[row * a_stride + i];

          sums[row][0] += factor * left;
          sums[row][1] += factor * right;
        }
    }
#pragma GCC unroll 12
  for (gsize row = 0; row < n_rows; row++)
    {
      *(TILE (Vector) *) (c + row * c_stride) = sums[row][0];
      *(TILE (Vector) *) (c + row * c_stride + TILE_LANES) = sums[row][1];
    }
}

#define CASE(n)                                                                                                        \
  case n:                                                                                                              \
    if (fetch)                                                                                                         \
      TILE (multiply_rows) (n, TRUE, k, a, a_stride, b + i, b_stride, c + i, c_stride);                                \
    else                                                                                                               \
      TILE (multiply_rows) (n, FALSE, k, a, a_stride, b + i, b_stride, c + i, c_stride);                               \
    break

/* See HlTile. */
TILE_TARGET static void
TILE (multiply) (gsize        n_rows,
                 gboolean     fetch,
                 gsize        k,
                 const float *a,
                 gsize        a_stride,
                 const float *b,
                 gsize        b_stride,
                 float       *c,
                 gsize        c_stride)
{
  for (gsize i = 0; i < HL_TILE_COLUMNS; i += 2 * TILE_LANES)
    switch (n_rows)
      {
        CASE (1);
        CASE (2);
        CASE (3);
        CASE (4);
        CASE (5);
        CASE (6);
#if TILE_ROWS == 12
        CASE (7);
        CASE (8);
        CASE (9);
        CASE (10);
        CASE (11);
        CASE (12);
#endif
      default:
        g_assert_not_reached ();
      }
}

#undef CASE
#undef AHEAD

/* A square of as many rows as a vector has numbers. Riffling row i with row i + half, log2 (rows) times, transposes. */
TILE_TARGET static inline __attribute__ ((always_inline)) void
TILE (transpose) (const float *source,
                  gsize        stride,
                  float       *target)
{
  TILE (Vector) rows[TILE_LANES], riffled[TILE_LANES];

#pragma GCC unroll 16
  for (gsize i = 0; i < TILE_LANES; i++)
    rows[i] = *(const TILE (Vector) *) (source + i * stride);
#pragma GCC unroll 4
  for (gsize stage = 0; stage < TILE_STAGES; stage++)
    {
#pragma GCC unroll 8
      for (gsize i = 0; i < TILE_LANES / 2; i++)
        {
          riffled[2 * i] = __builtin_shufflevector (rows[i], rows[i + TILE_LANES / 2], TILE_LOW);
          riffled[2 * i + 1] = __builtin_shufflevector (rows[i], rows[i + TILE_LANES / 2], TILE_HIGH);
        }
#pragma GCC unroll 16
      for (gsize i = 0; i < TILE_LANES; i++)
        rows[i] = riffled[i];
    }
#pragma GCC unroll 16
  for (gsize i = 0; i < TILE_LANES; i++)
    *(TILE (Vector) *) (target + i * HL_TILE_COLUMNS) = rows[i];
}

/* See HlTile. */
TILE_TARGET static void
TILE (pack) (gsize        n_rows,
             gsize        k,
             const float *source,
             gsize        stride,
             float       *panel)
{
  const gsize n_squares = n_rows / TILE_LANES * TILE_LANES;
  const gsize k_squares = k / TILE_LANES * TILE_LANES;

  for (gsize row = 0; row < n_squares; row += TILE_LANES)
    for (gsize i = 0; i < k_squares; i += TILE_LANES)
      TILE (transpose) (source + row * stride + i, stride, panel + i * HL_TILE_COLUMNS + row);
  for (gsize row = 0; row < n_rows; row++)
    for (gsize i = row < n_squares ? k_squares : 0; i < k; i++)
      panel[i * HL_TILE_COLUMNS + row] = source[row * stride + i];
  for (gsize i = 0; i < k && n_rows < HL_TILE_COLUMNS; i++)
    memset (panel + i * HL_TILE_COLUMNS + n_rows, 0, (HL_TILE_COLUMNS - n_rows) * sizeof (float));
}
