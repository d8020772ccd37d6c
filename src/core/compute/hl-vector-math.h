/* SPDX-License-Identifier: MIT */
/* exp, tanh and erf without branches or calls, so that loops over them become vector code. Relative errors are below 3e-7; the
 * coefficients are minimax fits in double precision. */
#pragma once

#include <glib.h>
#include <math.h>
#include <string.h>

G_BEGIN_DECLS

/**
 * hl_exp_within:
 * @x: a number from −88 to 88
 *
 * Returns: eˣ; 0 below −87.7, where float32 is subnormal
 */
static inline float
hl_exp_within (float x)
{
  /* Added to a number, leaves its integer part in the lowest bits. */
  const float shift = 0x1.8p23f;
  const float shifted = x * 0x1.715476p0f + shift;
  const float n = shifted - shift;
  /* ln 2 in two parts: the first has few enough bits for the product to be exact. */
  const float r = (x - n * 0x1.62ep-1f) - n * 0x1.0bfbe8p-15f;
  float p = 0.0013941109646111727f;
  guint32 bits;
  float power;

  p = p * r + 0.008363175205886364f;
  p = p * r + 0.04166637361049652f;
  p = p * r + 0.16666576266288757f;
  p = p * r + 0.5f;
  p = p * (r * r) + r;
  memcpy (&bits, &shifted, sizeof bits);
  bits = (bits + 127) << 23;
  memcpy (&power, &bits, sizeof power);
  return power + power * p;
}

/**
 * hl_exp:
 * @x: a number; above 88 it is taken for 88
 *
 * Returns: eˣ; 0 below −87.7
 */
static inline float
hl_exp (float x)
{
  return hl_exp_within (x > 88.0f ? 88.0f : (x < -88.0f ? -88.0f : x));
}

/**
 * hl_tanh:
 * @x: a number
 *
 * Returns: its hyperbolic tangent
 */
static inline float
hl_tanh (float x)
{
  const float size = fabsf (x);
  const float z = x * x;
  float p = -0.00606223801150918f;

  p = p * z + 0.0209750197827816f;
  p = p * z - 0.05384669825434685f;
  p = p * z + 0.13332746922969818f;
  p = p * z - 0.333333283662796f;
  const float small = x + x * (z * p);
  const float large = copysignf (1 - 2 / (hl_exp (2 * size) + 1), x);
  return size < 0.6f ? small : large;
}

/**
 * hl_erf:
 * @x: a number
 *
 * Returns: the error function of it
 */
static inline float
hl_erf (float x)
{
  const float size = fabsf (x);
  const float t = size > 4.0f ? 4.0f : size;
  const float z = x * x;
  float p = 7.889119297033176e-05f;
  float q = 2.149611282220576e-05f;

  p = p * z - 0.0008020841050893068f;
  p = p * z + 0.005189535208046436f;
  p = p * z - 0.026854444295167923f;
  p = p * z + 0.11283600330352783f;
  p = p * z - 0.3761262595653534f;
  p = p * z + 0.12837916612625122f;
  const float small = x + x * p;

  /* −ln (1 − erf t) */
  q = q * t - 0.0004391063703224063f;
  q = q * t + 0.004193610977381468f;
  q = q * t - 0.02517896704375744f;
  q = q * t + 0.10837247967720032f;
  q = q * t + 0.6332626342773438f;
  q = q * t + 1.1295567750930786f;
  q = q * t - 0.000183444150025025f;
  const float large = copysignf (1 - hl_exp_within (-q), x);
  return size < 1.0f ? small : large;
}

G_END_DECLS
