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
 *
 * What stands between the two products of a feed-forward layer.
 */
typedef enum {
  HL_ACTIVATION_GELU,
  HL_ACTIVATION_GELU_TANH,
  HL_ACTIVATION_QUICK_GELU,
  HL_ACTIVATION_SILU,
  HL_ACTIVATION_RELU,
} HlActivation;

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

G_END_DECLS
