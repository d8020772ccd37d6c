/* SPDX-License-Identifier: MIT */
/* HlTensor, and the one kind of it whose bytes lie in memory or in a mapped file. */
#include "core/base/tensor/hl-tensor.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  HlDType dtype;
  HlShape shape;
} HlTensorPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (HlTensor, hl_tensor, G_TYPE_OBJECT)

#define HL_TYPE_BYTES_TENSOR (hl_bytes_tensor_get_type ())
G_DECLARE_FINAL_TYPE (HlBytesTensor, hl_bytes_tensor, HL, BYTES_TENSOR, HlTensor)

struct _HlBytesTensor
{
  HlTensor parent_instance;

  GBytes *bytes;
  HlMappedFile *file; /* NULL if they are in memory */
  const guint8 *first;
  gint64 strides[HL_LIMIT_RANK]; /* bytes */
  gboolean swapped;
};

G_DEFINE_FINAL_TYPE (HlBytesTensor, hl_bytes_tensor, HL_TYPE_TENSOR)

static void
hl_tensor_class_init (HlTensorClass *klass)
{
}

static void
hl_tensor_init (HlTensor *self)
{
}

/* Returns the type of the stored elements. */
HlDType
hl_tensor_get_dtype (HlTensor *self)
{
  HlTensorPrivate *priv = hl_tensor_get_instance_private (self);

  g_return_val_if_fail (HL_IS_TENSOR (self), HL_DTYPE_F32);

  return priv->dtype;
}

const HlShape *
hl_tensor_get_shape (HlTensor *self)
{
  HlTensorPrivate *priv = hl_tensor_get_instance_private (self);

  g_return_val_if_fail (HL_IS_TENSOR (self), NULL);

  return &priv->shape;
}

/* Returns whether its bytes lie in memory or a mapped file, so that keeping what was read gains nothing. */
gboolean
hl_tensor_is_in_memory (HlTensor *self)
{
  g_return_val_if_fail (HL_IS_TENSOR (self), FALSE);

  return HL_IS_BYTES_TENSOR (self);
}

/* Returns whether its numbers lie in a file, and neighbours not beside one another, so that a whole map may cost far more than its size, and a few
 * rows of it far less. */
gboolean
hl_tensor_lies_apart (HlTensor *self)
{
  g_return_val_if_fail (HL_IS_TENSOR (self), FALSE);

  const HlTensorClass *klass = HL_TENSOR_GET_CLASS (self);
  return klass->lies_apart != NULL && klass->lies_apart (self);
}

/* The elements themselves, for those who can use them as they are. Of a mapped file they are only good if
 * hl_mapped_file_check() says so afterwards. Returns the first element or block, when all of them lie in memory or a mapped
 * file, dense, last axis fastest and in this machine's byte order; not necessarily aligned. */
const void *
hl_tensor_get_data (HlTensor *self)
{
  g_return_val_if_fail (HL_IS_TENSOR (self), NULL);

  const HlTensorClass *klass = HL_TENSOR_GET_CLASS (self);
  return klass->get_data != NULL ? klass->get_data (self) : NULL;
}

/* Returns how many bytes its numbers would take one after the other, as stored; the greatest number if there are more. */
guint64
hl_tensor_get_announced (HlTensor *self)
{
  HlTensorPrivate *priv = hl_tensor_get_instance_private (self);
  guint64 n_bytes;

  g_return_val_if_fail (HL_IS_TENSOR (self), 0);

  return hl_shape_get_n_bytes (&priv->shape, hl_dtype_get_size (priv->dtype), &n_bytes) ? n_bytes : G_MAXUINT64;
}

/* Returns how many bytes there are at most that its numbers are made of: fewer than announced where strides repeat some, where they were
 * packed or never written. */
guint64
hl_tensor_get_stored (HlTensor *self)
{
  g_return_val_if_fail (HL_IS_TENSOR (self), 0);

  const HlTensorClass *klass = HL_TENSOR_GET_CLASS (self);
  const guint64 announced = hl_tensor_get_announced (self);
  return klass->get_stored != NULL ? MIN (klass->get_stored (self), announced) : announced;
}

