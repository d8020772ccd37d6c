/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-scratch.h"
#include "core/model/hl-weights.h"

G_BEGIN_DECLS

/**
 * HlLinear:
 * @tensor: (nullable): the weights
 * @bias: (nullable): [n_out]
 * @n_in: features that go in
 * @n_out: features that come out
 * @transposed: whether weights are [n_in, n_out] and not [n_out, n_in]
 *
 * A linear layer. Its weights stay where they are, and are widened, when they have 16 bits, each time they are used.
 */
typedef struct
{
  HlTensor *tensor;
  float    *bias;
  gsize     n_in;
  gsize     n_out;
  gboolean  transposed;
} HlLinear;

gboolean hl_linear_load        (HlLinear        *self,
                                HlWeights       *weights,
                                const char      *name,
                                gsize            n_in,
                                gsize            n_out,
                                gboolean         transposed,
                                gboolean         has_bias,
                                GError         **error);
void     hl_linear_apply       (const HlLinear  *self,
                                gsize            n_rows,
                                const float     *input,
                                gsize            input_stride,
                                float           *output,
                                gsize            output_stride,
                                HlScratch       *scratch);
void     hl_linear_clear       (HlLinear        *self);
float   *hl_weights_get_vector (HlWeights       *self,
                                const char      *name,
                                gsize            size,
                                GError         **error);

G_END_DECLS
