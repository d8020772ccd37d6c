/* SPDX-License-Identifier: MIT */
/* A bias by distance without weights (Press et al. 2022). */
#include "core/model/layer/hl-alibi.h"

#include <math.h>

/* Returns [n_heads], how much is added to a score with each position that the key is nearer. Of n heads they are 2^(−@max i/n); when n is no
 * power of two, those of the power below, then every other one of the power above. Free with g_free(). */
float *
hl_alibi_new_slopes (guint  n_heads,
                     double max,
                     double factor)
{
  float *slopes = g_new (float, n_heads);
  guint n = 1;

  while (2 * n <= n_heads)
    n *= 2;
  for (guint i = 0; i < n_heads; i++)
    {
      const double power = i < n ? (i + 1) * max / n : (2 * (i - n) + 1) * max / (2 * n);
      slopes[i] = (float) (exp2 (-power) * factor);
    }
  return slopes;
}
