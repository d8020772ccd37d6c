/* SPDX-License-Identifier: MIT */
/* A run of bytes of a file or in memory, so that whoever reads a member of an archive need not know whether it is
 * stored as it is, was unpacked, or is the whole file. */
#include "core/archive/hl-span.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/hl-error.h"
#include "core/base/file/hl-file-read.h"
#include "core/base/file/hl-file-version.h"
#include "core/base/tensor/hl-file-tensor.h"

/* Of numbers that lie apart, a single map can have all of a file in memory. */
#define MOST_MAPPED ((guint64) 160 << 20)

struct _HlSpan
{
  GObject parent_instance;

  HlSpan *file;          /* the span that opened the file; itself, without a reference, when this is it */
  int fd;                /* of the one that opened the file */
  HlFileVersion version; /* of that file, when it was opened */
  GMutex lock;           /* guards the mapping of the one that opened the file */
  HlMappedFile *mapped;  /* the whole file, once someone needed it */
  gboolean maps;         /* tensors, of the one that opened the file */
  GBytes *bytes;         /* in memory, and then there is no file */
  guint64 offset;
  guint64 size;
};

G_DEFINE_FINAL_TYPE (HlSpan, hl_span, G_TYPE_OBJECT)

static void
hl_span_finalize (GObject *object)
{
  HlSpan *self = HL_SPAN (object);

  if (self->fd >= 0)
    close (self->fd);
  if (self->file != self)
    g_clear_object (&self->file);
  g_clear_pointer (&self->mapped, hl_mapped_file_unref);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (hl_span_parent_class)->finalize (object);
}

static void
hl_span_class_init (HlSpanClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_span_finalize;
}

static void
hl_span_init (HlSpan *self)
{
  self->fd = -1;
  g_mutex_init (&self->lock);
}

HlSpan *
hl_span_open (GFile   *file,
              GError **error)
{
  struct stat info;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (HlSpan) self = g_object_new (HL_TYPE_SPAN, NULL);
  self->fd = hl_file_open_regular (file, &info, error);
  if (self->fd < 0)
    return NULL;
  self->version = hl_file_version_take (self->fd, &info);
  self->file = self;
  self->size = (guint64) info.st_size;
  return g_steal_pointer (&self);
}

/* As hl_span_open(), but tensors are mapped whether they lie densely or not: for numbers that are used where they are. Who has used
 * them is to ask hl_span_check(). */
HlSpan *
hl_span_open_mapped (GFile   *file,
                     GError **error)
{
  HlSpan *self = hl_span_open (file, error);

  if (self != NULL)
    self->maps = TRUE;
  return self;
}

/* A file of hl_scratch_file_open(), which the span closes; of its length nothing changes any more, nor what somebody reads. Its tensors are
 * mapped if those of @like, which may be %NULL, are. */
HlSpan *
hl_span_new_for_scratch (int      fd,
                         HlSpan  *like,
                         GError **error)
{
  struct stat info;

  g_return_val_if_fail (like == NULL || HL_IS_SPAN (like), NULL);

  g_autoptr (HlSpan) self = g_object_new (HL_TYPE_SPAN, NULL);
  self->fd = fd;
  if (fstat (fd, &info) != 0)
    {
      hl_error_set_unread (error, errno);
      return NULL;
    }
  self->version = hl_file_version_of (&info);
  self->version.is_ours = TRUE;
  self->file = self;
  self->size = (guint64) info.st_size;
  self->maps = like != NULL && like->file != NULL && like->file->maps;
  return g_steal_pointer (&self);
}

HlSpan *
hl_span_new_for_bytes (GBytes *bytes)
{
  g_return_val_if_fail (bytes != NULL, NULL);

  HlSpan *self = g_object_new (HL_TYPE_SPAN, NULL);
  self->bytes = g_bytes_ref (bytes);
  self->size = g_bytes_get_size (bytes);
  return self;
}

static gboolean
contains (HlSpan *self,
          guint64 offset,
          guint64 size)
{
  return offset <= self->size && size <= self->size - offset;
}

HlSpan *
hl_span_slice (HlSpan *self,
               guint64 offset,
               guint64 size)
{
  g_return_val_if_fail (HL_IS_SPAN (self), NULL);
  g_return_val_if_fail (contains (self, offset, size), NULL);

  HlSpan *part = g_object_new (HL_TYPE_SPAN, NULL);
  if (self->bytes != NULL)
    part->bytes = g_bytes_new_from_bytes (self->bytes, offset, size);
  else
    part->file = g_object_ref (self->file);
  part->offset = self->offset + offset;
  part->size = size;
  return part;
}

