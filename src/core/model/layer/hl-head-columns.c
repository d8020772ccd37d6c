/* SPDX-License-Identifier: MIT */
/* The columns of the projections that queries, keys and values come from, by head. */
#include "core/model/layer/hl-head-columns.h"

#include "core/document/attention/hl-layer-tensor.h"

struct _HlHeadColumns
{
  HlTensor parent_instance;

  HlLayerTensor columns; /* one map of all heads' features */
  HlHeadLayout layout;
  gboolean permuted; /* whether features are stored in pairs */
};

G_DEFINE_FINAL_TYPE (HlHeadColumns, hl_head_columns, HL_TYPE_TENSOR)

/* Feature k of a half is the first or second of pair k. */
static gboolean
read_permuted (HlHeadColumns *self,
               const guint64 *start,
               const guint64 *count,
               guint64        size,
               float         *target,
               GCancellable  *cancellable,
               GError       **error)
{
  g_autofree float *stored = g_new (float, count[1] * size);

  for (guint64 i = 0; i < count[0]; i++)
    {
      if (!hl_layer_tensor_read (&self->columns, 0, start[1], count[1],
                                 hl_head_layout_find (&self->layout, start[0] + i), size, stored, cancellable, error))
        return FALSE;
      for (guint64 row = 0; row < count[1]; row++)
        for (guint64 k = 0; k < count[2]; k++)
          *target++ = stored[row * size + hl_head_columns_find_stored (start[2] + k, size)];
    }
  return TRUE;
}

static gboolean
hl_head_columns_read_f32 (HlTensor      *tensor,
                          const guint64 *start,
                          const guint64 *count,
                          float         *target,
                          GCancellable  *cancellable,
                          GError       **error)
{
  HlHeadColumns *self = HL_HEAD_COLUMNS (tensor);
  const guint64 size = hl_tensor_get_shape (tensor)->dims[2];

  if (count[1] == 0 || count[2] == 0)
    return TRUE;
  if (self->permuted)
    return read_permuted (self, start, count, size, target, cancellable, error);
  for (guint64 i = 0; i < count[0]; i++)
    if (!hl_layer_tensor_read (&self->columns, 0, start[1], count[1],
                               hl_head_layout_find (&self->layout, start[0] + i) + start[2], count[2],
                               target + i * count[1] * count[2], cancellable, error))
      return FALSE;
  return TRUE;
}

static void
hl_head_columns_finalize (GObject *object)
{
  g_clear_object (&HL_HEAD_COLUMNS (object)->columns.tensor);
  G_OBJECT_CLASS (hl_head_columns_parent_class)->finalize (object);
}

static void
hl_head_columns_class_init (HlHeadColumnsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_head_columns_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_head_columns_read_f32;
}

static void
hl_head_columns_init (HlHeadColumns *self)
{
}

/* Usually weights are stored as [out, in], so that columns are rows there; @transposed where they are not. Heads have @head_size columns each, of which
 * @permuted ones are stored in pairs. */
HlTensor *
hl_head_columns_new (HlTensor           *weights,
                     gboolean            transposed,
                     guint               n_heads,
                     gsize               head_size,
                     const HlHeadLayout *layout,
                     gboolean            permuted)
{
  g_return_val_if_fail (HL_IS_TENSOR (weights), NULL);

  HlHeadColumns *self = g_object_new (HL_TYPE_HEAD_COLUMNS, NULL);
  self->layout = *layout;
  self->permuted = permuted;
  self->columns = (HlLayerTensor){
    .tensor = g_object_ref (weights),
    .layer_axis = -1,
    .batch_axis = -1,
    .head_axis = -1,
    .row_axis = transposed ? 0 : 1,
    .column_axis = transposed ? 1 : 0,
  };
  const HlShape shape = { 3, { n_heads, hl_layer_tensor_get_n_rows (&self->columns), head_size } };
  /* Rows that lie across are no whole blocks, so nobody is told of such. */
  const HlDType dtype = hl_tensor_get_dtype (weights);
  hl_tensor_set_layout (HL_TENSOR (self), hl_dtype_get_block (dtype) > 1 ? HL_DTYPE_F32 : dtype, &shape);
  return HL_TENSOR (self);
}
