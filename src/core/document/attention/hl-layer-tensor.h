/* SPDX-License-Identifier: MIT */
/* Which numbers of a tensor are the maps of one layer. */
#pragma once

#include "core/base/tensor/hl-tensor.h"

G_BEGIN_DECLS

/**
 * HlLayerTensor:
 * @tensor: where the numbers of one layer lie; may be shared by all layers
 * @layer_axis: the axis of @tensor that counts layers, or -1 when the tensor is of this layer alone
 * @layer: the index on that axis
 * @batch_axis: the axis that counts examples, or -1
 * @batch: the index on that axis
 * @head_axis: the axis that counts heads, or -1 when there is one head and no axis for it
 * @row_axis: the axis of queries (or of tokens, for queries and keys themselves)
 * @column_axis: the axis of keys (or of the features of a projection)
 *
 * Which numbers of a tensor are the maps of one layer.
 */
typedef struct
{
  HlTensor *tensor;
  int       layer_axis;
  guint64   layer;
  int       batch_axis;
  guint64   batch;
  int       head_axis;
  int       row_axis;
  int       column_axis;
} HlLayerTensor;

guint64  hl_layer_tensor_get_n_heads   (const HlLayerTensor *layer);
guint64  hl_layer_tensor_get_n_rows    (const HlLayerTensor *layer);
guint64  hl_layer_tensor_get_n_columns (const HlLayerTensor *layer);
gboolean hl_layer_tensor_read          (const HlLayerTensor  *layer,
                                        guint64               head,
                                        guint64               first_row,
                                        guint64               n_rows,
                                        guint64               first_column,
                                        guint64               n_columns,
                                        float                *target,
                                        GCancellable         *cancellable,
                                        GError              **error);

G_END_DECLS
