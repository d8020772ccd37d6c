/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tensor/hl-tensor.h"

G_BEGIN_DECLS

#define HL_TYPE_HEAD_ROWS (hl_head_rows_get_type ())
/**
 * HlHeadRows:
 *
 * The weights of what follows the heads, as the rows of each: [heads, head size, width]. A look at the tensor of a model, whichever way
 * round that is stored, times factors; nothing is copied before it is read.
 */
G_DECLARE_FINAL_TYPE (HlHeadRows, hl_head_rows, HL, HEAD_ROWS, HlTensor)

HlTensor *hl_head_rows_new (HlTensor    *weights,
                            gboolean     transposed,
                            guint        n_heads,
                            float        factor,
                            const float *factors);

G_END_DECLS
