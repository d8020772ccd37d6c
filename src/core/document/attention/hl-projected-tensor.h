/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

#define HL_TYPE_PROJECTED_TENSOR (hl_projected_tensor_get_type ())
/**
 * HlProjectedTensor:
 *
 * Keys or values whose positions are projected to fewer, as in a Linformer: E·K of every head (Wang et al. 2020).
 * Computed when it is read.
 */
G_DECLARE_FINAL_TYPE (HlProjectedTensor, hl_projected_tensor, HL, PROJECTED_TENSOR, HlTensor)

HlTensor *hl_projected_tensor_new (const HlLayerTensor *base,
                                   const HlLayerTensor *projection);

G_END_DECLS