/* Returns how many bytes are unpacked at most where a region of so many numbers on each axis is read, wherever it is; 0 if they lie there as they
 * are. @stays: whether they are kept, so that the next region is had for nothing */
guint64
hl_tensor_get_unpacked (HlTensor      *self,
                        const guint64 *count,
                        gboolean      *stays)
{
  g_return_val_if_fail (HL_IS_TENSOR (self), 0);

  const HlTensorClass *klass = HL_TENSOR_GET_CLASS (self);
  *stays = FALSE;
  return klass->get_unpacked != NULL ? klass->get_unpacked (self, count, stays) : hl_tensor_get_announced (self);
}

/* For types that derive from #HlTensor, once, before the tensor is handed out. */
void
hl_tensor_set_layout (HlTensor      *self,
                      HlDType        dtype,
                      const HlShape *shape)
{
  HlTensorPrivate *priv = hl_tensor_get_instance_private (self);

  g_return_if_fail (HL_IS_TENSOR (self));
  g_return_if_fail (shape->rank <= HL_LIMIT_RANK);

  priv->dtype = dtype;
  priv->shape = *shape;
}

/* Reads a region as float32. May be called from any thread. A region that is not within the shape is a mistake of the caller, and
 * %HL_ERROR_SHAPE. */
gboolean
hl_tensor_read_f32 (HlTensor      *self,
                    const guint64 *start,
                    const guint64 *count,
                    float         *target,
                    GCancellable  *cancellable,
                    GError       **error)
{
  HlTensorPrivate *priv = hl_tensor_get_instance_private (self);

  g_return_val_if_fail (HL_IS_TENSOR (self), FALSE);

  /* Nobody must go on with numbers that were not read. */
  if (!hl_shape_contains (&priv->shape, start, count))
    {
      g_critical ("%s: the region lies outside the tensor", G_STRFUNC);
      g_set_error_literal (error, HL_ERROR, HL_ERROR_SHAPE, _ ("numbers are asked for that a tensor does not have"));
      return FALSE;
    }
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  return HL_TENSOR_GET_CLASS (self)->read_f32 (self, start, count, target, cancellable, error);
}

