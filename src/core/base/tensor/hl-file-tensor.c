/* SPDX-License-Identifier: MIT */
/* A tensor whose numbers lie one after the other in an open file and are read when they are asked for. A mapping would do the same
 * without a copy, but when another program writes the file anew, as happens to dumps, all of it would be lost and not only what is gone. */
#include "core/base/tensor/hl-file-tensor.h"

#include <errno.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

/* As much is read at a time: large enough that calls do not count, small enough to stop soon and stay in the cache. */
#define BAND_BYTES ((gsize) 1 << 20)

struct _HlFileTensor
{
  HlTensor parent_instance;

  GObject *owner;
  int fd;
  HlFileVersion version;
  guint64 offset;
  gboolean swapped;
};

G_DEFINE_FINAL_TYPE (HlFileTensor, hl_file_tensor, HL_TYPE_TENSOR)

static gboolean
read_bytes (int      fd,
            guint64  offset,
            void    *target,
            gsize    size,
            GError **error)
{
  guint8 *at = target;

  while (size > 0)
    {
      const gssize n = pread (fd, at, size, (off_t) offset);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return hl_error_set_unread (error, errno);
      if (n == 0)
        return hl_error_set_shorter (error);
      at += n;
      offset += (guint64) n;
      size -= (gsize) n;
    }
  return TRUE;
}

/* @n numbers in a row, from element @first on. */
static gboolean
read_run (HlFileTensor *self,
          HlDType       dtype,
          guint64       first,
          guint64       n,
          float        *target,
          GCancellable *cancellable,
          GError      **error)
{
  const gsize size = hl_dtype_get_size (dtype);
  const gboolean direct = dtype == HL_DTYPE_F32 && !self->swapped;
  const guint64 band = BAND_BYTES / size;
  g_autofree guint8 *bytes = direct ? NULL : g_malloc (MIN (n, band) * size);

  for (guint64 done = 0; done < n; done += band)
    {
      const guint64 part = MIN (band, n - done);
      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !read_bytes (self->fd, self->offset + (first + done) * size, direct ? (void *) (target + done) : bytes,
                       part * size, error))
        return FALSE;
      if (!direct)
        hl_dtype_convert_to_f32 (dtype, self->swapped, bytes, size, target + done, part);
    }
  return TRUE;
}

static gboolean
hl_file_tensor_read_f32 (HlTensor      *tensor,
                         const guint64 *start,
                         const guint64 *count,
                         float         *target,
                         GCancellable  *cancellable,
                         GError       **error)
{
  HlFileTensor *self = HL_FILE_TENSOR (tensor);
  const HlShape *shape = hl_tensor_get_shape (tensor);
  const HlDType dtype = hl_tensor_get_dtype (tensor);
  guint64 index[HL_LIMIT_RANK] = { 0 };
  guint64 run = 1;
  guint outer = shape->rank;

  for (guint i = 0; i < shape->rank; i++)
    if (count[i] == 0)
      return TRUE;
  /* Axes that are read whole lie in one run with the axis before them. */
  while (outer > 0)
    {
      outer--;
      run *= count[outer];
      if (count[outer] != shape->dims[outer])
        break;
    }

  for (;;)
    {
      guint64 first = 0;
      for (guint i = 0; i < shape->rank; i++)
        first = first * shape->dims[i] + start[i] + index[i];
      if (!read_run (self, dtype, first, run, target, cancellable, error))
        return FALSE;
      target += run;
      if (hl_shape_advance (index, NULL, count, outer) < 0)
        return hl_file_version_check (&self->version, self->fd, error);
    }
}

static void
hl_file_tensor_finalize (GObject *object)
{
  g_clear_object (&HL_FILE_TENSOR (object)->owner);
  G_OBJECT_CLASS (hl_file_tensor_parent_class)->finalize (object);
}

static void
hl_file_tensor_class_init (HlFileTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_file_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_file_tensor_read_f32;
}

static void
hl_file_tensor_init (HlFileTensor *self)
{
}

/* Makes a tensor over a part of a file. That the file is long enough is checked here, and that it is what it was each time it is
 * read. */
HlTensor *
hl_file_tensor_new (HlDType              dtype,
                    const HlShape       *shape,
                    gboolean             swapped,
                    GObject             *owner,
                    int                  fd,
                    const HlFileVersion *version,
                    guint64              offset,
                    GError             **error)
{
  guint64 n_bytes;

  g_return_val_if_fail (shape->rank <= HL_LIMIT_RANK, NULL);
  g_return_val_if_fail (G_IS_OBJECT (owner), NULL);

  if (!hl_shape_check_n_bytes (shape, hl_dtype_get_size (dtype), &n_bytes, error))
    return NULL;
  if (offset > version->size || n_bytes > version->size - offset)
    {
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED,
                   _ ("a tensor of %s elements of %s reaches past the end of the file"), sizes,
                   hl_dtype_get_name (dtype));
      return NULL;
    }

  HlFileTensor *self = g_object_new (HL_TYPE_FILE_TENSOR, NULL);
  hl_tensor_set_layout (HL_TENSOR (self), dtype, shape);
  self->owner = g_object_ref (owner);
  self->fd = fd;
  self->version = *version;
  self->offset = offset;
  self->swapped = swapped;
  return HL_TENSOR (self);
}
