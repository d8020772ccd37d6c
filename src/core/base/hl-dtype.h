/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlDType:
 *
 * The element types that a tensor can have. The order is not stored in any file.
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
} HlDType;

const char *hl_dtype_get_name (HlDType dtype);
gsize       hl_dtype_get_size (HlDType dtype);
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
