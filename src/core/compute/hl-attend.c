/* SPDX-License-Identifier: MIT */
/* The softmax of one query's scores. */
#include "core/compute/hl-attend.h"

#include "core/base/hl-kernel.h"
#include "core/compute/hl-vector-math.h"

#include <math.h>

/**
 * hl_attend_softmax:
 * @scores: (inout) (array): [n]
 * @n: how many; 0 does nothing
 *
 * Turns scores into weights that sum to 1. When no score is above −∞, all weights are 0: nothing is attended to.
 */
HL_KERNEL void
hl_attend_softmax (float *scores,
                   gsize  n)
{
  float greatest = -INFINITY, sum = 0;

#pragma omp simd reduction(max : greatest)
  for (gsize i = 0; i < n; i++)
    greatest = scores[i] > greatest ? scores[i] : greatest;
  if (greatest == -INFINITY)
    {
      for (gsize i = 0; i < n; i++)
        scores[i] = isnan (scores[i]) ? NAN : 0;
      return;
    }
#pragma omp simd reduction(+ : sum)
  for (gsize i = 0; i < n; i++)
    {
      const float below = scores[i] - greatest;
      scores[i] = hl_exp_within (below < -88.0f ? -88.0f : below);
      sum += scores[i];
    }
  const float norm = 1 / sum;
  for (gsize i = 0; i < n; i++)
    scores[i] *= norm;
}
