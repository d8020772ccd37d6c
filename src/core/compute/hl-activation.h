/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlActivation:
 * @HL_ACTIVATION_GELU: x·Φ(x) (Hendrycks and Gimpel 2016)
 * @HL_ACTIVATION_GELU_TANH: its approximation by tanh, from the same paper
 * @HL_ACTIVATION_QUICK_GELU: x·σ(1.702·x), from the same paper
 * @HL_ACTIVATION_SILU: x·σ(x)
 * @HL_ACTIVATION_RELU: max(x, 0)
 * @HL_ACTIVATION_RELU_SQUARED: max(x, 0)² (So et al. 2021)
 *
 * What stands between the two products of a feed-forward layer.
 */
typedef enum {
  HL_ACTIVATION_GELU,
  HL_ACTIVATION_GELU_TANH,
  HL_ACTIVATION_QUICK_GELU,
  HL_ACTIVATION_SILU,
  HL_ACTIVATION_RELU,
  HL_ACTIVATION_RELU_SQUARED,
} HlActivation;

/**
 * HlGateClamp:
 * @limit: the most that a gate is, and a value to either side; above 0
 * @slope: what a gate is multiplied by inside σ
 * @interleaved: whether gates and values take turns in a row, and do not stand apart
 *
 * How a gated unit is bounded.
 */
typedef struct
{
  float    limit;
  float    slope;
  gboolean interleaved;
} HlGateClamp;

void hl_activation_apply (HlActivation  activation,
                          gsize         n_rows,
                          gsize         width,
                          const float  *bias,
                          float        *rows,
                          gsize         stride);
void hl_activation_gate  (HlActivation  activation,
                          gsize         n_rows,
                          gsize         width,
                          const float  *bias,
                          float        *rows,
                          gsize         stride);
void hl_activation_gate_clamped
                         (const HlGateClamp *clamp,
                          gsize         n_rows,
                          gsize         width,
                          const float  *bias,
                          float        *rows,
                          gsize         stride);

G_END_DECLS
