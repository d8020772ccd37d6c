/* SPDX-License-Identifier: MIT */
/* The rows of an output projection by head. */
#include "core/model/layer/hl-head-rows.h"

#include "core/document/attention/hl-layer-tensor.h"

struct _HlHeadRows
{
  HlTensor parent_instance;

  HlLayerTensor rows; /* one map of all heads' features */
  float factor;
  float *factors; /* nullable: one for each column besides */
};

G_DEFINE_FINAL_TYPE (HlHeadRows, hl_head_rows, HL_TYPE_TENSOR)

static gboolean
hl_head_rows_read_f32 (HlTensor      *tensor,
                       const guint64 *start,
                       const guint64 *count,
                       float         *target,
                       GCancellable  *cancellable,
                       GError       **error)
{
  HlHeadRows *self = HL_HEAD_ROWS (tensor);
  const guint64 size = hl_tensor_get_shape (tensor)->dims[1];

  if (count[1] == 0 || count[2] == 0)
    return TRUE;
  for (guint64 i = 0; i < count[0]; i++)
    if (!hl_layer_tensor_read (&self->rows, 0, (start[0] + i) * size + start[1], count[1], start[2], count[2],
                               target + i * count[1] * count[2], cancellable, error))
      return FALSE;
  for (guint64 i = 0; self->factor != 1 && i < count[0] * count[1] * count[2]; i++)
    target[i] *= self->factor;
  for (guint64 i = 0; self->factors != NULL && i < count[0] * count[1]; i++)
    for (guint64 k = 0; k < count[2]; k++)
      target[i * count[2] + k] *= self->factors[start[2] + k];
  return TRUE;
}

static void
hl_head_rows_finalize (GObject *object)
{
  g_clear_object (&HL_HEAD_ROWS (object)->rows.tensor);
  g_free (HL_HEAD_ROWS (object)->factors);
  G_OBJECT_CLASS (hl_head_rows_parent_class)->finalize (object);
}

static void
hl_head_rows_class_init (HlHeadRowsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_head_rows_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_head_rows_read_f32;
}

static void
hl_head_rows_init (HlHeadRows *self)
{
}

/* Usually weights are stored as [out, in], so that rows are columns there; @transposed where they are not. What they give is
 * multiplied by @factor, and each feature by one of @factors if there are, before it is added to anything. */
HlTensor *
hl_head_rows_new (HlTensor    *weights,
                  gboolean     transposed,
                  guint        n_heads,
                  float        factor,
                  const float *factors)
{
  g_return_val_if_fail (HL_IS_TENSOR (weights), NULL);

  HlHeadRows *self = g_object_new (HL_TYPE_HEAD_ROWS, NULL);
  self->factor = factor;
  self->rows = (HlLayerTensor){
    .tensor = g_object_ref (weights),
    .layer_axis = -1,
    .batch_axis = -1,
    .head_axis = -1,
    .row_axis = transposed ? 0 : 1,
    .column_axis = transposed ? 1 : 0,
  };
  const guint64 n_rows = hl_layer_tensor_get_n_rows (&self->rows);
  const HlShape shape = { 3, { n_heads, n_rows / n_heads, hl_layer_tensor_get_n_columns (&self->rows) } };
  self->factors = factors != NULL ? g_memdup2 (factors, shape.dims[2] * sizeof *factors) : NULL;
  /* Rows that lie across are no whole blocks, so nobody is told of such. */
  const HlDType dtype = hl_tensor_get_dtype (weights);
  const gboolean is_changed = hl_dtype_get_block (dtype) > 1 || factor != 1 || factors != NULL;
  hl_tensor_set_layout (HL_TENSOR (self), is_changed ? HL_DTYPE_F32 : dtype, &shape);
  return HL_TENSOR (self);
}
