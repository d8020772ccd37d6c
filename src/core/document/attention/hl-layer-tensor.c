/* SPDX-License-Identifier: MIT */
/* The maps of one layer within a tensor, whatever the order of its axes. */
#include "core/document/attention/hl-layer-tensor.h"

#include "core/base/hl-error.h"

/**
 * hl_layer_tensor_get_n_heads:
 * @layer: the maps of a layer
 *
 * Returns: how many heads
 */
guint64
hl_layer_tensor_get_n_heads (const HlLayerTensor *layer)
{
  return layer->head_axis < 0 ? 1 : hl_tensor_get_shape (layer->tensor)->dims[layer->head_axis];
}

/**
 * hl_layer_tensor_get_n_rows:
 * @layer: the maps of a layer
 *
 * Returns: how many rows: queries, or tokens of a projection
 */
guint64
hl_layer_tensor_get_n_rows (const HlLayerTensor *layer)
{
  return hl_tensor_get_shape (layer->tensor)->dims[layer->row_axis];
}

/**
 * hl_layer_tensor_get_n_columns:
 * @layer: the maps of a layer
 *
 * Returns: how many columns: keys, or features of a projection
 */
guint64
hl_layer_tensor_get_n_columns (const HlLayerTensor *layer)
{
  return hl_tensor_get_shape (layer->tensor)->dims[layer->column_axis];
}

/**
 * hl_layer_tensor_read:
 * @layer: the maps of a layer
 * @head: which head
 * @first_row: the first row
 * @n_rows: how many
 * @first_column: the first column
 * @n_columns: how many
 * @target: (out caller-allocates): room for @n_rows × @n_columns, columns fastest
 * @cancellable: (nullable): stops it
 * @error: as hl_tensor_read_f32()
 *
 * Reads a part of the map of one head, whatever the order of axes in the file.
 *
 * Returns: whether @target was filled
 */
gboolean
hl_layer_tensor_read (const HlLayerTensor  *layer,
                      guint64               head,
                      guint64               first_row,
                      guint64               n_rows,
                      guint64               first_column,
                      guint64               n_columns,
                      float                *target,
                      GCancellable         *cancellable,
                      GError              **error)
{
  const HlShape *shape = hl_tensor_get_shape (layer->tensor);
  guint64 start[HL_MAX_RANK] = { 0 };
  guint64 count[HL_MAX_RANK];

  for (guint i = 0; i < shape->rank; i++)
    count[i] = 1;
  if (layer->layer_axis >= 0)
    start[layer->layer_axis] = layer->layer;
  if (layer->batch_axis >= 0)
    start[layer->batch_axis] = layer->batch;
  if (layer->head_axis >= 0)
    start[layer->head_axis] = head;
  start[layer->row_axis] = first_row;
  count[layer->row_axis] = n_rows;
  start[layer->column_axis] = first_column;
  count[layer->column_axis] = n_columns;

  if (layer->row_axis < layer->column_axis || n_rows == 1 || n_columns == 1)
    return hl_tensor_read_f32 (layer->tensor, start, count, target, cancellable, error);

  /* Keys come before queries in the file: read them so, then turn them over. */
  g_autofree float *turned = g_try_malloc_n (n_rows * n_columns, sizeof (float));
  if (turned == NULL)
    return hl_error_set_no_memory (error);
  if (!hl_tensor_read_f32 (layer->tensor, start, count, turned, cancellable, error))
    return FALSE;
  for (guint64 column = 0; column < n_columns; column++)
    for (guint64 row = 0; row < n_rows; row++)
      target[row * n_columns + column] = turned[column * n_rows + row];
  return TRUE;
}
