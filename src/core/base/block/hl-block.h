/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tensor/hl-dtype.h"

G_BEGIN_DECLS

/**
 * HlBlockWidenFunc:
 * @blocks: blocks of one type, anywhere in memory, in little-endian order
 * @n_blocks: how many
 * @target: [n_blocks · elements of a block]: what they stand for
 *
 * Makes float32 numbers of quantised ones.
 */
typedef void (*HlBlockWidenFunc) (const guint8 *blocks,
                                  gsize         n_blocks,
                                  float        *target);

/**
 * HlBlockType:
 * @dtype: the type
 * @widen: what makes float32 numbers of it
 * @words: how many 16-bit numbers in a block have a byte order; −1 where that is not known
 * @offsets: where they are
 * @wide: where a 32-bit number is that has one too; 0 for none
 *
 * How a quantised type is read. The layouts are those of GGUF files.
 */
typedef struct
{
  HlDType          dtype;
  HlBlockWidenFunc widen;
  int              words;
  guint8           offsets[2];
  guint8           wide;
} HlBlockType;

const HlBlockType *hl_block_type_get (HlDType      dtype);
gsize              hl_dtype_get_row_size (HlDType  dtype,
                                          gsize    n);
void               hl_dtype_widen    (HlDType      dtype,
                                      const void  *source,
                                      gsize        n,
                                      float       *target);

/* For the table of types. */
void hl_block_widen_q4_0    (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_q4_1    (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_q5_0    (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_q5_1    (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_q8_0    (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_mxfp4   (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_q2_k    (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_q3_k    (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_q4_k    (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_q5_k    (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_q6_k    (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_iq4_nl  (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_iq4_xs  (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_iq2_xxs (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_iq2_xs  (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_iq2_s   (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_iq3_xxs (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_iq3_s   (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_iq1_s   (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_iq1_m   (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_tq1_0   (const guint8 *blocks, gsize n_blocks, float *target);
void hl_block_widen_tq2_0   (const guint8 *blocks, gsize n_blocks, float *target);

G_END_DECLS
