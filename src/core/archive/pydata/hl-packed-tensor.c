/* SPDX-License-Identifier: MIT */
/* A tensor of packed bytes: opening a file does not unpack what nobody looks at. */
#include "core/archive/pydata/hl-packed-tensor.h"

#include "core/base/hl-limits.h"

struct _HlPackedTensor
{
  HlTensor parent_instance;

  HlZipStore *store;
  guint64 place; /* in the store */
  HlSpan *packed;
  guint64 size;
  guint32 crc;
  gint64 strides[HL_LIMIT_RANK];
  gboolean is_strided;
  gboolean swapped;
  guint64 offset;
  GMutex lock;
  HlTensor *unpacked; /* guarded by the lock; once it is there it stays */
};

G_DEFINE_FINAL_TYPE (HlPackedTensor, hl_packed_tensor, HL_TYPE_TENSOR)

static HlTensor *
unpack (HlPackedTensor *self,
        GCancellable   *cancellable,
        GError        **error)
{
  HlTensor *tensor = HL_TENSOR (self);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (self->unpacked == NULL)
    {
      g_autoptr (HlSpan)
        bytes = hl_zip_store_unpack (self->store, self->packed, self->place, self->size, self->crc, cancellable, error);
      if (bytes != NULL)
        self->unpacked = hl_span_open_tensor (bytes, hl_tensor_get_dtype (tensor), hl_tensor_get_shape (tensor),
                                              self->is_strided ? self->strides : NULL, self->swapped, self->offset,
                                              error);
    }
  return self->unpacked;
}

static gboolean
hl_packed_tensor_read_f32 (HlTensor      *tensor,
                           const guint64 *start,
                           const guint64 *count,
                           float         *target,
                           GCancellable  *cancellable,
                           GError       **error)
{
  HlTensor *unpacked = unpack (HL_PACKED_TENSOR (tensor), cancellable, error);

  return unpacked != NULL && hl_tensor_read_f32 (unpacked, start, count, target, cancellable, error);
}

static guint64
hl_packed_tensor_get_stored (HlTensor *tensor)
{
  return hl_span_get_size (HL_PACKED_TENSOR (tensor)->packed);
}

static gboolean
hl_packed_tensor_lies_apart (HlTensor *tensor)
{
  return HL_PACKED_TENSOR (tensor)->is_strided;
}

static guint64
hl_packed_tensor_get_unpacked (HlTensor      *tensor,
                               const guint64 *count,
                               gboolean      *stays)
{
  *stays = TRUE;
  return HL_PACKED_TENSOR (tensor)->size;
}

static void
hl_packed_tensor_finalize (GObject *object)
{
  HlPackedTensor *self = HL_PACKED_TENSOR (object);

  g_clear_object (&self->unpacked);
  g_clear_object (&self->packed);
  g_clear_object (&self->store);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (hl_packed_tensor_parent_class)->finalize (object);
}

static void
hl_packed_tensor_class_init (HlPackedTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_packed_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_packed_tensor_read_f32;
  HL_TENSOR_CLASS (klass)->get_stored = hl_packed_tensor_get_stored;
  HL_TENSOR_CLASS (klass)->lies_apart = hl_packed_tensor_lies_apart;
  HL_TENSOR_CLASS (klass)->get_unpacked = hl_packed_tensor_get_unpacked;
}

static void
hl_packed_tensor_init (HlPackedTensor *self)
{
  g_mutex_init (&self->lock);
}

/* That the elements lie within the bytes is checked when they are unpacked. */
HlTensor *
hl_packed_tensor_new (HlZipStore    *store,
                      guint64        place,
                      HlSpan        *packed,
                      guint64        size,
                      guint32        crc,
                      HlDType        dtype,
                      const HlShape *shape,
                      const gint64  *strides,
                      gboolean       swapped,
                      guint64        offset)
{
  g_return_val_if_fail (HL_IS_ZIP_STORE (store), NULL);
  g_return_val_if_fail (HL_IS_SPAN (packed), NULL);
  g_return_val_if_fail (shape->rank <= HL_LIMIT_RANK, NULL);

  HlPackedTensor *self = g_object_new (HL_TYPE_PACKED_TENSOR, NULL);
  hl_tensor_set_layout (HL_TENSOR (self), dtype, shape);
  self->store = g_object_ref (store);
  self->place = place;
  self->packed = g_object_ref (packed);
  self->size = size;
  self->crc = crc;
  self->is_strided = !hl_shape_is_dense (shape, strides, hl_dtype_get_size (dtype));
  for (guint i = 0; self->is_strided && i < shape->rank; i++)
    self->strides[i] = strides[i];
  self->swapped = swapped;
  self->offset = offset;
  return HL_TENSOR (self);
}
