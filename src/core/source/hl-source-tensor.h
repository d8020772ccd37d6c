/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

#define HL_TYPE_SOURCE_TENSOR (hl_source_tensor_get_type ())
G_DECLARE_FINAL_TYPE (HlSourceTensor, hl_source_tensor, HL, SOURCE_TENSOR, HlTensor)

HlTensor *hl_source_tensor_new (HlAttentionSource *source,
                                guint              layer);

G_END_DECLS
