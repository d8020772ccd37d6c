/* SPDX-License-Identifier: MIT */
/* Eigenvectors: of a matrix worked by hand, and of others against what they are defined by. */
#include "core/compute/hl-eigen.h"

#include <math.h>

static void
test_by_hand (void)
{
  double matrix[] = { 2, 1, 1, 2 };
  double values[2];

  g_assert_true (hl_eigen_symmetric (matrix, 2, values, NULL, NULL));
  g_assert_cmpfloat_with_epsilon (values[0], 3, 1e-12);
  g_assert_cmpfloat_with_epsilon (values[1], 1, 1e-12);
  g_assert_cmpfloat_with_epsilon (matrix[0], G_SQRT2 / 2, 1e-12);
  g_assert_cmpfloat_with_epsilon (matrix[2], G_SQRT2 / 2, 1e-12);
  g_assert_cmpfloat_with_epsilon (fabs (matrix[1]), G_SQRT2 / 2, 1e-12);
  g_assert_cmpfloat_with_epsilon (matrix[3], -matrix[1], 1e-12);
}

/* A·v = λ·v, vectors at right angles and as long as 1, the greatest value first. */
static void
check (const double *given,
       gsize         n)
{
  g_autofree double *vectors = g_memdup2 (given, n * n * sizeof *given);
  g_autofree double *values = g_new (double, n);
  double size = 1e-300;

  for (gsize i = 0; i < n * n; i++)
    size = MAX (size, fabs (given[i]));
  g_assert_true (hl_eigen_symmetric (vectors, n, values, NULL, NULL));
  for (gsize column = 0; column < n; column++)
    {
      double greatest = 0;

      g_assert_true (column == 0 || values[column] <= values[column - 1]);
      for (gsize other = 0; other < n; other++)
        {
          double product = 0, of_both = 0;
          for (gsize k = 0; k < n; k++)
            {
              product += given[other * n + k] * vectors[k * n + column];
              of_both += vectors[k * n + other] * vectors[k * n + column];
            }
          g_assert_cmpfloat_with_epsilon (product, values[column] * vectors[other * n + column], 1e-12 * n * size);
          g_assert_cmpfloat_with_epsilon (of_both, other == column, 1e-12 * n);
          if (fabs (vectors[other * n + column]) > fabs (greatest) * (1 + 1e-9))
            greatest = vectors[other * n + column];
        }
      g_assert_cmpfloat (greatest, >, 0);
    }
}

static void
test_definition (void)
{
  static const gsize sizes[] = { 1, 2, 3, 7, 64, 130 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      const gsize n = sizes[i];
      g_autofree double *matrix = g_new0 (double, n *n);

      check (matrix, n);
      /* All eigenvalues but one are the same. */
      for (gsize k = 0; k < n * n; k++)
        matrix[k] = k % (n + 1) == 0 ? 2 : 1;
      check (matrix, n);
      /* As flat as a line, and with sizes far apart. */
      for (gsize k = 0; k < n * n; k++)
        matrix[k] = (double) (k / n % 5) * (double) (k % n % 5) * 1e6;
      check (matrix, n);
      for (gsize row = 0; row < n; row++)
        for (gsize column = 0; column <= row; column++)
          matrix[row * n + column] = matrix[column * n + row] = g_test_rand_double_range (-1, 1);
      check (matrix, n);
    }
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  double matrix[] = { 2, 1, 1, 2 };
  double values[2];

  g_cancellable_cancel (cancellable);
  g_assert_false (hl_eigen_symmetric (matrix, 2, values, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/eigen/by-hand", test_by_hand);
  g_test_add_func ("/eigen/definition", test_definition);
  g_test_add_func ("/eigen/cancelled", test_cancelled);
  return g_test_run ();
}