static gboolean
hl_bytes_tensor_read_f32 (HlTensor      *tensor,
                          const guint64 *start,
                          const guint64 *count,
                          float         *target,
                          GCancellable  *cancellable,
                          GError       **error)
{
  HlBytesTensor *self = HL_BYTES_TENSOR (tensor);
  const HlShape *shape = hl_tensor_get_shape (tensor);
  const guint rank = shape->rank;
  const HlDType dtype = hl_tensor_get_dtype (tensor);
  guint64 index[HL_LIMIT_RANK] = { 0 };

  for (guint i = 0; i < rank; i++)
    if (count[i] == 0)
      return TRUE;

  const guint64 run = rank > 0 ? count[rank - 1] : 1;
  const gint64 step = rank > 0 ? self->strides[rank - 1] : (gint64) hl_dtype_get_size (dtype);
  for (;;)
    {
      gint64 offset = 0;
      for (guint i = 0; i < rank; i++)
        offset += (gint64) (start[i] + index[i]) * self->strides[i];
      hl_dtype_convert_to_f32 (dtype, self->swapped, self->first + offset, (gsize) step, target, run);
      target += run;

      /* All axes but the last, which was one run. */
      const int axis = hl_shape_advance (index, NULL, count, MAX (rank, 1) - 1);
      if (axis < 0)
        return self->file == NULL || hl_mapped_file_check (self->file, error);
      if (axis == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
    }
}

static const void *
hl_bytes_tensor_get_data (HlTensor *tensor)
{
  HlBytesTensor *self = HL_BYTES_TENSOR (tensor);
  const gsize element_size = hl_dtype_get_size (hl_tensor_get_dtype (tensor));

  return !self->swapped && hl_shape_is_dense (hl_tensor_get_shape (tensor), self->strides, element_size) ? self->first
                                                                                                         : NULL;
}

/* From the first byte that an element has to the last. */
static guint64
hl_bytes_tensor_get_stored (HlTensor *tensor)
{
  HlBytesTensor *self = HL_BYTES_TENSOR (tensor);
  const HlShape *shape = hl_tensor_get_shape (tensor);
  guint64 extent = hl_dtype_get_size (hl_tensor_get_dtype (tensor));

  for (guint i = 0; i < shape->rank; i++)
    if (shape->dims[i] > 1)
      extent += (shape->dims[i] - 1) * (guint64) ABS (self->strides[i]);
  return extent;
}

static guint64
hl_bytes_tensor_get_unpacked (HlTensor      *tensor,
                              const guint64 *count,
                              gboolean      *stays)
{
  return 0;
}

static void
hl_bytes_tensor_finalize (GObject *object)
{
  HlBytesTensor *self = HL_BYTES_TENSOR (object);

  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_clear_pointer (&self->file, hl_mapped_file_unref);
  G_OBJECT_CLASS (hl_bytes_tensor_parent_class)->finalize (object);
}

static void
hl_bytes_tensor_class_init (HlBytesTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_bytes_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_bytes_tensor_read_f32;
  HL_TENSOR_CLASS (klass)->get_data = hl_bytes_tensor_get_data;
  HL_TENSOR_CLASS (klass)->get_stored = hl_bytes_tensor_get_stored;
  HL_TENSOR_CLASS (klass)->get_unpacked = hl_bytes_tensor_get_unpacked;
}

static void
hl_bytes_tensor_init (HlBytesTensor *self)
{
}

/* Makes a tensor over bytes in memory. Nothing is copied. That every element lies within @bytes is checked here,
 * once. */
HlTensor *
hl_tensor_new_for_bytes (HlDType        dtype,
                         const HlShape *shape,
                         const gint64  *strides,
                         gboolean       swapped,
                         GBytes        *bytes,
                         guint64        offset,
                         GError       **error)
{
  const gsize element_size = hl_dtype_get_size (dtype);
  gint64 dense[HL_LIMIT_RANK];
  guint64 n_bytes;
  gint64 low, high;

  g_return_val_if_fail (shape->rank <= HL_LIMIT_RANK, NULL);
  g_return_val_if_fail (bytes != NULL, NULL);

  if (!hl_shape_check_n_bytes (shape, element_size, &n_bytes, error))
    return NULL;
  if (strides == NULL)
    {
      /* Where there are no elements, what there would be of them may be as much as anybody likes, and leads nowhere. */
      guint64 step = element_size;
      for (guint i = shape->rank; i-- > 0;)
        {
          dense[i] = (gint64) step;
          step *= MAX (shape->dims[i], 1);
        }
      strides = dense;
    }

  const gsize available = g_bytes_get_size (bytes);
  if (!hl_shape_get_extent (shape, strides, element_size, &low, &high) || offset > available ||
      (guint64) -low > offset || (guint64) high > available - offset)
    {
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED,
                   _ ("a tensor of %s elements of %s reaches past the end of its %zu bytes"), sizes,
                   hl_dtype_get_name (dtype), available);
      return NULL;
    }

  HlBytesTensor *self = g_object_new (HL_TYPE_BYTES_TENSOR, NULL);
  hl_tensor_set_layout (HL_TENSOR (self), dtype, shape);
  self->bytes = g_bytes_ref (bytes);
  /* No bytes at all may have no address either. */
  if (available > 0)
    self->first = (const guint8 *) g_bytes_get_data (bytes, NULL) + offset;
  self->swapped = swapped;
  for (guint i = 0; i < shape->rank; i++)
    self->strides[i] = strides[i];
  return HL_TENSOR (self);
}

/* Makes a tensor over bytes of a mapped file, which is checked after each time it is read. */
HlTensor *
hl_tensor_new_for_mapped_file (HlDType        dtype,
                               const HlShape *shape,
                               const gint64  *strides,
                               gboolean       swapped,
                               HlMappedFile  *file,
                               GBytes        *bytes,
                               guint64        offset,
                               GError       **error)
{
  g_return_val_if_fail (file != NULL, NULL);

  HlTensor *self = hl_tensor_new_for_bytes (dtype, shape, strides, swapped, bytes, offset, error);
  if (self != NULL)
    HL_BYTES_TENSOR (self)->file = hl_mapped_file_ref (file);
  return self;
}
