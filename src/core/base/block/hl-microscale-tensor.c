/* SPDX-License-Identifier: MIT */
/* Numbers of 4 bits with a scale for each 32, two neighbours a byte. */
#include "core/base/block/hl-microscale-tensor.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/block/hl-block-tensor.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#define N_TOGETHER 32
#define N_BYTES (N_TOGETHER / 2)

struct _HlMicroscaleTensor
{
  HlTensor parent_instance;

  const guint8 *bytes; /* of the first 32 numbers */
  gsize step;          /* to those of the next */
  const guint8 *scales;
  gsize scale_step;
  HlTensor *owners[2];
  HlMappedFile *file;
};

G_DEFINE_FINAL_TYPE (HlMicroscaleTensor, hl_microscale_tensor, HL_TYPE_TENSOR)

/* Some neighbours of a row. */
static void
read_run (HlMicroscaleTensor *self,
          guint64             first,
          guint64             n,
          float              *target)
{
  static const float numbers[16] = { 0, 0.5f, 1, 1.5f, 2, 3, 4, 6, 0, -0.5f, -1, -1.5f, -2, -3, -4, -6 };

  for (guint64 at = first; at < first + n;)
    {
      const guint64 block = at / N_TOGETHER, end = MIN ((block + 1) * N_TOGETHER, first + n);
      const guint8 *bytes = self->bytes + block * self->step;
      const float scale = ldexpf (1, self->scales[block * self->scale_step] - 127);

      for (; at < end; at++)
        {
          const guint8 pair = bytes[at % N_TOGETHER / 2];
          *target++ = scale * numbers[at % 2 == 0 ? pair & 15 : pair >> 4];
        }
    }
}

static gboolean
hl_microscale_tensor_read_f32 (HlTensor      *tensor,
                               const guint64 *start,
                               const guint64 *count,
                               float         *target,
                               GCancellable  *cancellable,
                               GError       **error)
{
  HlMicroscaleTensor *self = HL_MICROSCALE_TENSOR (tensor);
  const HlShape *shape = hl_tensor_get_shape (tensor);
  const guint rank = shape->rank;
  guint64 index[HL_LIMIT_RANK] = { 0 };

  for (guint i = 0; i < rank; i++)
    if (count[i] == 0)
      return TRUE;
  for (;;)
    {
      guint64 first = 0;

      for (guint i = 0; i < rank; i++)
        first = first * shape->dims[i] + start[i] + index[i];
      read_run (self, first, count[rank - 1], target);
      target += count[rank - 1];

      /* All axes but the last, which was one run. */
      const int axis = hl_shape_advance (index, NULL, count, rank - 1);
      if (axis < 0)
        return self->file == NULL || hl_mapped_file_check (self->file, error);
      if (axis == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
    }
}

static void
hl_microscale_tensor_finalize (GObject *object)
{
  HlMicroscaleTensor *self = HL_MICROSCALE_TENSOR (object);

  g_clear_object (&self->owners[0]);
  g_clear_object (&self->owners[1]);
  g_clear_pointer (&self->file, hl_mapped_file_unref);
  G_OBJECT_CLASS (hl_microscale_tensor_parent_class)->finalize (object);
}

static void
hl_microscale_tensor_class_init (HlMicroscaleTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_microscale_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_microscale_tensor_read_f32;
}

static void
hl_microscale_tensor_init (HlMicroscaleTensor *self)
{
}

/* Whether one tensor has a byte for each 32 numbers of the other, 16 bytes in a row. */
static gboolean
fit_one_another (const HlShape *blocks,
                 const HlShape *scales)
{
  if (blocks->rank < 3 || scales->rank + 1 != blocks->rank || blocks->dims[scales->rank] != N_BYTES)
    return FALSE;
  for (guint i = 0; i < scales->rank; i++)
    if (blocks->dims[i] != scales->dims[i])
      return FALSE;
  return TRUE;
}

/* Joins bytes [..., n, 16] and the exponents [..., n] of scales to numbers [..., 32 n]. */
HlTensor *
hl_microscale_tensor_new (HlTensor *blocks,
                          HlTensor *scales,
                          GError  **error)
{
  const HlShape *sizes = hl_tensor_get_shape (blocks);
  const void *bytes = hl_tensor_get_data (blocks), *exponents = hl_tensor_get_data (scales);

  if (hl_tensor_get_dtype (blocks) != HL_DTYPE_U8 || hl_tensor_get_dtype (scales) != HL_DTYPE_U8 || bytes == NULL ||
      exponents == NULL || !fit_one_another (sizes, hl_tensor_get_shape (scales)))
    {
      g_autofree char *first = hl_shape_to_string (sizes);
      g_autofree char *second = hl_shape_to_string (hl_tensor_get_shape (scales));
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("%s bytes of numbers of 4 bits do not fit %s scales"), first,
                   second);
      return NULL;
    }
  HlShape shape = *sizes;
  shape.rank--;
  shape.dims[shape.rank - 1] *= N_TOGETHER;
  HlMicroscaleTensor *self = g_object_new (HL_TYPE_MICROSCALE_TENSOR, NULL);
  hl_tensor_set_layout (HL_TENSOR (self), HL_DTYPE_MXFP4, &shape);
  self->bytes = bytes;
  self->step = N_BYTES;
  self->scales = exponents;
  self->scale_step = 1;
  self->owners[0] = g_object_ref (blocks);
  self->owners[1] = g_object_ref (scales);
  return HL_TENSOR (self);
}

/* Makes one of blocks in a file that begin with the exponent. That all of them lie within the file is checked here, once. */
HlTensor *
hl_microscale_tensor_new_for_file (const HlShape *shape,
                                   HlMappedFile  *file,
                                   guint64        offset,
                                   GError       **error)
{
  const gsize available = hl_mapped_file_get_size (file);
  guint64 n_bytes;

  if (!hl_block_shape_get_n_bytes (HL_DTYPE_MXFP4, shape, &n_bytes) || offset > available ||
      n_bytes > available - offset)
    {
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED, _ ("%s elements of %s do not fit in the file"), sizes,
                   hl_dtype_get_name (HL_DTYPE_MXFP4));
      return NULL;
    }
  HlMicroscaleTensor *self = g_object_new (HL_TYPE_MICROSCALE_TENSOR, NULL);
  hl_tensor_set_layout (HL_TENSOR (self), HL_DTYPE_MXFP4, shape);
  self->scales = (const guint8 *) hl_mapped_file_get_data (file) + offset;
  self->bytes = self->scales + 1;
  self->step = self->scale_step = N_BYTES + 1;
  self->file = hl_mapped_file_ref (file);
  return HL_TENSOR (self);
}
