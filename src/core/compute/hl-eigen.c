/* SPDX-License-Identifier: MIT */
/*
 * Symmetric matrices: Householder's reflections to a tridiagonal one, then implicit QL steps with shifts, as the
 * procedures tred2 and tql2 of Bowdler, Martin, Reinsch and Wilkinson 1968 have it. All in double: 4/3 n³ operations and
 * about as many again for the vectors.
 */
#include "core/compute/hl-eigen.h"

#include <float.h>
#include <math.h>

/* Each eigenvalue takes two or three steps; more than this is not seen even of matrices made to be awkward. */
#define MAX_STEPS 60

/* The reflection that empties row i left of its subdiagonal; v is kept in the matrix for the vectors. */
static void
reflect (double *v,
         gsize   n,
         gsize   i,
         double *d,
         double *e)
{
  double scale = 0, h = 0;

  for (gsize k = 0; k < i; k++)
    scale += fabs (d[k]);
  if (scale == 0)
    {
      e[i] = d[i - 1];
      for (gsize j = 0; j < i; j++)
        {
          d[j] = v[(i - 1) * n + j];
          v[i * n + j] = v[j * n + i] = 0;
        }
      d[i] = 0;
      return;
    }

  for (gsize k = 0; k < i; k++)
    {
      d[k] /= scale;
      h += d[k] * d[k];
    }
  double f = d[i - 1];
  double g = f > 0 ? -sqrt (h) : sqrt (h);
  e[i] = scale * g;
  h -= f * g;
  d[i - 1] = f - g;
  for (gsize j = 0; j < i; j++)
    e[j] = 0;
  for (gsize j = 0; j < i; j++)
    {
      f = d[j];
      v[j * n + i] = f;
      g = e[j] + v[j * n + j] * f;
      for (gsize k = j + 1; k < i; k++)
        {
          g += v[k * n + j] * d[k];
          e[k] += v[k * n + j] * f;
        }
      e[j] = g;
    }
  f = 0;
  for (gsize j = 0; j < i; j++)
    {
      e[j] /= h;
      f += e[j] * d[j];
    }
  const double half = f / (h + h);
  for (gsize j = 0; j < i; j++)
    e[j] -= half * d[j];
  for (gsize j = 0; j < i; j++)
    {
      f = d[j];
      g = e[j];
      for (gsize k = j; k < i; k++)
        v[k * n + j] -= f * e[k] + g * d[k];
      d[j] = v[(i - 1) * n + j];
      v[i * n + j] = 0;
    }
  d[i] = h;
}

/* The product of the reflections, in place of them. */
static void
accumulate (double *v,
            gsize   n,
            double *d,
            double *e)
{
  for (gsize i = 0; i + 1 < n; i++)
    {
      const double h = d[i + 1];

      v[(n - 1) * n + i] = v[i * n + i];
      v[i * n + i] = 1;
      if (h != 0)
        {
          for (gsize k = 0; k <= i; k++)
            d[k] = v[k * n + i + 1] / h;
          for (gsize j = 0; j <= i; j++)
            {
              double g = 0;
              for (gsize k = 0; k <= i; k++)
                g += v[k * n + i + 1] * v[k * n + j];
              for (gsize k = 0; k <= i; k++)
                v[k * n + j] -= g * d[k];
            }
        }
      for (gsize k = 0; k <= i; k++)
        v[k * n + i + 1] = 0;
    }
  for (gsize j = 0; j < n; j++)
    {
      d[j] = v[(n - 1) * n + j];
      v[(n - 1) * n + j] = 0;
    }
  v[n * n - 1] = 1;
  e[0] = 0;
}

