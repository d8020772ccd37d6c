/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-activation.h"
#include "core/compute/hl-norm.h"
#include "core/model/layer/hl-linear.h"

G_BEGIN_DECLS

/**
 * HlFeedForward:
 * @gate: without a tensor when there is none, or when it is in @in
 * @in: the first product
 * @out: the second
 * @bias: (nullable): of the first, the gate's first
 * @inner_width: features between the two
 * @gated: whether there is a gate
 * @activation: what stands between the two
 * @clamp: how a gate is bounded; all 0 when it is not
 * @before: the norm of what goes in
 * @inner: the norm of what comes out
 * @after: the norm of the sum
 * @scale: (nullable): what each feature of the result is multiplied by before it is added; @out's bias is so already
 *
 * A feed-forward sublayer, or one expert of it, which has no norms.
 */
typedef struct
{
  HlLinear     gate;
  HlLinear     in;
  HlLinear     out;
  float       *bias;
  gsize        inner_width;
  gboolean     gated;
  HlActivation activation;
  HlGateClamp  clamp;
  HlNorm       before;
  HlNorm       inner;
  HlNorm       after;
  float       *scale;
} HlFeedForward;

void hl_feed_forward_multiply (const HlFeedForward *self,
                               gsize                n_rows,
                               const float         *input,
                               float               *wide,
                               float               *result,
                               HlScratch           *scratch);
void hl_feed_forward_clear    (HlFeedForward       *self);

G_END_DECLS
