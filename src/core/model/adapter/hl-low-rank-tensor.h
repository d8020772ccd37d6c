/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tensor/hl-tensor.h"

G_BEGIN_DECLS

/**
 * HlLowRank:
 * @down: A, [rank, in]
 * @up: B, [out, rank]
 * @scale: what their product is multiplied by
 * @transposed: whether the matrix that it is added to is [in, out] and not [out, in]
 * @magnitude: (nullable): m, [out], of DoRA
 *
 * What is added to a matrix W: W + scale · B · A, the LoRA of Hu et al. 2021. With magnitudes, each row of that sum is brought to the
 * length m, the DoRA of Liu et al. 2024.
 */
typedef struct
{
  HlTensor *down;
  HlTensor *up;
  float     scale;
  gboolean  transposed;
  HlTensor *magnitude;
} HlLowRank;

#define HL_TYPE_LOW_RANK_TENSOR (hl_low_rank_tensor_get_type ())
G_DECLARE_FINAL_TYPE (HlLowRankTensor, hl_low_rank_tensor, HL, LOW_RANK_TENSOR, HlTensor)

HlTensor        *hl_low_rank_tensor_new        (HlTensor         *base,
                                                const HlLowRank  *change,
                                                GError          **error);
HlTensor        *hl_low_rank_tensor_get_base   (HlLowRankTensor  *self);
const HlLowRank *hl_low_rank_tensor_get_change (HlLowRankTensor  *self);

G_END_DECLS
