/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlNorm:
 * @weight: [width], or %NULL when there is no norm at all
 * @bias: (nullable): [width]
 * @centre: whether the mean is taken off: a layer norm; a root-mean-square norm otherwise
 * @epsilon: what is added to the variance
 *
 * A norm over the features of a token. It owns its numbers.
 */
typedef struct
{
  float   *weight;
  float   *bias;
  gboolean centre;
  float    epsilon;
} HlNorm;

void hl_norm_apply     (const HlNorm *norm,
                        gsize         n_rows,
                        gsize         width,
                        const float  *input,
                        gsize         input_stride,
                        float        *output,
                        gsize         output_stride);
void hl_norm_add_apply (const HlNorm *norm,
                        gsize         n_rows,
                        gsize         width,
                        const float  *addend,
                        const float  *addend_bias,
                        float        *rows);
void hl_norm_clear     (HlNorm       *norm);

G_END_DECLS
