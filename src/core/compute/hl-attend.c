/* SPDX-License-Identifier: MIT */
/* The softmax of one query's scores. */
#include "core/compute/hl-attend.h"

#include "core/base/hl-kernel.h"
#include "core/compute/hl-vector-math.h"

#include <math.h>

/* The exponential of a score that is not above the greatest. */
static inline float
get_power (float score,
           float greatest)
{
  const float below = score - greatest;

  return hl_exp_within (below < -88.0f ? -88.0f : below);
}

/* Nothing is attended to; what is broken is seen to be broken. */
static void
attend_to_nothing (float *scores,
                   gsize  n)
{
  for (gsize i = 0; i < n; i++)
    scores[i] = isnan (scores[i]) ? NAN : 0;
}

/**
 * hl_attend_softmax:
 * @scores: (inout) (array): [n]
 * @n: how many; 0 does nothing
 *
 * Turns scores into weights that sum to 1. When no score is above −∞, all weights are 0: nothing is attended to.
 *
 * Returns: what hl_attend_normalise() needs to make the same weights of some of the scores
 */
HL_KERNEL HlSoftmaxNorm
hl_attend_softmax (float *scores,
                   gsize  n)
{
  float greatest = -INFINITY, sum = 0;

#pragma omp simd reduction(max : greatest)
  for (gsize i = 0; i < n; i++)
    greatest = scores[i] > greatest ? scores[i] : greatest;
  if (greatest == -INFINITY)
    {
      attend_to_nothing (scores, n);
      return (HlSoftmaxNorm){ greatest, 0 };
    }
#pragma omp simd reduction(+ : sum)
  for (gsize i = 0; i < n; i++)
    {
      scores[i] = get_power (scores[i], greatest);
      sum += scores[i];
    }
  const float norm = 1 / sum;
#pragma omp simd
  for (gsize i = 0; i < n; i++)
    scores[i] *= norm;
  return (HlSoftmaxNorm){ greatest, norm };
}

/**
 * hl_attend_normalise:
 * @scores: (inout) (array): [n] some scores of a row
 * @n: how many
 * @norm: what hl_attend_softmax() returned for the whole row
 *
 * Turns scores into the very weights that the softmax of the whole row gives.
 */
HL_KERNEL void
hl_attend_normalise (float         *scores,
                     gsize          n,
                     HlSoftmaxNorm  norm)
{
  if (norm.greatest == -INFINITY)
    {
      attend_to_nothing (scores, n);
      return;
    }
#pragma omp simd
  for (gsize i = 0; i < n; i++)
    scores[i] = get_power (scores[i], norm.greatest) * norm.norm;
}