/* One implicit QL step from m up to l. */
static void
step (double *v,
      gsize   n,
      gsize   l,
      gsize   m,
      double *d,
      double *e,
      double *shift)
{
  double g = d[l];
  double p = (d[l + 1] - g) / (2 * e[l]);
  double r = p < 0 ? -hypot (p, 1) : hypot (p, 1);

  d[l] = e[l] / (p + r);
  d[l + 1] = e[l] * (p + r);
  const double next = d[l + 1];
  const double h = g - d[l];
  for (gsize i = l + 2; i < n; i++)
    d[i] -= h;
  *shift += h;

  p = d[m];
  double c = 1, c2 = 1, c3 = 1, s = 0, s2 = 0;
  const double before = e[l + 1];
  for (gsize i = m; i-- > l;)
    {
      c3 = c2;
      c2 = c;
      s2 = s;
      g = c * e[i];
      const double product = c * p;
      r = hypot (p, e[i]);
      e[i + 1] = s * r;
      s = e[i] / r;
      c = p / r;
      p = c * d[i] - s * g;
      d[i + 1] = product + s * (c * g + s * d[i]);
      for (gsize k = 0; k < n; k++)
        {
          const double upper = v[k * n + i + 1];
          v[k * n + i + 1] = s * v[k * n + i] + c * upper;
          v[k * n + i] = c * v[k * n + i] - s * upper;
        }
    }
  p = -s * s2 * c3 * before * e[l] / next;
  e[l] = s * p;
  d[l] = c * p;
}

static gboolean
diagonalise (double       *v,
             gsize         n,
             double       *d,
             double       *e,
             GCancellable *cancellable,
             GError      **error)
{
  double shift = 0, greatest = 0;

  for (gsize i = 1; i < n; i++)
    e[i - 1] = e[i];
  e[n - 1] = 0;
  for (gsize l = 0; l < n; l++)
    {
      gsize m = l;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      greatest = MAX (greatest, fabs (d[l]) + fabs (e[l]));
      while (m + 1 < n && fabs (e[m]) > DBL_EPSILON * greatest)
        m++;
      for (guint n_steps = 0; m > l && fabs (e[l]) > DBL_EPSILON * greatest && n_steps < MAX_STEPS; n_steps++)
        step (v, n, l, m, d, e, &shift);
      d[l] += shift;
      e[l] = 0;
    }
  return TRUE;
}

/* The greatest first, each vector with its greatest component above zero, so that the result does not hang on the way to it. */
static void
arrange (double *v,
         gsize   n,
         double *d)
{
  for (gsize i = 0; i < n; i++)
    {
      gsize best = i, largest = 0;

      for (gsize j = i + 1; j < n; j++)
        if (d[j] > d[best])
          best = j;
      const double value = d[i];
      d[i] = d[best];
      d[best] = value;
      for (gsize k = 0; k < n && best != i; k++)
        {
          const double component = v[k * n + i];
          v[k * n + i] = v[k * n + best];
          v[k * n + best] = component;
        }
      for (gsize k = 1; k < n; k++)
        if (fabs (v[k * n + i]) > fabs (v[largest * n + i]) * (1 + 1e-9))
          largest = k;
      if (v[largest * n + i] < 0)
        for (gsize k = 0; k < n; k++)
          v[k * n + i] = -v[k * n + i];
    }
}

/**
 * hl_eigen_symmetric:
 * @matrix: (inout) (array): [n, n] a symmetric matrix of finite numbers; becomes its eigenvectors, one a column, each as long as 1
 *   and with its greatest component above zero
 * @n: its side, at least 1
 * @values: (out caller-allocates) (array length=n): the eigenvalues, the greatest first
 * @cancellable: (nullable): stops it
 * @error: %G_IO_ERROR_CANCELLED
 *
 * Eigenvalues and eigenvectors by Householder's reflections and implicit QL steps (Bowdler, Martin, Reinsch and Wilkinson 1968): exact to
 * about n rounding errors of the greatest eigenvalue. Takes some n³ operations: a second for a side of about 600.
 *
 * Returns: whether it was not cancelled
 */
gboolean
hl_eigen_symmetric (double       *matrix,
                    gsize         n,
                    double       *values,
                    GCancellable *cancellable,
                    GError      **error)
{
  g_return_val_if_fail (matrix != NULL && values != NULL, FALSE);
  g_return_val_if_fail (n > 0, FALSE);

  g_autofree double *off_diagonal = g_new0 (double, n);
  for (gsize j = 0; j < n; j++)
    values[j] = matrix[(n - 1) * n + j];
  for (gsize i = n; i-- > 1;)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      reflect (matrix, n, i, values, off_diagonal);
    }
  accumulate (matrix, n, values, off_diagonal);
  if (!diagonalise (matrix, n, values, off_diagonal, cancellable, error))
    return FALSE;
  arrange (matrix, n, values);
  return TRUE;
}
