/* SPDX-License-Identifier: MIT */
/* Layer norm (Ba et al. 2016) and root-mean-square norm (Zhang and Sennrich 2019). */
#include "core/compute/hl-norm.h"

#include "core/base/hl-kernel.h"

#include <math.h>

/* Fewer numbers than these are done sooner than a second thread wakes. */
#define MIN_PARALLEL 16384

/* One row, in two passes over numbers that lie in the cache: mean first, so that the variance loses no digits. */
HL_KERNEL static void
normalise_row (const float *weight,
               const float *bias,
               gboolean     centre,
               float        epsilon,
               gsize        width,
               const float *input,
               float       *output)
{
  float mean = 0, squares = 0;

  if (centre)
    {
#pragma omp simd reduction(+ : mean)
      for (gsize i = 0; i < width; i++)
        mean += input[i];
      mean /= (float) width;
    }
#pragma omp simd reduction(+ : squares)
  for (gsize i = 0; i < width; i++)
    squares += (input[i] - mean) * (input[i] - mean);
  const float factor = 1 / sqrtf (squares / (float) width + epsilon);
  if (bias != NULL)
    for (gsize i = 0; i < width; i++)
      output[i] = (input[i] - mean) * factor * weight[i] + bias[i];
  else
    for (gsize i = 0; i < width; i++)
      output[i] = (input[i] - mean) * factor * weight[i];
}

HL_KERNEL static void
add_row (const float *addend,
         const float *bias,
         gsize        width,
         float       *row)
{
  if (bias != NULL)
    for (gsize i = 0; i < width; i++)
      row[i] += addend[i] + bias[i];
  else
    for (gsize i = 0; i < width; i++)
      row[i] += addend[i];
}

/* Normalises every row. */
void
hl_norm_apply (const HlNorm *norm,
               gsize         n_rows,
               gsize         width,
               const float  *input,
               gsize         input_stride,
               float        *output,
               gsize         output_stride)
{
  g_return_if_fail (norm->weight != NULL);

#pragma omp parallel for if (n_rows * width >= MIN_PARALLEL)
  for (gsize i = 0; i < n_rows; i++)
    normalise_row (norm->weight, norm->bias, norm->centre, norm->epsilon, width, input + i * input_stride,
                   output + i * output_stride);
}

/* Rows = norm(rows + addend + bias), the end of a sublayer, in one pass. */
void
hl_norm_add_apply (const HlNorm *norm,
                   gsize         n_rows,
                   gsize         width,
                   const float  *addend,
                   const float  *addend_bias,
                   float        *rows)
{
#pragma omp parallel for if (n_rows * width >= MIN_PARALLEL)
  for (gsize i = 0; i < n_rows; i++)
    {
      float *row = rows + i * width;

      add_row (addend + i * width, addend_bias, width, row);
      if (norm != NULL && norm->weight != NULL)
        normalise_row (norm->weight, norm->bias, norm->centre, norm->epsilon, width, row, row);
    }
}

void
hl_norm_clear (HlNorm *norm)
{
  g_clear_pointer (&norm->weight, g_free);
  g_clear_pointer (&norm->bias, g_free);
}
