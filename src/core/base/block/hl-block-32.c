/* SPDX-License-Identifier: MIT */
/* Quantised types of 32 elements: a scale, perhaps a least value, and a few bits for each element, of which two share a byte that are 16
 * apart. */
#include "core/base/block/hl-block-load.h"
#include "core/base/block/hl-block.h"
#include "core/base/hl-kernel.h"

#define N 32
#define HALF 16

HL_KERNEL void
hl_block_widen_q4_0 (const guint8 *blocks,
                     gsize         n_blocks,
                     float        *target)
{
  for (; n_blocks > 0; n_blocks--, blocks += 18, target += N)
    {
      const float scale = load_half (blocks);
      const guint8 *bits = blocks + 2;

      for (int i = 0; i < HALF; i++)
        target[i] = scale * (float) ((bits[i] & 15) - 8);
      for (int i = 0; i < HALF; i++)
        target[HALF + i] = scale * (float) ((bits[i] >> 4) - 8);
    }
}

HL_KERNEL void
hl_block_widen_q4_1 (const guint8 *blocks,
                     gsize         n_blocks,
                     float        *target)
{
  for (; n_blocks > 0; n_blocks--, blocks += 20, target += N)
    {
      const float scale = load_half (blocks), least = load_half (blocks + 2);
      const guint8 *bits = blocks + 4;

      for (int i = 0; i < HALF; i++)
        target[i] = scale * (float) (bits[i] & 15) + least;
      for (int i = 0; i < HALF; i++)
        target[HALF + i] = scale * (float) (bits[i] >> 4) + least;
    }
}

HL_KERNEL void
hl_block_widen_q5_0 (const guint8 *blocks,
                     gsize         n_blocks,
                     float        *target)
{
  for (; n_blocks > 0; n_blocks--, blocks += 22, target += N)
    {
      const float scale = load_half (blocks);
      const guint32 high = load_u32 (blocks + 2);
      const guint8 *bits = blocks + 6;

      for (int i = 0; i < HALF; i++)
        target[i] = scale * (float) ((int) ((bits[i] & 15) | (high >> i & 1) << 4) - 16);
      for (int i = 0; i < HALF; i++)
        target[HALF + i] = scale * (float) ((int) ((guint32) (bits[i] >> 4) | (high >> (HALF + i) & 1) << 4) - 16);
    }
}

HL_KERNEL void
hl_block_widen_q5_1 (const guint8 *blocks,
                     gsize         n_blocks,
                     float        *target)
{
  for (; n_blocks > 0; n_blocks--, blocks += 24, target += N)
    {
      const float scale = load_half (blocks), least = load_half (blocks + 2);
      const guint32 high = load_u32 (blocks + 4);
      const guint8 *bits = blocks + 8;

      for (int i = 0; i < HALF; i++)
        target[i] = scale * (float) (int) ((bits[i] & 15) | (high >> i & 1) << 4) + least;
      for (int i = 0; i < HALF; i++)
        target[HALF + i] = scale * (float) (int) ((guint32) (bits[i] >> 4) | (high >> (HALF + i) & 1) << 4) + least;
    }
}

HL_KERNEL void
hl_block_widen_q8_0 (const guint8 *blocks,
                     gsize         n_blocks,
                     float        *target)
{
  for (; n_blocks > 0; n_blocks--, blocks += 34, target += N)
    {
      const float scale = load_half (blocks);

      for (int i = 0; i < N; i++)
        target[i] = scale * (float) (gint8) blocks[2 + i];
    }
}

/* Sixteen values of a table, instead of evenly spaced ones. */
static inline void
look_up (const gint8  *values,
         float         scale,
         const guint8 *bits,
         float        *target)
{
  for (int i = 0; i < HALF; i++)
    {
      target[i] = scale * (float) values[bits[i] & 15];
      target[HALF + i] = scale * (float) values[bits[i] >> 4];
    }
}

static const gint8 nonlinear[16] = { -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113 };

HL_KERNEL void
hl_block_widen_iq4_nl (const guint8 *blocks,
                       gsize         n_blocks,
                       float        *target)
{
  for (; n_blocks > 0; n_blocks--, blocks += 18, target += N)
    look_up (nonlinear, load_half (blocks), blocks + 2, target);
}

/* The same values, with a scale of 6 bits for each 32 of 256. */
HL_KERNEL void
hl_block_widen_iq4_xs (const guint8 *blocks,
                       gsize         n_blocks,
                       float        *target)
{
  for (; n_blocks > 0; n_blocks--, blocks += 136)
    {
      const float scale = load_half (blocks);
      const guint32 high = load_u16 (blocks + 2);

      for (int part = 0; part < 8; part++, target += N)
        {
          const guint32 low = (guint32) blocks[4 + part / 2] >> 4 * (part % 2) & 15;
          const int level = (int) (low | (high >> 2 * part & 3) << 4) - 32;

          look_up (nonlinear, scale * (float) level, blocks + 8 + part * HALF, target);
        }
    }
}

/* Floating-point numbers of 4 bits, twice their value, with a power of two (OCP Microscaling 1.0). */
HL_KERNEL void
hl_block_widen_mxfp4 (const guint8 *blocks,
                      gsize         n_blocks,
                      float        *target)
{
  static const gint8 doubled[16] = { 0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12 };

  for (; n_blocks > 0; n_blocks--, blocks += 17, target += N)
    {
      /* 2^(e − 128), which is subnormal for the smallest two. */
      const guint32 bits = blocks[0] < 2 ? 0x00200000u << blocks[0] : (guint32) (blocks[0] - 1) << 23;
      float scale;

      memcpy (&scale, &bits, sizeof scale);
      look_up (doubled, scale, blocks + 1, target);
    }
}
