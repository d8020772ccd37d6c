/* SPDX-License-Identifier: MIT */
/* The extremes of a row of numbers. */
#include "core/source/hl-row-extremes.h"

#include "core/base/hl-kernel.h"

#include <float.h>
#include <math.h>

/**
 * hl_row_extremes_find:
 * @row: [n] numbers
 * @n: how many
 *
 * Returns: their extremes
 */
HL_KERNEL HlRowExtremes
hl_row_extremes_find (const float *row,
                      gsize        n)
{
  float min = INFINITY, min_positive = INFINITY, max = -INFINITY;
  guint n_nan = 0;

#pragma omp simd reduction(min : min, min_positive) reduction(max : max) reduction(+ : n_nan)
  for (gsize i = 0; i < n; i++)
    {
      const float value = row[i];
      const float low = fabsf (value) <= FLT_MAX ? value : INFINITY;
      const float high = fabsf (value) <= FLT_MAX ? value : -INFINITY;
      const float positive = value > 0 ? value : INFINITY;

      min = low < min ? low : min;
      max = high > max ? high : max;
      min_positive = positive < min_positive ? positive : min_positive;
      n_nan += value != value;
    }
  return (HlRowExtremes){ min, min_positive, max, n_nan };
}
