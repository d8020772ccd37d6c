/* SPDX-License-Identifier: MIT */
/* What is left of a tensor when of some axes one index is taken. */
#include "core/base/hl-limits.h"
#include "core/base/tensor/hl-sliced-tensor.h"

struct _HlSlicedTensor
{
  HlTensor parent_instance;

  HlTensor *base;
  gboolean taken[HL_LIMIT_RANK];
  guint64 indices[HL_LIMIT_RANK];
};

G_DEFINE_FINAL_TYPE (HlSlicedTensor, hl_sliced_tensor, HL_TYPE_TENSOR)

static void
widen (HlSlicedTensor *self,
       const guint64  *count,
       guint64        *base_count)
{
  for (guint i = 0, axis = 0; i < hl_tensor_get_shape (self->base)->rank; i++)
    base_count[i] = self->taken[i] ? 1 : count[axis++];
}

static gboolean
hl_sliced_tensor_read_f32 (HlTensor      *tensor,
                           const guint64 *start,
                           const guint64 *count,
                           float         *target,
                           GCancellable  *cancellable,
                           GError       **error)
{
  HlSlicedTensor *self = HL_SLICED_TENSOR (tensor);
  guint64 base_start[HL_LIMIT_RANK], base_count[HL_LIMIT_RANK];

  /* An axis of one index changes nothing about the order of what is read. */
  for (guint i = 0, axis = 0; i < hl_tensor_get_shape (self->base)->rank; i++)
    {
      base_start[i] = self->taken[i] ? self->indices[i] : start[axis];
      axis += !self->taken[i];
    }
  widen (self, count, base_count);
  return hl_tensor_read_f32 (self->base, base_start, base_count, target, cancellable, error);
}

static guint64
hl_sliced_tensor_get_stored (HlTensor *tensor)
{
  return hl_tensor_get_stored (HL_SLICED_TENSOR (tensor)->base);
}

static guint64
hl_sliced_tensor_get_unpacked (HlTensor      *tensor,
                               const guint64 *count,
                               gboolean      *stays)
{
  HlSlicedTensor *self = HL_SLICED_TENSOR (tensor);
  guint64 base_count[HL_LIMIT_RANK];

  widen (self, count, base_count);
  return hl_tensor_get_unpacked (self->base, base_count, stays);
}

static void
hl_sliced_tensor_finalize (GObject *object)
{
  g_clear_object (&HL_SLICED_TENSOR (object)->base);
  G_OBJECT_CLASS (hl_sliced_tensor_parent_class)->finalize (object);
}

static void
hl_sliced_tensor_class_init (HlSlicedTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_sliced_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_sliced_tensor_read_f32;
  HL_TENSOR_CLASS (klass)->get_stored = hl_sliced_tensor_get_stored;
  HL_TENSOR_CLASS (klass)->get_unpacked = hl_sliced_tensor_get_unpacked;
}

static void
hl_sliced_tensor_init (HlSlicedTensor *self)
{
}

/* Returns a tensor with the other axes, in their order. */
HlTensor *
hl_sliced_tensor_new (HlTensor       *base,
                      const gboolean *taken,
                      const guint64  *indices)
{
  g_return_val_if_fail (HL_IS_TENSOR (base), NULL);

  HlSlicedTensor *self = g_object_new (HL_TYPE_SLICED_TENSOR, NULL);
  const HlShape *shape = hl_tensor_get_shape (base);
  HlShape rest = { 0 };

  self->base = g_object_ref (base);
  for (guint i = 0; i < shape->rank; i++)
    {
      self->taken[i] = taken[i];
      self->indices[i] = taken[i] ? indices[i] : 0;
      g_assert (self->indices[i] < shape->dims[i]);
      if (!taken[i])
        rest.dims[rest.rank++] = shape->dims[i];
    }
  hl_tensor_set_layout (HL_TENSOR (self), hl_tensor_get_dtype (base), &rest);
  return HL_TENSOR (self);
}
