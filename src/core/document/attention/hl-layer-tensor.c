/* SPDX-License-Identifier: MIT */
/* The maps of one layer within a tensor, whatever the order of its axes. */
#include "core/document/attention/hl-layer-tensor.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

guint64
hl_layer_tensor_get_n_heads (const HlLayerTensor *layer)
{
  return layer->head_axis < 0 ? 1 : hl_tensor_get_shape (layer->tensor)->dims[layer->head_axis];
}

/* Returns how many rows: queries, or tokens of a projection. */
guint64
hl_layer_tensor_get_n_rows (const HlLayerTensor *layer)
{
  return hl_tensor_get_shape (layer->tensor)->dims[layer->row_axis];
}

/* Returns how many columns: keys, or features of a projection. */
guint64
hl_layer_tensor_get_n_columns (const HlLayerTensor *layer)
{
  return hl_tensor_get_shape (layer->tensor)->dims[layer->column_axis];
}

/* Reads a part of the map of one head, whatever the order of axes in the file. */
gboolean
hl_layer_tensor_read (const HlLayerTensor *layer,
                      guint64              head,
                      guint64              first_row,
                      guint64              n_rows,
                      guint64              first_column,
                      guint64              n_columns,
                      float               *target,
                      GCancellable        *cancellable,
                      GError             **error)
{
  const HlShape *shape = hl_tensor_get_shape (layer->tensor);
  guint64 start[HL_LIMIT_RANK] = { 0 };
  guint64 count[HL_LIMIT_RANK];

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
