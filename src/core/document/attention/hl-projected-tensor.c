/* SPDX-License-Identifier: MIT */
/* Projected positions: [k, n] times [n, features], a head at a time. */
#include "core/document/attention/hl-projected-tensor.h"

#include "core/base/hl-error.h"
#include "core/base/hl-kernel.h"

/* Rows of the projection are read this many numbers at a time. */
#define BAND_NUMBERS (1u << 20)

struct _HlProjectedTensor
{
  HlTensor parent_instance;

  HlLayerTensor base;
  HlLayerTensor projection;
};

G_DEFINE_FINAL_TYPE (HlProjectedTensor, hl_projected_tensor, HL_TYPE_TENSOR)

/* One row of the product. */
HL_KERNEL static void
project_row (const float *weights,
             const float *rows,
             gsize        n_rows,
             gsize        n_columns,
             double      *sums,
             float       *target)
{
  for (gsize column = 0; column < n_columns; column++)
    sums[column] = 0;
  for (gsize row = 0; row < n_rows; row++)
    for (gsize column = 0; column < n_columns; column++)
      sums[column] += (double) weights[row] * rows[row * n_columns + column];
  for (gsize column = 0; column < n_columns; column++)
    target[column] = (float) sums[column];
}

/* Rows @first_row on, columns @first_column on, of one head of one batch item. */
static gboolean
read_head (HlProjectedTensor *self,
           guint64            batch,
           guint64            head,
           guint64            first_row,
           guint64            n_rows,
           guint64            first_column,
           guint64            n_columns,
           float             *target,
           GCancellable      *cancellable,
           GError           **error)
{
  const guint64 n = hl_layer_tensor_get_n_rows (&self->base);
  const guint64 band = CLAMP (BAND_NUMBERS / n, 1, n_rows);
  const guint64 projection_head = self->projection.head_axis < 0 ? 0 : head;
  HlLayerTensor base = self->base;
  g_autofree float *rows = g_try_malloc_n (n * n_columns, sizeof (float));
  g_autofree float *weights = g_try_malloc_n (band * n, sizeof (float));
  g_autofree double *sums = g_try_malloc_n (n_columns, sizeof (double));

  if (rows == NULL || weights == NULL || sums == NULL)
    return hl_error_set_no_memory (error);
  base.batch = batch;
  if (!hl_layer_tensor_read (&base, head, 0, n, first_column, n_columns, rows, cancellable, error))
    return FALSE;
  for (guint64 done = 0; done < n_rows; done += band)
    {
      const guint64 part = MIN (band, n_rows - done);

      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !hl_layer_tensor_read (&self->projection, projection_head, first_row + done, part, 0, n,
                                 weights, cancellable, error))
        return FALSE;
      for (guint64 i = 0; i < part; i++)
        project_row (weights + i * n, rows, n, n_columns, sums, target + (done + i) * n_columns);
    }
  return TRUE;
}

static gboolean
hl_projected_tensor_read_f32 (HlTensor      *tensor,
                              const guint64 *start,
                              const guint64 *count,
                              float         *target,
                              GCancellable  *cancellable,
                              GError       **error)
{
  HlProjectedTensor *self = HL_PROJECTED_TENSOR (tensor);

  if (count[0] == 0 || count[1] == 0 || count[2] == 0 || count[3] == 0)
    return TRUE;
  for (guint64 batch = 0; batch < count[0]; batch++)
    for (guint64 head = 0; head < count[1]; head++)
      {
        if (!read_head (self, start[0] + batch, start[1] + head, start[2], count[2], start[3],
                        count[3], target, cancellable, error))
          return FALSE;
        target += count[2] * count[3];
      }
  return TRUE;
}

static void
hl_projected_tensor_finalize (GObject *object)
{
  HlProjectedTensor *self = HL_PROJECTED_TENSOR (object);

  g_clear_object (&self->base.tensor);
  g_clear_object (&self->projection.tensor);
  G_OBJECT_CLASS (hl_projected_tensor_parent_class)->finalize (object);
}

static void
hl_projected_tensor_class_init (HlProjectedTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_projected_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_projected_tensor_read_f32;
}

static void
hl_projected_tensor_init (HlProjectedTensor *self)
{
}

/**
 * hl_projected_tensor_new: (skip)
 * @base: keys or values of a layer, [head, token, feature], possibly with a batch axis
 * @projection: [position, token], with as many tokens and as many heads as @base has; without a head axis, it is the
 *   same for all heads
 *
 * Returns: (transfer full): [batch, head, position, feature]
 */
HlTensor *
hl_projected_tensor_new (const HlLayerTensor *base,
                         const HlLayerTensor *projection)
{
  HlProjectedTensor *self = g_object_new (HL_TYPE_PROJECTED_TENSOR, NULL);
  const guint64 n_batch =
    base->batch_axis < 0 ? 1 : hl_tensor_get_shape (base->tensor)->dims[base->batch_axis];
  const HlShape shape = { 4,
                          { n_batch, hl_layer_tensor_get_n_heads (base),
                            hl_layer_tensor_get_n_rows (projection),
                            hl_layer_tensor_get_n_columns (base) } };

  self->base = *base;
  self->projection = *projection;
  g_object_ref (base->tensor);
  g_object_ref (projection->tensor);
  hl_tensor_set_layout (HL_TENSOR (self), HL_DTYPE_F32, &shape);
  return HL_TENSOR (self);
}
