/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-scratch.h"
#include "core/model/checkpoint/hl-weights.h"

G_BEGIN_DECLS

/**
 * HlKeptPanels:
 * @n_uses: how often the layer was applied
 * @panels: (nullable): its weights in the order in which products use them
 *
 * What a linear layer keeps, from its second use on, to be faster. Threads may share it.
 */
typedef struct
{
  int    n_uses;
  float *panels;
} HlKeptPanels;

/**
 * HlLinear:
 * @tensor: (nullable): the weights
 * @bias: (nullable): [n_out]
 * @n_in: features that go in
 * @n_out: features that come out
 * @transposed: whether weights are [n_in, n_out] and not [n_out, n_in]
 * @first: the number of @tensor that its weights begin with, where it is one of several in it
 * @kept: (nullable): the weights in another order, if that may be kept
 *
 * A linear layer. Its weights stay where they are, and are widened, when they have 16 bits, each time they are used.
 */
typedef struct
{
  HlTensor     *tensor;
  float        *bias;
  gsize         n_in;
  gsize         n_out;
  gboolean      transposed;
  gsize         first;
  HlKeptPanels *kept;
} HlLinear;

gboolean hl_linear_load        (HlLinear        *self,
                                HlWeights       *weights,
                                const char      *name,
                                gsize            n_in,
                                gsize            n_out,
                                gboolean         transposed,
                                gboolean         has_bias,
                                GError         **error);
gboolean hl_linear_load_part   (HlLinear        *self,
                                HlWeights       *weights,
                                const char      *name,
                                guint            part,
                                guint            n_parts,
                                gsize            n_in,
                                gsize            n_out,
                                gboolean         transposed,
                                gboolean         has_bias,
                                GError         **error);
gboolean hl_linear_load_row    (HlLinear        *self,
                                HlWeights       *weights,
                                const char      *name,
                                gsize            n_in,
                                GError         **error);
void     hl_linear_keep_panels (HlLinear        *self);
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
