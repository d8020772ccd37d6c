/* SPDX-License-Identifier: MIT */
/* Points whose distances are as near as can be to given ones. */
#include "core/analysis/hl-scaling.h"

#include "core/base/hl-error.h"
#include "core/compute/hl-eigen.h"

#include <math.h>

/* −½ of the squares, less the means of rows and of columns: products of the points, if there are such. */
static double *
make_products (const double *distances,
               gsize         n)
{
  double *products = g_try_malloc_n (n * n, sizeof (double));
  g_autofree double *means = g_new0 (double, n);
  double mean = 0;

  if (products == NULL)
    return NULL;
  for (gsize i = 0; i < n; i++)
    {
      for (gsize j = 0; j < n; j++)
        means[i] += distances[i * n + j] * distances[i * n + j] / (double) n;
      mean += means[i] / (double) n;
    }
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < n; j++)
      products[i * n + j] = -(distances[i * n + j] * distances[i * n + j] - means[i] - means[j] + mean) / 2;
  return products;
}

/**
 * hl_scaling_compute:
 * @distances: (array): [n, n] a symmetric matrix of finite distances
 * @n: how many points, at least 1
 * @n_dimensions: how many coordinates each is to have
 * @cancellable: (nullable): stops it
 * @error: too little memory, or %G_IO_ERROR_CANCELLED
 *
 * Classical multidimensional scaling (Torgerson 1952): the eigenvectors of the products that the distances amount to, those of the greatest
 * eigenvalues first, each as long as the root of its eigenvalue. Points of so few dimensions come out as they are, but for a rotation, a
 * reflection and where they are: their mean is 0, and of each coordinate the one that is farthest from it is above 0, so that the same distances
 * give the same points. A coordinate that no eigenvalue above 0 is left for is 0.
 *
 * Returns: (transfer full) (nullable): [n, n_dimensions]; free with g_free()
 */
double *
hl_scaling_compute (const double *distances,
                    gsize         n,
                    guint         n_dimensions,
                    GCancellable *cancellable,
                    GError      **error)
{
  g_return_val_if_fail (distances != NULL && n > 0, NULL);

  g_autofree double *vectors = make_products (distances, n);
  g_autofree double *values = g_new (double, n);
  if (vectors == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  if (!hl_eigen_symmetric (vectors, n, values, cancellable, error))
    return NULL;
  double *points = g_new0 (double, n *n_dimensions);
  for (guint k = 0; k < MIN (n_dimensions, n); k++)
    for (gsize i = 0; i < n && values[k] > 0; i++)
      points[i * n_dimensions + k] = vectors[i * n + k] * sqrt (values[k]);
  return points;
}
