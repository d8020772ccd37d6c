/* SPDX-License-Identifier: MIT */
#include "draw/lines/hl-line-strength.h"

#include <float.h>
#include <math.h>

/* The greatest magnitude that is finite: as parts of an infinite one all others would be nothing; 0 where there is none. */
float
hl_line_strength_find_greatest (const float *weights,
                                gsize        n)
{
  float greatest = 0;

  for (gsize i = 0; i < n; i++)
    {
      const float size = fabsf (weights[i]);

      if (size <= FLT_MAX)
        greatest = fmaxf (greatest, size);
    }
  return greatest;
}

/* Copies of maps of one size, in which each place is 0 but in the map that has the greatest magnitude there; of equal ones in the first. */
void
hl_line_strength_keep_strongest (const float *const *maps,
                                 guint               n_maps,
                                 gsize               n,
                                 float *const       *kept)
{
  for (gsize i = 0; i < n; i++)
    {
      guint strongest = 0;

      for (guint map = 0; map < n_maps; map++)
        {
          kept[map][i] = 0;
          /* Written so that NaN is never the strongest. */
          if (fabsf (maps[map][i]) > fabsf (maps[strongest][i]) || isnan (maps[strongest][i]))
            strongest = map;
        }
      kept[strongest][i] = maps[strongest][i];
    }
}
