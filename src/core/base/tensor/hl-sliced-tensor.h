/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tensor/hl-tensor.h"

G_BEGIN_DECLS

#define HL_TYPE_SLICED_TENSOR (hl_sliced_tensor_get_type ())
G_DECLARE_FINAL_TYPE (HlSlicedTensor, hl_sliced_tensor, HL, SLICED_TENSOR, HlTensor)

HlTensor *hl_sliced_tensor_new (HlTensor       *base,
                                const gboolean *taken,
                                const guint64  *indices);

G_END_DECLS
