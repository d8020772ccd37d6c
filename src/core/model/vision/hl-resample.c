/* SPDX-License-Identifier: MIT */
/* Position embeddings of a grid of patches for a grid of another size, as torch.nn.functional.interpolate makes them with
 * align_corners=False: rows and columns apart, each new one a sum of some old ones. */
#include "core/model/vision/hl-resample.h"

#include <math.h>

/* Keys 1981, with the constant that PyTorch has without and with smoothing. */
#define SHARPNESS -0.75
#define SMOOTH_SHARPNESS -0.5

static double
get_cubic (double distance,
           double a)
{
  const double x = fabs (distance);

  if (x < 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/* Four neighbours, those beyond the edge being the edge. */
static void
weigh_neighbours (double  centre,
                  gsize   n_old,
                  double *weights)
{
  const double first = floor (centre - 0.5);

  for (int k = -1; k <= 2; k++)
    {
      const double at = first + k;
      const gsize old = (gsize) CLAMP (at, 0, (double) n_old - 1);

      weights[old] += get_cubic (centre - 0.5 - at, SHARPNESS);
    }
}

/* All neighbours within a reach that grows when there are to be fewer, and none beyond the edge. */
static void
weigh_smoothly (gboolean is_cubic,
                double   centre,
                double   scale,
                gsize    n_old,
                double  *weights)
{
  const double stretch = MAX (scale, 1), reach = (is_cubic ? 2 : 1) * stretch;
  const double first = MAX (floor (centre - reach + 0.5), 0), end = MIN (floor (centre + reach + 0.5), (double) n_old);
  double sum = 0;

  for (gsize old = (gsize) first; (double) old < end; old++)
    {
      const double distance = ((double) old - centre + 0.5) / stretch;

      weights[old] = is_cubic ? get_cubic (distance, SMOOTH_SHARPNESS) : MAX (1 - fabs (distance), 0);
      sum += weights[old];
    }
  for (gsize old = (gsize) first; (double) old < end; old++)
    weights[old] /= sum;
}

/* [n_new, n_old]: how much of each old one a new one has. */
static double *
make_weights (HlResampling how,
              gsize        n_old,
              gsize        n_new)
{
  const double scale = (double) n_old / (double) n_new;
  double *weights = g_new0 (double, n_new *n_old);

  for (gsize i = 0; i < n_new; i++)
    {
      const double centre = scale * ((double) i + 0.5);

      if (how == HL_RESAMPLING_BICUBIC)
        weigh_neighbours (centre, n_old, weights + i * n_old);
      else
        weigh_smoothly (how == HL_RESAMPLING_SMOOTH_BICUBIC, centre, scale, n_old, weights + i * n_old);
    }
  return weights;
}

static void
add_row (double       weight,
         const float *row,
         gsize        n,
         float       *target)
{
  for (gsize k = 0; weight != 0 && k < n; k++)
    target[k] += (float) weight * row[k];
}

/* Returns [new_height, new_width, n_features] of [height, width, n_features]; free with g_free(). */
float *
hl_resample_grid (HlResampling how,
                  const float *rows,
                  gsize        height,
                  gsize        width,
                  gsize        n_features,
                  gsize        new_height,
                  gsize        new_width)
{
  g_return_val_if_fail (how != HL_RESAMPLING_NONE && height > 0 && width > 0, NULL);

  g_autofree double *down = make_weights (how, height, new_height);
  g_autofree double *across = make_weights (how, width, new_width);
  g_autofree float *wide = g_new0 (float, height *new_width *n_features);
  float *result = g_new0 (float, new_height *new_width *n_features);

  for (gsize i = 0; i < height; i++)
    for (gsize j = 0; j < new_width; j++)
      for (gsize old = 0; old < width; old++)
        add_row (across[j * width + old], rows + (i * width + old) * n_features, n_features,
                 wide + (i * new_width + j) * n_features);
  for (gsize i = 0; i < new_height; i++)
    for (gsize old = 0; old < height; old++)
      add_row (down[i * height + old], wide + old * new_width * n_features, new_width * n_features,
               result + i * new_width * n_features);
  return result;
}
