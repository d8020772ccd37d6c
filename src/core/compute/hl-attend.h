/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlSoftmaxNorm:
 * @greatest: the greatest score; −∞ when none is above that
 * @norm: one over the sum of exp (score − @greatest)
 *
 * What the softmax of a row must know of all its scores: a weight is exp (score − @greatest) · @norm.
 */
typedef struct
{
  float greatest;
  float norm;
} HlSoftmaxNorm;

HlSoftmaxNorm hl_attend_softmax   (float         *scores,
                                   gsize          n);
void          hl_attend_normalise (float         *scores,
                                   gsize          n,
                                   HlSoftmaxNorm  norm);

G_END_DECLS
