/* SPDX-License-Identifier: MIT */
/* Quantised types of 256 elements whose magnitudes are rows of a table, four or eight at a time, and whose signs are kept apart. */
#include "core/base/block/hl-block-grids.h"
#include "core/base/block/hl-block-load.h"
#include "core/base/block/hl-block.h"

/* Eight magnitudes, of two bits each. */
static inline void
widen_eight (guint16 row,
             guint   signs,
             float   scale,
             float  *target)
{
  static const guint8 magnitudes[4] = { 8, 25, 43, 0 };

  for (int i = 0; i < 8; i++)
    {
      const float value = scale * (float) magnitudes[row >> 2 * i & 3];
      target[i] = signs >> i & 1 ? -value : value;
    }
}

/* Four magnitudes, of three bits each. */
static inline void
widen_four (const guint8 *magnitudes,
            guint16       row,
            guint         signs,
            float         scale,
            float        *target)
{
  for (int i = 0; i < 4; i++)
    {
      const float value = scale * (float) magnitudes[row >> 3 * i & 7];
      target[i] = signs >> i & 1 ? -value : value;
    }
}

/* Seven signs; an even number of all eight is negative. */
static inline guint
complete_signs (guint seven)
{
  return seven | (guint) __builtin_parity (seven) << 7;
}

void
hl_block_widen_iq2_xxs (const guint8 *blocks,
                        gsize         n_blocks,
                        float        *target)
{
  for (; n_blocks > 0; n_blocks--, blocks += 66)
    {
      const float scale = load_half (blocks);

      for (int part = 0; part < 8; part++)
        {
          const guint8 *rows = blocks + 2 + part * 8;
          const guint32 rest = load_u32 (rows + 4);
          const float step = scale * (0.5f + (float) (rest >> 28)) * 0.25f;

          for (int i = 0; i < 4; i++, target += 8)
            widen_eight (grid_iq2_xxs[rows[i]], complete_signs (rest >> 7 * i & 127), step, target);
        }
    }
}

void
hl_block_widen_iq2_xs (const guint8 *blocks,
                       gsize         n_blocks,
                       float        *target)
{
  for (; n_blocks > 0; n_blocks--, blocks += 74)
    {
      const float scale = load_half (blocks);

      for (int part = 0; part < 32; part++, target += 8)
        {
          const guint16 row = load_u16 (blocks + 2 + 2 * part);
          const guint level = (guint) blocks[66 + part / 4] >> part % 4 / 2 * 4 & 15;

          widen_eight (grid_iq2_xs[row & 511], complete_signs (row >> 9), scale * (0.5f + (float) level) * 0.25f,
                       target);
        }
    }
}

void
hl_block_widen_iq2_s (const guint8 *blocks,
                      gsize         n_blocks,
                      float        *target)
{
  for (; n_blocks > 0; n_blocks--, blocks += 82)
    {
      const float scale = load_half (blocks);

      for (int part = 0; part < 32; part++, target += 8)
        {
          const guint high = (guint) blocks[66 + part / 4] >> part % 4 * 2 & 3;
          const guint level = (guint) blocks[74 + part / 4] >> part % 4 / 2 * 4 & 15;

          widen_eight (grid_iq2_s[blocks[2 + part] | high << 8], blocks[34 + part],
                       scale * (0.5f + (float) level) * 0.25f, target);
        }
    }
}

void
hl_block_widen_iq3_xxs (const guint8 *blocks,
                        gsize         n_blocks,
                        float        *target)
{
  static const guint8 magnitudes[8] = { 4, 12, 20, 28, 36, 44, 52, 62 };

  for (; n_blocks > 0; n_blocks--, blocks += 98)
    {
      const float scale = load_half (blocks);

      for (int part = 0; part < 8; part++)
        {
          const guint8 *rows = blocks + 2 + part * 8;
          const guint32 rest = load_u32 (blocks + 66 + part * 4);
          const float step = scale * (0.5f + (float) (rest >> 28)) * 0.5f;

          for (int i = 0; i < 4; i++, target += 8)
            {
              const guint signs = complete_signs (rest >> 7 * i & 127);

              widen_four (magnitudes, grid_iq3_xxs[rows[2 * i]], signs, step, target);
              widen_four (magnitudes, grid_iq3_xxs[rows[2 * i + 1]], signs >> 4, step, target + 4);
            }
        }
    }
}

void
hl_block_widen_iq3_s (const guint8 *blocks,
                      gsize         n_blocks,
                      float        *target)
{
  static const guint8 magnitudes[8] = { 1, 3, 5, 7, 9, 11, 13, 15 };

  for (; n_blocks > 0; n_blocks--, blocks += 110)
    {
      const float scale = load_half (blocks);

      for (int part = 0; part < 32; part++, target += 8)
        {
          const guint8 *rows = blocks + 2 + 2 * part;
          const guint high = (guint) blocks[66 + part / 4] >> part % 4 * 2, signs = blocks[74 + part];
          const guint level = (guint) blocks[106 + part / 8] >> part / 4 % 2 * 4 & 15;
          const float step = scale * (float) (1 + 2 * level);

          widen_four (magnitudes, grid_iq3_s[rows[0] | (high & 1) << 8], signs, step, target);
          widen_four (magnitudes, grid_iq3_s[rows[1] | (high & 2) << 7], signs >> 4, step, target + 4);
        }
    }
}

/* Eight of −1, 0 and 1, kept as 0 to 2, moved a little to one side. */
static inline void
widen_ternary (guint16 row,
               float   move,
               float   scale,
               float  *target)
{
  for (int i = 0; i < 8; i++)
    target[i] = scale * ((float) ((row >> 2 * i & 3) - 1) + move);
}

void
hl_block_widen_iq1_s (const guint8 *blocks,
                      gsize         n_blocks,
                      float        *target)
{
  for (; n_blocks > 0; n_blocks--, blocks += 50)
    {
      const float scale = load_half (blocks);

      for (int part = 0; part < 8; part++)
        {
          const guint rest = load_u16 (blocks + 34 + 2 * part);
          const float step = scale * (float) (2 * (rest >> 12 & 7) + 1);

          for (int i = 0; i < 4; i++, target += 8)
            widen_ternary (grid_iq1_s[blocks[2 + 4 * part + i] | (rest >> 3 * i & 7) << 8],
                           rest & 0x8000 ? -0.125f : 0.125f, step, target);
        }
    }
}

void
hl_block_widen_iq1_m (const guint8 *blocks,
                      gsize         n_blocks,
                      float        *target)
{
  for (; n_blocks > 0; n_blocks--, blocks += 56)
    {
      guint16 levels[4], bits = 0;

      /* The scale lies in the upper bits of the four words of levels. */
      for (int i = 0; i < 4; i++)
        {
          levels[i] = load_u16 (blocks + 48 + 2 * i);
          bits |= (guint16) ((levels[i] >> 12) << 4 * i);
        }
      const float scale = hl_f16_to_f32 (bits);
      for (int part = 0; part < 32; part++, target += 8)
        {
          const guint rest = (guint) blocks[32 + part / 2] >> part % 2 * 4;
          const guint level = (guint) levels[part / 8] >> part % 8 / 2 * 3 & 7;

          widen_ternary (grid_iq1_s[blocks[part] | (rest & 7) << 8], rest & 8 ? -0.125f : 0.125f,
                         scale * (float) (2 * level + 1), target);
        }
    }
}
