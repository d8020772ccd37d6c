/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tensor/hl-tensor.h"

G_BEGIN_DECLS

#define HL_TYPE_STACKED_TENSOR (hl_stacked_tensor_get_type ())
G_DECLARE_FINAL_TYPE (HlStackedTensor, hl_stacked_tensor, HL, STACKED_TENSOR, HlTensor)

gboolean  hl_stacked_tensor_fits (HlTensor  *first,
                                  HlTensor  *other);
HlTensor *hl_stacked_tensor_new  (GPtrArray *parts);

G_END_DECLS
