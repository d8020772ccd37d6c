/* SPDX-License-Identifier: MIT */
/* Tensors of the same sizes as one, with an axis before theirs that tells them apart. */
#include "core/base/tensor/hl-stacked-tensor.h"

#include <string.h>

#include "core/base/hl-limits.h"

struct _HlStackedTensor
{
  HlTensor parent_instance;

  GPtrArray *parts;
};

G_DEFINE_FINAL_TYPE (HlStackedTensor, hl_stacked_tensor, HL_TYPE_TENSOR)

static gboolean
hl_stacked_tensor_read_f32 (HlTensor      *tensor,
                            const guint64 *start,
                            const guint64 *count,
                            float         *target,
                            GCancellable  *cancellable,
                            GError       **error)
{
  HlStackedTensor *self = HL_STACKED_TENSOR (tensor);
  guint64 size = 1;

  for (guint axis = 1; axis < hl_tensor_get_shape (tensor)->rank; axis++)
    size *= count[axis];
  for (guint64 i = 0; i < count[0]; i++)
    if (!hl_tensor_read_f32 (self->parts->pdata[start[0] + i], start + 1, count + 1, target + i * size, cancellable,
                             error))
      return FALSE;
  return TRUE;
}

static guint64
hl_stacked_tensor_get_stored (HlTensor *tensor)
{
  HlStackedTensor *self = HL_STACKED_TENSOR (tensor);
  guint64 stored = 0;

  for (guint i = 0; i < self->parts->len; i++)
    if (!g_uint64_checked_add (&stored, stored, hl_tensor_get_stored (self->parts->pdata[i])))
      return G_MAXUINT64;
  return stored;
}

static guint64
hl_stacked_tensor_get_unpacked (HlTensor      *tensor,
                                const guint64 *count,
                                gboolean      *stays)
{
  HlStackedTensor *self = HL_STACKED_TENSOR (tensor);
  guint64 most = 0, unpacked;

  *stays = TRUE;
  for (guint i = 0; i < self->parts->len; i++)
    {
      gboolean own_stays;

      most = MAX (most, hl_tensor_get_unpacked (self->parts->pdata[i], count + 1, &own_stays));
      *stays &= own_stays;
    }
  return g_uint64_checked_mul (&unpacked, most, count[0]) ? unpacked : G_MAXUINT64;
}

static gboolean
hl_stacked_tensor_lies_apart (HlTensor *tensor)
{
  return hl_tensor_lies_apart (HL_STACKED_TENSOR (tensor)->parts->pdata[0]);
}

static void
hl_stacked_tensor_finalize (GObject *object)
{
  g_ptr_array_unref (HL_STACKED_TENSOR (object)->parts);
  G_OBJECT_CLASS (hl_stacked_tensor_parent_class)->finalize (object);
}

static void
hl_stacked_tensor_class_init (HlStackedTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_stacked_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_stacked_tensor_read_f32;
  HL_TENSOR_CLASS (klass)->get_stored = hl_stacked_tensor_get_stored;
  HL_TENSOR_CLASS (klass)->get_unpacked = hl_stacked_tensor_get_unpacked;
  HL_TENSOR_CLASS (klass)->lies_apart = hl_stacked_tensor_lies_apart;
}

static void
hl_stacked_tensor_init (HlStackedTensor *self)
{
}

/* Whether both can be parts of one. */
gboolean
hl_stacked_tensor_fits (HlTensor *first,
                        HlTensor *other)
{
  const HlShape *shape = hl_tensor_get_shape (first), *own = hl_tensor_get_shape (other);

  return own->rank == shape->rank && memcmp (own->dims, shape->dims, shape->rank * sizeof *shape->dims) == 0;
}

/* Takes @parts, at least one, which all fit the first. */
HlTensor *
hl_stacked_tensor_new (GPtrArray *parts)
{
  HlStackedTensor *self = g_object_new (HL_TYPE_STACKED_TENSOR, NULL);
  const HlShape *inner = hl_tensor_get_shape (parts->pdata[0]);
  HlDType dtype = hl_tensor_get_dtype (parts->pdata[0]);
  HlShape shape = { .rank = inner->rank + 1, .dims = { parts->len } };

  g_assert (shape.rank <= HL_LIMIT_RANK);
  for (guint axis = 0; axis < inner->rank; axis++)
    shape.dims[axis + 1] = inner->dims[axis];
  for (guint i = 1; i < parts->len; i++)
    {
      g_assert (hl_stacked_tensor_fits (parts->pdata[0], parts->pdata[i]));
      if (hl_tensor_get_dtype (parts->pdata[i]) != dtype)
        dtype = HL_DTYPE_F32;
    }
  self->parts = parts;
  hl_tensor_set_layout (HL_TENSOR (self), dtype, &shape);
  return HL_TENSOR (self);
}
