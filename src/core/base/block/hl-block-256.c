/* SPDX-License-Identifier: MIT */
/* Quantised types of 256 elements, in parts of 16 or 32 that have a scale of a few bits each, and perhaps a least value. */
#include "core/base/block/hl-block-load.h"
#include "core/base/block/hl-block.h"
#include "core/base/hl-kernel.h"

#define N 256

HL_KERNEL void
hl_block_widen_q2_k (const guint8 *blocks,
                     gsize         n_blocks,
                     float        *target)
{
  for (; n_blocks > 0; n_blocks--, blocks += 84)
    {
      const float scale = load_half (blocks + 80), least = load_half (blocks + 82);

      for (int part = 0; part < 16; part++, target += 16)
        {
          const guint8 *bits = blocks + 16 + part / 8 * 32 + part % 2 * 16;
          const float step = scale * (float) (blocks[part] & 15), low = least * (float) (blocks[part] >> 4);
          const int shift = part % 8 / 2 * 2;

          for (int i = 0; i < 16; i++)
            target[i] = step * (float) (bits[i] >> shift & 3) - low;
        }
    }
}

/* Small whole numbers times the scales of parts of 16. What comes before in a loop of its own is done on whole registers of bytes. */
static inline void
scale_parts (const gint8 *numbers,
             const float *steps,
             float       *target)
{
  for (int part = 0; part < N / 16; part++)
    for (int i = 0; i < 16; i++)
      target[part * 16 + i] = steps[part] * (float) numbers[part * 16 + i];
}

HL_KERNEL void
hl_block_widen_q3_k (const guint8 *blocks,
                     gsize         n_blocks,
                     float        *target)
{
  for (; n_blocks > 0; n_blocks--, blocks += 110, target += N)
    {
      const float scale = load_half (blocks + 108);
      const guint8 *levels = blocks + 96;
      gint8 numbers[N];
      float steps[16];

      for (int part = 0; part < 16; part++)
        {
          const int low = part < 8 ? levels[part] & 15 : levels[part - 8] >> 4;
          const int level = low | (levels[8 + part % 4] >> part / 4 * 2 & 3) << 4;

          steps[part] = scale * (float) (level - 32);
        }
      for (int run = 0; run < 8; run++)
        for (int i = 0; i < 32; i++)
          numbers[run * 32 + i] =
            (gint8) ((blocks[32 + run / 4 * 32 + i] >> run % 4 * 2 & 3) | (blocks[i] >> run & 1) << 2) - 4;
      scale_parts (numbers, steps, target);
    }
}

/* Scale and least value of a part, 6 bits each, as Q4_K and Q5_K pack eight of both into 12 bytes. */
static inline void
load_levels (const guint8 *levels,
             int           part,
             int          *scale,
             int          *least)
{
  if (part < 4)
    {
      *scale = levels[part] & 63;
      *least = levels[part + 4] & 63;
      return;
    }
  *scale = (levels[part + 4] & 15) | (levels[part - 4] >> 6) << 4;
  *least = levels[part + 4] >> 4 | (levels[part] >> 6) << 4;
}

HL_KERNEL void
hl_block_widen_q4_k (const guint8 *blocks,
                     gsize         n_blocks,
                     float        *target)
{
  for (; n_blocks > 0; n_blocks--, blocks += 144)
    {
      const float scale = load_half (blocks), least = load_half (blocks + 2);

      for (int part = 0; part < 8; part++, target += 32)
        {
          const guint8 *bits = blocks + 16 + part / 2 * 32;
          const int shift = part % 2 * 4;
          int level, low_level;

          load_levels (blocks + 4, part, &level, &low_level);
          const float step = scale * (float) level, low = least * (float) low_level;
          for (int i = 0; i < 32; i++)
            target[i] = step * (float) (bits[i] >> shift & 15) - low;
        }
    }
}

HL_KERNEL void
hl_block_widen_q5_k (const guint8 *blocks,
                     gsize         n_blocks,
                     float        *target)
{
  for (; n_blocks > 0; n_blocks--, blocks += 176)
    {
      const float scale = load_half (blocks), least = load_half (blocks + 2);
      const guint8 *high = blocks + 16;

      for (int part = 0; part < 8; part++, target += 32)
        {
          const guint8 *bits = blocks + 48 + part / 2 * 32;
          const int shift = part % 2 * 4;
          int level, low_level;

          load_levels (blocks + 4, part, &level, &low_level);
          const float step = scale * (float) level, low = least * (float) low_level;
          for (int i = 0; i < 32; i++)
            target[i] = step * (float) ((bits[i] >> shift & 15) | (high[i] >> part & 1) << 4) - low;
        }
    }
}

HL_KERNEL void
hl_block_widen_q6_k (const guint8 *blocks,
                     gsize         n_blocks,
                     float        *target)
{
  for (; n_blocks > 0; n_blocks--, blocks += 210, target += N)
    {
      const float scale = load_half (blocks + 208);
      gint8 numbers[N];
      float steps[16];

      for (int part = 0; part < 16; part++)
        steps[part] = scale * (float) (gint8) blocks[192 + part];
      /* 128 elements are four runs of 32: two share the low bits of 64 bytes, all four the high bits of 32. */
      for (int run = 0; run < 8; run++)
        {
          const guint8 *low = blocks + run / 4 * 64 + run % 2 * 32, *high = blocks + 128 + run / 4 * 32;

          for (int i = 0; i < 32; i++)
            numbers[run * 32 + i] = (gint8) ((low[i] >> run % 4 / 2 * 4 & 15) | (high[i] >> run % 4 * 2 & 3) << 4) - 32;
        }
      scale_parts (numbers, steps, target);
    }
}

/* −1, 0 and 1, five to a byte: the byte times a power of three, times three, has the digit on top. */
static inline void
widen_digits (const guint8 *bytes,
              int           n,
              int           digit,
              float         scale,
              float        *target)
{
  static const guint8 powers[5] = { 1, 3, 9, 27, 81 };

  for (int i = 0; i < n; i++)
    target[i] = (float) (((guint16) (guint8) (bytes[i] * powers[digit]) * 3 >> 8) - 1) * scale;
}

HL_KERNEL void
hl_block_widen_tq1_0 (const guint8 *blocks,
                      gsize         n_blocks,
                      float        *target)
{
  for (; n_blocks > 0; n_blocks--, blocks += 54)
    {
      const float scale = load_half (blocks + 52);

      for (int digit = 0; digit < 5; digit++, target += 32)
        widen_digits (blocks, 32, digit, scale, target);
      for (int digit = 0; digit < 5; digit++, target += 16)
        widen_digits (blocks + 32, 16, digit, scale, target);
      for (int digit = 0; digit < 4; digit++, target += 4)
        widen_digits (blocks + 48, 4, digit, scale, target);
    }
}

HL_KERNEL void
hl_block_widen_tq2_0 (const guint8 *blocks,
                      gsize         n_blocks,
                      float        *target)
{
  for (; n_blocks > 0; n_blocks--, blocks += 66)
    {
      const float scale = load_half (blocks + 64);

      for (int part = 0; part < 8; part++, target += 32)
        for (int i = 0; i < 32; i++)
          target[i] = (float) ((blocks[part / 4 * 32 + i] >> part % 4 * 2 & 3) - 1) * scale;
    }
}
