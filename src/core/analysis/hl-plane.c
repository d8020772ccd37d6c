/* SPDX-License-Identifier: MIT */
/* Principal components (Pearson 1901) of the queries and keys of a head together. */
#include "core/analysis/hl-plane.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/compute/hl-eigen.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static gboolean
find_mean (const float *const vectors[2],
           const gsize        n[2],
           gsize              n_features,
           double            *mean,
           GError           **error)
{
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    for (gsize i = 0; i < n[side]; i++)
      for (gsize k = 0; k < n_features; k++)
        mean[k] += vectors[side][i * n_features + k];
  for (gsize k = 0; k < n_features; k++)
    {
      if (!isfinite (mean[k]))
        {
          g_set_error_literal (error, HL_ERROR, HL_ERROR_VALUE,
                               _ ("queries or keys that are not finite numbers have no place in a plane"));
          return FALSE;
        }
      mean[k] /= (double) MAX (n[HL_QUERIES] + n[HL_KEYS], 1);
    }
  return TRUE;
}

/* Of all points; not divided by their number, which changes no direction and no share. */
static gboolean
add_up (const float  *vectors,
        gsize         n,
        gsize         n_features,
        const double *mean,
        double       *covariance,
        GCancellable *cancellable,
        GError      **error)
{
  g_autofree double *centred = g_new (double, n_features);

  for (gsize i = 0; i < n; i++)
    {
      if (i % 256 == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      for (gsize k = 0; k < n_features; k++)
        centred[k] = vectors[i * n_features + k] - mean[k];
      for (gsize k = 0; k < n_features; k++)
        for (gsize l = 0; l <= k; l++)
          covariance[k * n_features + l] += centred[k] * centred[l];
    }
  return TRUE;
}

/* Where the points are along the two directions that are the first columns. */
static void
project (HlPlane           *self,
         const float *const vectors[2],
         gsize              n_features,
         const double      *mean,
         const double      *directions)
{
  const guint n_directions = (guint) MIN (n_features, 2);

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    for (gsize i = 0; i < self->n[side]; i++)
      for (guint axis = 0; axis < n_directions; axis++)
        {
          double place = 0;
          for (gsize k = 0; k < n_features; k++)
            place += (vectors[side][i * n_features + k] - mean[k]) * directions[k * n_features + axis];
          self->points[side][i * 2 + axis] = place;
        }
}

/**
 * hl_plane_compute:
 * @self: (out caller-allocates): the points
 * @vectors: [n, n_features] of each #HlSide: the queries and the keys of a head
 * @n: how many of each; one at least of both together
 * @n_features: how long they are, at least 1
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_VALUE if a vector is not finite, %HL_ERROR_TOO_LARGE if vectors are too long, or %G_IO_ERROR_CANCELLED
 *
 * Lays queries and keys into one plane, that of the first two principal components of all of them together (Pearson 1901): centred, not scaled.
 * Of each direction the component that is largest points to where points have greater coordinates, so that the same vectors give the same
 * picture. Vectors of one feature, or that are all the same, have zeros where there is nothing to tell. In double.
 *
 * Returns: whether @self was filled
 */
gboolean
hl_plane_compute (HlPlane           *self,
                  const float *const vectors[2],
                  const gsize        n[2],
                  gsize              n_features,
                  GCancellable      *cancellable,
                  GError           **error)
{
  g_return_val_if_fail (self != NULL && n_features > 0, FALSE);

  if (n_features > HL_LIMIT_PLANE_FEATURES)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("queries and keys of more than %d features have no plane"),
                   HL_LIMIT_PLANE_FEATURES);
      return FALSE;
    }
  g_autofree double *mean = g_new0 (double, n_features);
  g_autofree double *covariance = g_new0 (double, n_features *n_features);
  g_autofree double *variances = g_new (double, n_features);
  double total = 0;

  if (!find_mean (vectors, n, n_features, mean, error))
    return FALSE;
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    if (!add_up (vectors[side], n[side], n_features, mean, covariance, cancellable, error))
      return FALSE;
  for (gsize k = 0; k < n_features; k++)
    {
      total += covariance[k * n_features + k];
      for (gsize l = 0; l < k; l++)
        covariance[l * n_features + k] = covariance[k * n_features + l];
    }
  if (!hl_eigen_symmetric (covariance, n_features, variances, cancellable, error))
    return FALSE;

  *self = (HlPlane){ .n = { n[HL_QUERIES], n[HL_KEYS] } };
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    self->points[side] = g_new0 (double, 2 * MAX (n[side], 1));
  for (guint axis = 0; axis < MIN (n_features, 2) && total > 0; axis++)
    self->shares[axis] = MAX (variances[axis], 0) / total;
  project (self, vectors, n_features, mean, covariance);
  return TRUE;
}

/**
 * hl_plane_clear:
 * @self: a plane
 *
 * Frees the points.
 */
void
hl_plane_clear (HlPlane *self)
{
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    g_free (self->points[side]);
  *self = (HlPlane){ 0 };
}
