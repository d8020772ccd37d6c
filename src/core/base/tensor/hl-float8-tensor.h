/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tensor/hl-tensor.h"

G_BEGIN_DECLS

#define HL_TYPE_FLOAT8_TENSOR (hl_float8_tensor_get_type ())
/**
 * HlFloat8Tensor:
 *
 * Floating-point numbers of 8 bits, 4 of them the exponent's (E4M3 of Micikevicius et al. 2022, without infinity), with a scale for each
 * rectangle of a matrix, or none. Its type is told to be bfloat16, which holds them all, or float32 with scales.
 */
G_DECLARE_FINAL_TYPE (HlFloat8Tensor, hl_float8_tensor, HL, FLOAT8_TENSOR, HlTensor)

HlTensor *hl_float8_tensor_new        (HlTensor        *bytes,
                                       GError         **error);
HlTensor *hl_float8_tensor_new_scaled (HlFloat8Tensor  *self,
                                       HlTensor        *scales,
                                       guint64          n_rows,
                                       guint64          n_columns,
                                       GError         **error);
gboolean  hl_float8_tensor_has_scales (HlFloat8Tensor  *self);

G_END_DECLS
