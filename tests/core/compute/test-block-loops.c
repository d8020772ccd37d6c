/* SPDX-License-Identifier: MIT */
/* Products with quantised weights, by the loops of every instruction set that the machine has: panels bit by bit as widening makes them,
 * sums against double precision. */
#include "core/base/block/hl-block.h"
#include "core/compute/hl-block-loops.h"
#include "core/compute/hl-matmul.h"

#include <math.h>
#include <string.h>

#define K 512

/* Weights with scales that are finite, some of them subnormal. */
static guint8 *
make_blocks (HlDType dtype,
             gsize   n_rows)
{
  const HlBlockType *type = hl_block_type_get (dtype);
  const gsize size = hl_dtype_get_size (dtype), n = hl_dtype_get_row_size (dtype, n_rows * K);
  g_autoptr (GRand) random = g_rand_new_with_seed (dtype);
  guint8 *bytes = g_malloc (n);

  for (gsize i = 0; i < n; i++)
    bytes[i] = (guint8) g_rand_int (random);
  for (gsize block = 0; block < n; block += size)
    for (int i = 0; i < type->words; i++)
      bytes[block + type->offsets[i] + 1] &= 0x8f;
  return bytes;
}

static float *
make_numbers (gsize n)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  float *numbers = g_new (float, n);

  for (gsize i = 0; i < n; i++)
    numbers[i] = (float) g_rand_double_range (random, -1, 1);
  return numbers;
}

/* The largest difference from sums in double precision, relative to the sum of sizes. */
static double
get_error (gsize        m,
           gsize        n,
           const float *a,
           const float *weights,
           const float *c)
{
  double error = 0;

  for (gsize row = 0; row < m; row++)
    for (gsize column = 0; column < n; column++)
      {
        double sum = 0, size = 0;

        for (gsize i = 0; i < K; i++)
          {
            const double product = (double) a[row * K + i] * weights[column * K + i];

            sum += product;
            size += fabs (product);
          }
        g_assert_true (isfinite (c[row * n + column]));
        error = MAX (error, fabs (c[row * n + column] - sum) / size);
      }
  return error;
}

static void
test_panels (void)
{
  const HlBlockLoops *loops;

  for (guint rank = 0; (loops = hl_block_loops_get (rank)) != NULL; rank++)
    for (guint i = 0; i < G_N_ELEMENTS (loops->types); i++)
      {
        const HlBlockLoop *loop = &loops->types[i];
        const gsize row_size = hl_dtype_get_row_size (loop->dtype, K);
        g_autofree guint8 *blocks = make_blocks (loop->dtype, HL_TILE_COLUMNS);
        g_autofree float *panel = g_new (float, K *HL_TILE_COLUMNS);
        g_autofree float *row = g_new (float, K);

        g_assert_true (hl_block_loops_find (loops, loop->dtype) == loop);
        loop->pack (K / hl_dtype_get_block (loop->dtype), blocks, row_size, panel);
        for (gsize column = 0; column < HL_TILE_COLUMNS; column++)
          {
            hl_dtype_widen (loop->dtype, blocks + column * row_size, K, row);
            for (gsize k = 0; k < K; k++)
              g_assert_true (memcmp (&panel[k * HL_TILE_COLUMNS + column], &row[k], sizeof *row) == 0);
          }
      }
}

static void
test_sums (void)
{
  const HlBlockLoops *loops;

  for (guint rank = 0; (loops = hl_block_loops_get (rank)) != NULL; rank++)
    for (guint i = 0; i < G_N_ELEMENTS (loops->types); i++)
      for (gsize m = 1; m <= loops->n_rows; m = hl_block_loops_round_rows (m + 1))
        {
          const HlBlockLoop *loop = &loops->types[i];
          const gsize n = loops->n_lanes;
          g_autofree guint8 *blocks = make_blocks (loop->dtype, n);
          g_autofree float *weights = g_new (float, n *K);
          g_autofree float *a = make_numbers (m * K), *beside = g_new (float, m *K), *c = g_new (float, m *n);

          hl_dtype_widen (loop->dtype, blocks, n * K, weights);
          for (gsize row = 0; row < m; row++)
            for (gsize k = 0; k < K; k++)
              beside[k * m + row] = a[row * K + k];
          loop->multiply (m, K / hl_dtype_get_block (loop->dtype), beside, blocks,
                          hl_dtype_get_row_size (loop->dtype, K), c, n);
          g_assert_cmpfloat (get_error (m, n, a, weights, c), <=, 5e-7);
        }
}

/* Rows and columns that are not whole vectors, and panels that are not whole. */
static void
test_products (gconstpointer data)
{
  static const gsize sizes[][2] = { { 1, 16 },  { 1, 200 }, { 3, 75 },  { 5, 17 }, { 7, 5 },
                                    { 11, 64 }, { 16, 70 }, { 17, 31 }, { 40, 75 } };
  const HlDType dtype = (HlDType) GPOINTER_TO_UINT (data);
  g_auto (HlScratch) scratch = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      const gsize m = sizes[i][0], n = sizes[i][1];
      g_autofree guint8 *blocks = make_blocks (dtype, n);
      g_autofree float *weights = g_new (float, n *K), *a = make_numbers (m * K), *c = g_new (float, m *n);
      const HlFactor factor = { .data = blocks, .dtype = dtype, .stride = K, .transposed = TRUE };

      hl_dtype_widen (dtype, blocks, n * K, weights);
      hl_matmul (m, n, K, a, K, &factor, c, n, &scratch);
      g_assert_cmpfloat (get_error (m, n, a, weights, c), <=, 5e-7);
    }
}

int
main (int    argc,
      char **argv)
{
  static const HlDType types[] = { HL_DTYPE_Q4_0, HL_DTYPE_Q4_1, HL_DTYPE_Q5_0, HL_DTYPE_Q5_1, HL_DTYPE_Q8_0,
                                   HL_DTYPE_Q4_K, HL_DTYPE_Q5_K, HL_DTYPE_Q6_K, HL_DTYPE_Q3_K };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/block-loops/panels", test_panels);
  g_test_add_func ("/block-loops/sums", test_sums);
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree char *path = g_strdup_printf ("/block-loops/products with %s", hl_dtype_get_name (types[i]));

      g_test_add_data_func (path, GUINT_TO_POINTER (types[i]), test_products);
    }
  return g_test_run ();
}
