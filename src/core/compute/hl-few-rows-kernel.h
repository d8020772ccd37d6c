/* SPDX-License-Identifier: MIT */
/*
 * Loops of products with few rows, for one instruction set and one type of number. Included once for each, with
 *
 *   ROWS (name)      what a function is called there
 *   ROWS_TARGET      an attribute that lets the compiler use the instructions
 *   ROWS_LANES       float32 numbers of a vector
 *   ROWS_STORED      the type of the numbers of the right factor
 *   ROWS_LOAD (p)    a vector of them, widened
 *   ROWS_WIDEN (x)   one of them, widened
 */

typedef float ROWS (Vector) __attribute__ ((vector_size (4 * ROWS_LANES), aligned (4), may_alias));

/* Sums of one row of the right factor with some rows of the left. The number of rows is a constant wherever this is used. */
ROWS_TARGET static inline __attribute__ ((always_inline)) void
ROWS (dot_rows) (const gsize        n_rows,
                 gsize              k,
                 const float       *a,
                 gsize              a_stride,
                 const ROWS_STORED *b,
                 float             *c,
                 gsize              c_stride)
{
  ROWS (Vector) sums[HL_FEW_ROWS][2];
  gsize i = 0;

#pragma GCC unroll 4
  for (gsize row = 0; row < n_rows; row++)
    sums[row][0] = sums[row][1] = (ROWS (Vector)){ 0 };
  for (; i + 2 * ROWS_LANES <= k; i += 2 * ROWS_LANES)
    {
      const ROWS (Vector) left = ROWS_LOAD (b + i), right = ROWS_LOAD (b + i + ROWS_LANES);

#pragma GCC unroll 4
      for (gsize row = 0; row < n_rows; row++)
        {
          sums[row][0] += *(const ROWS (Vector) *) (a + row * a_stride + i) * left;
          sums[row][1] += *(const ROWS (Vector) *) (a + row * a_stride + i + ROWS_LANES) * right;
        }
    }
#pragma GCC unroll 4
  for (gsize row = 0; row < n_rows; row++)
    {
      const ROWS (Vector) both = sums[row][0] + sums[row][1];
      float sum = 0;

      for (gsize lane = 0; lane < ROWS_LANES; lane++)
        sum += both[lane];
      for (gsize rest = i; rest < k; rest++)
        sum += a[row * a_stride + rest] * ROWS_WIDEN (b[rest]);
      c[row * c_stride] = sum;
    }
}

/* Some columns of the result, of a right factor stored as [n, k]. */
ROWS_TARGET static void
ROWS (dot) (gsize        n_rows,
            gsize        n,
            gsize        k,
            const float *a,
            gsize        a_stride,
            const void  *b,
            gsize        b_stride,
            float       *c,
            gsize        c_stride)
{
  const ROWS_STORED *row = b;

  for (gsize column = 0; column < n; column++, row += b_stride)
    switch (n_rows)
      {
      case 1:
        ROWS (dot_rows) (1, k, a, a_stride, row, c + column, c_stride);
        break;
      case 2:
        ROWS (dot_rows) (2, k, a, a_stride, row, c + column, c_stride);
        break;
      case 3:
        ROWS (dot_rows) (3, k, a, a_stride, row, c + column, c_stride);
        break;
      default:
        ROWS (dot_rows) (4, k, a, a_stride, row, c + column, c_stride);
      }
}

/* Some columns of one row of the result, of a right factor stored as [k, n]: four rows of it at a time, as they lie. */
ROWS_TARGET static void
ROWS (add) (gsize        n,
            gsize        k,
            const float *a,
            const void  *b,
            gsize        b_stride,
            float       *c)
{
  const ROWS_STORED *row = b;
  gsize i = 0;

  memset (c, 0, n * sizeof *c);
  for (; i + 4 <= k; i += 4, row += 4 * b_stride)
    {
      gsize column = 0;

      for (; column + ROWS_LANES <= n; column += ROWS_LANES)
        *(ROWS (Vector) *) (c + column) +=
          a[i] * ROWS_LOAD (row + column) + a[i + 1] * ROWS_LOAD (row + b_stride + column) +
          a[i + 2] * ROWS_LOAD (row + 2 * b_stride + column) + a[i + 3] * ROWS_LOAD (row + 3 * b_stride + column);
      for (; column < n; column++)
        for (gsize part = 0; part < 4; part++)
          c[column] += a[i + part] * ROWS_WIDEN (row[part * b_stride + column]);
    }
  for (; i < k; i++, row += b_stride)
    for (gsize column = 0; column < n; column++)
      c[column] += a[i] * ROWS_WIDEN (row[column]);
}

#undef ROWS
#undef ROWS_STORED
#undef ROWS_LOAD
#undef ROWS_WIDEN
