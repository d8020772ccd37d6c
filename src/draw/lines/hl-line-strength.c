/* SPDX-License-Identifier: MIT */
#include "draw/lines/hl-line-strength.h"

#include <math.h>

/* Divides each row by its greatest magnitude; rows without one stay 0. */
float *
hl_line_strength_make_relative (const float *weights,
                                gsize        n_rows,
                                gsize        n_columns)
{
  float *relative = g_new (float, MAX (n_rows * n_columns, 1));

  for (gsize i = 0; i < n_rows; i++)
    {
      const float *row = weights + i * n_columns;
      float greatest = 0;
      for (gsize j = 0; j < n_columns; j++)
        greatest = fmaxf (greatest, fabsf (row[j]));
      for (gsize j = 0; j < n_columns; j++)
        relative[i * n_columns + j] = greatest > 0 ? row[j] / greatest : row[j];
    }
  return relative;
}

float
hl_line_strength_find_greatest (const float *weights,
                                gsize        n)
{
  float greatest = 0;

  for (gsize i = 0; i < n; i++)
    greatest = fmaxf (greatest, fabsf (weights[i]));
  return greatest;
}

/* Parts of the greatest, which may be that of several maps; as they are if that is 0. */
float *
hl_line_strength_make_scaled (const float *weights,
                              gsize        n,
                              float        greatest)
{
  float *scaled = g_new (float, MAX (n, 1));

  for (gsize i = 0; i < n; i++)
    scaled[i] = greatest > 0 ? weights[i] / greatest : weights[i];
  return scaled;
}
