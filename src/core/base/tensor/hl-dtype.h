/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlDType:
 *
 * The element types that a tensor can have. The order is not stored in any file. From @HL_DTYPE_Q4_0 on, elements are quantised: some
 * neighbours of a row are stored together, as a block of one size (the types of GGUF files).
 */
typedef enum {
  HL_DTYPE_F16,
  HL_DTYPE_BF16,
  HL_DTYPE_F32,
  HL_DTYPE_F64,
  HL_DTYPE_I8,
  HL_DTYPE_I16,
  HL_DTYPE_I32,
  HL_DTYPE_I64,
  HL_DTYPE_U8,
  HL_DTYPE_U16,
  HL_DTYPE_U32,
  HL_DTYPE_U64,
  HL_DTYPE_BOOL,
  HL_DTYPE_Q4_0,
  HL_DTYPE_Q4_1,
  HL_DTYPE_Q5_0,
  HL_DTYPE_Q5_1,
  HL_DTYPE_Q8_0,
  HL_DTYPE_IQ4_NL,
  HL_DTYPE_MXFP4,
  HL_DTYPE_Q2_K,
  HL_DTYPE_Q3_K,
  HL_DTYPE_Q4_K,
  HL_DTYPE_Q5_K,
  HL_DTYPE_Q6_K,
  HL_DTYPE_IQ4_XS,
  HL_DTYPE_IQ2_XXS,
  HL_DTYPE_IQ2_XS,
  HL_DTYPE_IQ2_S,
  HL_DTYPE_IQ3_XXS,
  HL_DTYPE_IQ3_S,
  HL_DTYPE_IQ1_S,
  HL_DTYPE_IQ1_M,
  HL_DTYPE_TQ1_0,
  HL_DTYPE_TQ2_0,
} HlDType;

/**
 * HL_DTYPE_MAX_BLOCK:
 *
 * The most elements that a type stores together.
 */
#define HL_DTYPE_MAX_BLOCK 256

const char *hl_dtype_get_name (HlDType dtype);
gsize       hl_dtype_get_size (HlDType dtype);
gsize       hl_dtype_get_block (HlDType dtype);
gboolean    hl_dtype_is_float (HlDType dtype);
void        hl_dtype_convert_to_f32 (HlDType     dtype,
                                     gboolean    swapped,
                                     const void *source,
                                     gsize       stride,
                                     float      *target,
                                     gsize       n);

float   hl_f16_to_f32 (guint16 half);
guint16 hl_f32_to_f16 (float value);

G_END_DECLS
