/* SPDX-License-Identifier: MIT */
/* Numbers of 8 bits, by a table of all. */
#include "core/base/tensor/hl-float8-tensor.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

struct _HlFloat8Tensor
{
  HlTensor parent_instance;

  HlTensor *bytes;
  HlTensor *scales; /* nullable: [..., rectangles below one another, beside one another], or one number */
  guint64 n_rows;   /* of a rectangle */
  guint64 n_columns;
  const float *table; /* [256] */
};

G_DEFINE_FINAL_TYPE (HlFloat8Tensor, hl_float8_tensor, HL_TYPE_TENSOR)

static const float *
get_table (void)
{
  static float table[256];
  static gsize is_made = 0;

  if (g_once_init_enter (&is_made))
    {
      for (guint i = 0; i < 256; i++)
        {
          const int exponent = i >> 3 & 15, mantissa = i & 7;
          const float size = exponent > 0 ? ldexpf (1 + (float) mantissa / 8, exponent - 7)
                                          : ldexpf ((float) mantissa / 8, -6);

          table[i] = (i & 127) == 127 ? NAN : i >= 128 ? -size : size;
        }
      g_once_init_leave (&is_made, 1);
    }
  return table;
}

/* What some neighbours of a row are multiplied by. */
static gboolean
scale_run (HlFloat8Tensor *self,
           const guint64  *at,
           guint64         n,
           float          *target,
           GError        **error)
{
  const HlShape *shape = hl_tensor_get_shape (self->scales);
  const guint rank = shape->rank;
  guint64 start[HL_LIMIT_RANK] = { 0 }, count[HL_LIMIT_RANK];
  g_autofree float *scales = NULL;
  guint64 first = 0;

  for (guint i = 0; i < rank; i++)
    {
      start[i] = at[i];
      count[i] = 1;
    }
  if (rank < 2)
    {
      /* One for all. */
      start[0] = 0;
    }
  else
    {
      first = at[rank - 1] / self->n_columns;
      start[rank - 2] = at[rank - 2] / self->n_rows;
      start[rank - 1] = first;
      count[rank - 1] = (at[rank - 1] + n - 1) / self->n_columns - first + 1;
    }
  scales = g_new (float, rank < 2 ? 1 : count[rank - 1]);
  if (!hl_tensor_read_f32 (self->scales, start, count, scales, NULL, error))
    return FALSE;
  for (guint64 i = 0; i < n; i++)
    target[i] *= scales[rank < 2 ? 0 : (at[rank - 1] + i) / self->n_columns - first];
  return TRUE;
}

/* Whether the bytes that were looked up are still those of the file: their own tensor says so whenever any is read. */
static gboolean
check_bytes (HlFloat8Tensor *self,
             GError        **error)
{
  const guint64 start[HL_LIMIT_RANK] = { 0 };
  guint64 count[HL_LIMIT_RANK];
  float number;

  for (guint i = 0; i < HL_LIMIT_RANK; i++)
    count[i] = 1;
  return hl_tensor_read_f32 (self->bytes, start, count, &number, NULL, error);
}