guint64
hl_span_get_size (HlSpan *self)
{
  g_return_val_if_fail (HL_IS_SPAN (self), 0);

  return self->size;
}

gboolean
hl_span_read (HlSpan  *self,
              guint64  offset,
              void    *target,
              gsize    size,
              GError **error)
{
  g_return_val_if_fail (HL_IS_SPAN (self), FALSE);

  gboolean enough = contains (self, offset, size);
  if (enough && self->bytes != NULL)
    {
      if (size > 0)
        memcpy (target, (const guint8 *) g_bytes_get_data (self->bytes, NULL) + offset, size);
      return TRUE;
    }
  for (gsize done = 0; enough && done < size;)
    {
      const gssize n =
        pread (self->file->fd, (guint8 *) target + done, size - done, (off_t) (self->offset + offset + done));
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          hl_error_set_unread (error, errno);
          return FALSE;
        }
      enough = n > 0;
      done += (gsize) n;
    }
  if (!enough)
    g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED, _ ("the file ends too early"));
  return enough && hl_file_version_check (&self->file->version, self->file->fd, error);
}

/* Only the version that was opened, of which somebody may have read already. */
static HlMappedFile *
map_file (HlSpan  *self,
          GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (self->mapped != NULL)
    return self->mapped;
  g_autoptr (HlMappedFile) mapped = self->version.is_ours ? hl_mapped_file_new_for_scratch (self->fd, error)
                                                          : hl_mapped_file_new_for_fd (self->fd, error);
  if (mapped != NULL && hl_file_version_check (&self->version, self->fd, error))
    self->mapped = g_steal_pointer (&mapped);
  return self->mapped;
}

/* Nothing is copied: the file is mapped. Who has looked at the bytes is to ask hl_span_check(). */
GBytes *
hl_span_map (HlSpan  *self,
             GError **error)
{
  g_return_val_if_fail (HL_IS_SPAN (self), NULL);

  if (self->bytes != NULL)
    return g_bytes_ref (self->bytes);
  HlMappedFile *mapped = map_file (self->file, error);
  if (mapped == NULL)
    return NULL;
  const gsize available = hl_mapped_file_get_size (mapped);
  if (self->offset > available || self->size > available - self->offset)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED, _ ("the file ends too early"));
      return NULL;
    }
  g_autoptr (GBytes) bytes = hl_mapped_file_get_bytes (mapped);
  return g_bytes_new_from_bytes (bytes, self->offset, self->size);
}

/* Returns whether what hl_span_map() gave was, when it was looked at, what is in the file. If not, that takes the place of an error
 * that followed from it. */
gboolean
hl_span_check (HlSpan  *self,
               GError **error)
{
  g_return_val_if_fail (HL_IS_SPAN (self), FALSE);

  if (self->bytes != NULL)
    return TRUE;
  g_autoptr (GError) reason = NULL;
  HlMappedFile *mapped = map_file (self->file, &reason);
  if (mapped != NULL && hl_mapped_file_check (mapped, &reason))
    return TRUE;
  g_clear_error (error);
  g_propagate_error (error, g_steal_pointer (&reason));
  return FALSE;
}

/* Makes a tensor over bytes of the span, without a copy. What lies densely in a file is read when it is asked for, so that a file that is cut off
 * meanwhile does no harm; what does not is mapped unless the file is large, and all of hl_span_open_mapped(). Returns the tensor, which keeps what
 * it needs. */
HlTensor *
hl_span_open_tensor (HlSpan        *self,
                     HlDType        dtype,
                     const HlShape *shape,
                     const gint64  *strides,
                     gboolean       swapped,
                     guint64        offset,
                     GError       **error)
{
  gint64 low, high;

  g_return_val_if_fail (HL_IS_SPAN (self), NULL);

  if (self->file != NULL && !self->file->maps &&
      (self->file->size > MOST_MAPPED || hl_shape_is_dense (shape, strides, hl_dtype_get_size (dtype))) &&
      hl_shape_get_extent (shape, strides, hl_dtype_get_size (dtype), &low, &high) && (guint64) -low <= offset &&
      contains (self, offset, (guint64) high))
    return hl_file_tensor_new (dtype, shape, strides, swapped, G_OBJECT (self->file), self->file->fd,
                               &self->file->version, self->offset + offset, error);

  g_autoptr (GBytes) bytes = hl_span_map (self, error);
  if (bytes == NULL)
    return NULL;
  return self->bytes != NULL
           ? hl_tensor_new_for_bytes (dtype, shape, strides, swapped, bytes, offset, error)
           : hl_tensor_new_for_mapped_file (dtype, shape, strides, swapped, self->file->mapped, bytes, offset, error);
}
