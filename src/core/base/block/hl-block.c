/* SPDX-License-Identifier: MIT */
/* The table of quantised types, and rows of any type as float32. */
#include "core/base/block/hl-block.h"

static const HlBlockType types[] = {
  { HL_DTYPE_Q4_0, hl_block_widen_q4_0, 1, { 0 } },        { HL_DTYPE_Q4_1, hl_block_widen_q4_1, 2, { 0, 2 } },
  { HL_DTYPE_Q5_0, hl_block_widen_q5_0, 1, { 0 }, 2 },     { HL_DTYPE_Q5_1, hl_block_widen_q5_1, 2, { 0, 2 }, 4 },
  { HL_DTYPE_Q8_0, hl_block_widen_q8_0, 1, { 0 } },        { HL_DTYPE_MXFP4, hl_block_widen_mxfp4, 0, { 0 } },
  { HL_DTYPE_Q2_K, hl_block_widen_q2_k, 2, { 80, 82 } },   { HL_DTYPE_Q3_K, hl_block_widen_q3_k, 1, { 108 } },
  { HL_DTYPE_Q4_K, hl_block_widen_q4_k, 2, { 0, 2 } },     { HL_DTYPE_Q5_K, hl_block_widen_q5_k, 2, { 0, 2 } },
  { HL_DTYPE_Q6_K, hl_block_widen_q6_k, 1, { 208 } },      { HL_DTYPE_IQ4_NL, hl_block_widen_iq4_nl, 1, { 0 } },
  { HL_DTYPE_IQ4_XS, hl_block_widen_iq4_xs, 2, { 0, 2 } }, { HL_DTYPE_IQ2_XXS, hl_block_widen_iq2_xxs, -1, { 0 } },
  { HL_DTYPE_IQ2_XS, hl_block_widen_iq2_xs, -1, { 0 } },   { HL_DTYPE_IQ2_S, hl_block_widen_iq2_s, 1, { 0 } },
  { HL_DTYPE_IQ3_XXS, hl_block_widen_iq3_xxs, -1, { 0 } }, { HL_DTYPE_IQ3_S, hl_block_widen_iq3_s, 1, { 0 } },
  { HL_DTYPE_IQ1_S, hl_block_widen_iq1_s, -1, { 0 } },     { HL_DTYPE_IQ1_M, hl_block_widen_iq1_m, -1, { 0 } },
  { HL_DTYPE_TQ1_0, hl_block_widen_tq1_0, 1, { 52 } },     { HL_DTYPE_TQ2_0, hl_block_widen_tq2_0, 1, { 64 } },
};

/* Returns how a type is read; %NULL of one that is not quantised. */
const HlBlockType *
hl_block_type_get (HlDType dtype)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].dtype == dtype)
      return &types[i];
  return NULL;
}

/* Returns the bytes of some elements beside one another, which are whole blocks. */
gsize
hl_dtype_get_row_size (HlDType dtype,
                       gsize   n)
{
  return n / hl_dtype_get_block (dtype) * hl_dtype_get_size (dtype);
}

/* Makes float32 numbers of elements of this machine's byte order that lie beside one another. Quantised ones are whole blocks. */
void
hl_dtype_widen (HlDType     dtype,
                const void *source,
                gsize       n,
                float      *target)
{
  const HlBlockType *type = hl_dtype_get_block (dtype) > 1 ? hl_block_type_get (dtype) : NULL;

  if (type != NULL)
    type->widen (source, n / hl_dtype_get_block (dtype), target);
  else
    hl_dtype_convert_to_f32 (dtype, FALSE, source, hl_dtype_get_size (dtype), target, n);
}