static gboolean
hl_float8_tensor_read_f32 (HlTensor      *tensor,
                           const guint64 *start,
                           const guint64 *count,
                           float         *target,
                           GCancellable  *cancellable,
                           GError       **error)
{
  HlFloat8Tensor *self = HL_FLOAT8_TENSOR (tensor);
  const guint8 *bytes = hl_tensor_get_data (self->bytes);
  const HlShape *shape = hl_tensor_get_shape (tensor);
  const guint rank = shape->rank, last = rank - 1;
  guint64 index[HL_LIMIT_RANK] = { 0 }, at[HL_LIMIT_RANK] = { 0 };

  if (rank == 0)
    {
      *target = self->table[*bytes];
      return (self->scales == NULL || scale_run (self, at, 1, target, error)) && check_bytes (self, error);
    }
  for (guint i = 0; i < rank; i++)
    if (count[i] == 0)
      return TRUE;
  for (;;)
    {
      guint64 first = 0;

      for (guint i = 0; i < rank; i++)
        {
          at[i] = start[i] + index[i];
          first = first * shape->dims[i] + at[i];
        }
      for (guint64 i = 0; i < count[last]; i++)
        target[i] = self->table[bytes[first + i]];
      if (self->scales != NULL && !scale_run (self, at, count[last], target, error))
        return FALSE;
      target += count[last];

      /* All axes but the last, which was one run. */
      const int axis = hl_shape_advance (index, NULL, count, last);
      if (axis < 0)
        return check_bytes (self, error);
      if (axis == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
    }
}

static void
hl_float8_tensor_finalize (GObject *object)
{
  HlFloat8Tensor *self = HL_FLOAT8_TENSOR (object);

  g_clear_object (&self->bytes);
  g_clear_object (&self->scales);
  G_OBJECT_CLASS (hl_float8_tensor_parent_class)->finalize (object);
}

static void
hl_float8_tensor_class_init (HlFloat8TensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_float8_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_float8_tensor_read_f32;
}

static void
hl_float8_tensor_init (HlFloat8Tensor *self)
{
}

/* Reads bytes of a mapped file as such numbers. */
HlTensor *
hl_float8_tensor_new (HlTensor *bytes,
                      GError  **error)
{
  if (hl_tensor_get_dtype (bytes) != HL_DTYPE_U8 || hl_tensor_get_data (bytes) == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("numbers of 8 bits are read only where they are mapped"));
      return NULL;
    }
  HlFloat8Tensor *self = g_object_new (HL_TYPE_FLOAT8_TENSOR, NULL);
  hl_tensor_set_layout (HL_TENSOR (self), HL_DTYPE_BF16, hl_tensor_get_shape (bytes));
  self->bytes = g_object_ref (bytes);
  self->table = get_table ();
  return HL_TENSOR (self);
}

/* Makes one whose numbers are multiplied: each rectangle of @n_rows × @n_columns by one of @scales, or all by a single one. */
HlTensor *
hl_float8_tensor_new_scaled (HlFloat8Tensor *self,
                             HlTensor       *scales,
                             guint64         n_rows,
                             guint64         n_columns,
                             GError        **error)
{
  const HlShape *shape = hl_tensor_get_shape (HL_TENSOR (self)), *sizes = hl_tensor_get_shape (scales);
  const guint rank = shape->rank;
  const HlDType dtype = hl_tensor_get_dtype (scales);
  gboolean good = n_rows > 0 && n_columns > 0;

  if (!hl_dtype_is_float (dtype))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("the scales are of %s; floating-point numbers are needed"),
                   hl_dtype_get_name (dtype));
      return NULL;
    }
  if (sizes->rank < 2)
    good = good && (sizes->rank == 0 || sizes->dims[0] == 1);
  else
    good = good && sizes->rank == rank && sizes->dims[rank - 2] == (shape->dims[rank - 2] + n_rows - 1) / n_rows &&
           sizes->dims[rank - 1] == (shape->dims[rank - 1] + n_columns - 1) / n_columns;
  for (guint i = 0; good && sizes->rank > 2 && i < rank - 2; i++)
    good = sizes->dims[i] == shape->dims[i];
  if (!good)
    {
      g_autofree char *first = hl_shape_to_string (shape);
      g_autofree char *second = hl_shape_to_string (sizes);
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("%s numbers of 8 bits do not fit %s scales"), first, second);
      return NULL;
    }
  HlFloat8Tensor *scaled = g_object_new (HL_TYPE_FLOAT8_TENSOR, NULL);
  hl_tensor_set_layout (HL_TENSOR (scaled), HL_DTYPE_F32, shape);
  scaled->bytes = g_object_ref (self->bytes);
  scaled->scales = g_object_ref (scales);
  scaled->n_rows = n_rows;
  scaled->n_columns = n_columns;
  scaled->table = self->table;
  return HL_TENSOR (scaled);
}

/* Returns whether its numbers are multiplied by scales. */
gboolean
hl_float8_tensor_has_scales (HlFloat8Tensor *self)
{
  return self->scales != NULL;
}
