/* SPDX-License-Identifier: MIT */
/* Activations of feed-forward layers, with the bias that comes before them and the gate that may come after. */
#include "core/compute/hl-activation.h"

#include "core/base/hl-kernel.h"
#include "core/compute/hl-vector-math.h"

/* Fewer numbers than these are done sooner than a second thread wakes. */
#define MIN_PARALLEL 8192

#define SQRT_HALF 0.70710678118654752f
#define SQRT_2_OVER_PI 0.79788456080286536f

static inline float
gelu (float x)
{
  return 0.5f * x * (1 + hl_erf (x * SQRT_HALF));
}

static inline float
gelu_tanh (float x)
{
  return 0.5f * x * (1 + hl_tanh (SQRT_2_OVER_PI * (x + 0.044715f * x * x * x)));
}

static inline float
quick_gelu (float x)
{
  return x / (1 + hl_exp (-1.702f * x));
}

static inline float
silu (float x)
{
  return x / (1 + hl_exp (-x));
}

static inline float
relu (float x)
{
  return x < 0 ? 0 : x; /* so that NaN stays */
}

static inline float
relu_squared (float x)
{
  return relu (x) * relu (x);
}

#define LOOP(function)                                                                                                 \
  for (gsize i = 0; i < width; i++)                                                                                    \
    row[i] = function (row[i]);                                                                                        \
  break

HL_KERNEL static void
apply_row (HlActivation activation,
           gsize        width,
           const float *bias,
           float       *row)
{
  if (bias != NULL)
    for (gsize i = 0; i < width; i++)
      row[i] += bias[i];
  switch (activation)
    {
    case HL_ACTIVATION_GELU:
      LOOP (gelu);
    case HL_ACTIVATION_GELU_TANH:
      LOOP (gelu_tanh);
    case HL_ACTIVATION_QUICK_GELU:
      LOOP (quick_gelu);
    case HL_ACTIVATION_SILU:
      LOOP (silu);
    case HL_ACTIVATION_RELU:
      LOOP (relu);
    case HL_ACTIVATION_RELU_SQUARED:
      LOOP (relu_squared);
    default:
      g_assert_not_reached ();
    }
}

HL_KERNEL static void
multiply_row (gsize        width,
              const float *bias,
              const float *factor,
              float       *row)
{
  if (bias != NULL)
    for (gsize i = 0; i < width; i++)
      row[i] *= factor[i] + bias[i];
  else
    for (gsize i = 0; i < width; i++)
      row[i] *= factor[i];
}

/* Rows = activation(rows + bias) */
void
hl_activation_apply (HlActivation activation,
                     gsize        n_rows,
                     gsize        width,
                     const float *bias,
                     float       *rows,
                     gsize        stride)
{
#pragma omp parallel for if (n_rows * width >= MIN_PARALLEL)
  for (gsize i = 0; i < n_rows; i++)
    apply_row (activation, width, bias, rows + i * stride);
}

/* A gated unit (Shazeer 2020): activation(gate) · value */
void
hl_activation_gate (HlActivation activation,
                    gsize        n_rows,
                    gsize        width,
                    const float *bias,
                    float       *rows,
                    gsize        stride)
{
#pragma omp parallel for if (n_rows * width >= MIN_PARALLEL)
  for (gsize i = 0; i < n_rows; i++)
    {
      float *row = rows + i * stride;

      apply_row (activation, width, bias, row);
      multiply_row (width, bias != NULL ? bias + width : NULL, row + width, row);
    }
}

/* Gates and values of a row to one after the other. */
static void
part_gates (gsize        width,
            const float *row,
            float       *parted)
{
  for (gsize i = 0; i < width; i++)
    {
      parted[i] = row[2 * i];
      parted[width + i] = row[2 * i + 1];
    }
}

HL_KERNEL static void
gate_row_clamped (float        limit,
                  float        slope,
                  gsize        width,
                  const float *gates,
                  const float *values,
                  float       *row)
{
  for (gsize i = 0; i < width; i++)
    {
      /* Compared so that NaN stays. */
      const float gate = gates[i] > limit ? limit : gates[i];
      const float above = values[i] < -limit ? -limit : values[i];
      const float value = above > limit ? limit : above;

      row[i] = (value + 1) * (gate / (1 + hl_exp (-slope * gate)));
    }
}

/* The gated unit of gpt-oss (OpenAI 2025): gate · σ(slope · gate) · (value + 1), both bounded before */
void
hl_activation_gate_clamped (const HlGateClamp *clamp,
                            gsize              n_rows,
                            gsize              width,
                            const float       *bias,
                            float             *rows,
                            gsize              stride)
{
#pragma omp parallel if (n_rows * width >= MIN_PARALLEL)
  {
    g_autofree float *parted = g_new (float, 2 * width);

#pragma omp for
    for (gsize i = 0; i < n_rows; i++)
      {
        float *row = rows + i * stride;

        for (gsize k = 0; bias != NULL && k < 2 * width; k++)
          row[k] += bias[k];
        if (clamp->interleaved)
          part_gates (width, row, parted);
        gate_row_clamped (clamp->limit, clamp->slope, width, clamp->interleaved ? parted : row,
                          (clamp->interleaved ? parted : row) + width, row);
      }
  }
}
