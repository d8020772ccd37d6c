/* SPDX-License-Identifier: MIT */
/* Rotary position embedding (Su et al. 2021): feature i and feature i + half, as a pair, are turned by position times a frequency. */
#include "core/compute/hl-rotary.h"

#include "core/base/hl-kernel.h"

#include <math.h>

/* What hl_rotary_apply() needs for positions in a row; the same for every head and layer of one base. */
void
hl_rotary_fill_table (gsize        first_position,
                      gsize        n_positions,
                      gsize        n_pairs,
                      const float *frequencies,
                      float        factor,
                      float       *table)
{
  for (gsize position = 0; position < n_positions; position++)
    for (gsize i = 0; i < n_pairs; i++)
      {
        /* Angles are rounded to float32 as those who trained the models did. */
        const float angle = (float) (first_position + position) * frequencies[i];
        float *row = table + position * 2 * n_pairs;

        row[i] = cosf (angle) * factor;
        row[n_pairs + i] = sinf (angle) * factor;
      }
}

/* Turns the queries or keys of one head. */
HL_KERNEL void
hl_rotary_apply (gsize        n_positions,
                 gsize        n_pairs,
                 const float *table,
                 float       *rows,
                 gsize        stride)
{
  for (gsize position = 0; position < n_positions; position++)
    {
      const float *cosines = table + position * 2 * n_pairs;
      const float *sines = cosines + n_pairs;
      float *low = rows + position * stride;
      float *high = low + n_pairs;

      for (gsize i = 0; i < n_pairs; i++)
        {
          const float a = low[i], b = high[i];
          low[i] = a * cosines[i] - b * sines[i];
          high[i] = b * cosines[i] + a * sines[i];
        }
    }
}

/* The same where the features of a pair lie beside one another. */
HL_KERNEL void
hl_rotary_apply_pairs (gsize        n_positions,
                       gsize        n_pairs,
                       const float *table,
                       float       *rows,
                       gsize        stride)
{
  for (gsize position = 0; position < n_positions; position++)
    {
      const float *cosines = table + position * 2 * n_pairs;
      const float *sines = cosines + n_pairs;
      float *row = rows + position * stride;

      for (gsize i = 0; i < n_pairs; i++)
        {
          const float a = row[2 * i], b = row[2 * i + 1];
          row[2 * i] = a * cosines[i] - b * sines[i];
          row[2 * i + 1] = b * cosines[i] + a * sines[i];
        }
    }
}
