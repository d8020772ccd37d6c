/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tensor/hl-tensor.h"
#include "core/model/layer/hl-head-layout.h"

G_BEGIN_DECLS

#define HL_TYPE_HEAD_COLUMNS (hl_head_columns_get_type ())
/**
 * HlHeadColumns:
 *
 * The weights of queries, keys or values, as the columns of each head: [heads, width, head size]. A look at the tensor of a model,
 * whichever way round that is stored, and of all three where they are one; nothing is copied before it is read.
 */
G_DECLARE_FINAL_TYPE (HlHeadColumns, hl_head_columns, HL, HEAD_COLUMNS, HlTensor)

/**
 * hl_head_columns_find_stored:
 * @feature: a feature of a head, the two of a rotary pair half a head apart
 * @size: features of a head
 *
 * Returns: where it is stored when the two of a pair lie beside one another
 */
static inline gsize
hl_head_columns_find_stored (gsize feature,
                             gsize size)
{
  return feature < size / 2 ? 2 * feature : 2 * (feature - size / 2) + 1;
}

HlTensor *hl_head_columns_new (HlTensor *weights,
                               gboolean  transposed,
                               guint     n_heads,
                               gsize     head_size,
                               const HlHeadLayout *layout,
                               gboolean  permuted);

G_END_DECLS
