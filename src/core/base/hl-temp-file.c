/* SPDX-License-Identifier: MIT */
/* A file that appears whole or not at all: written under another name in the same folder, brought
 * to the disk, then renamed. Dropped before that, it leaves nothing behind and an earlier file as
 * it was. */
#include "core/base/hl-temp-file.h"

#include "core/base/hl-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE (1 << 18)

struct _HlTempFile
{
  char *target;
  char *path;
  int fd;
  guint8 *buffer;
  gsize n_buffered;
};

static gboolean
set_io_error (GError **error,
              int      saved_errno)
{
  g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("it cannot be written: %s"), g_strerror (saved_errno));
  return FALSE;
}

/* Through a symbolic link to where it points, so that the link stays one. */
static char *
resolve_target (GFile   *file,
                GError **error)
{
  g_autofree char *path = g_file_get_path (file);
  struct stat info;

  if (path == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("only local files can be written"));
      return NULL;
    }
  if (stat (path, &info) != 0)
    {
      if (errno == ENOENT)
        return g_steal_pointer (&path);
      set_io_error (error, errno);
      return NULL;
    }
  if (!S_ISREG (info.st_mode))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_NOT_A_FILE,
                   S_ISDIR (info.st_mode) ? _ ("it cannot be written: it is a folder")
                                          : _ ("it cannot be written: it is not a regular file"));
      return NULL;
    }
  char *resolved = realpath (path, NULL);
  if (resolved == NULL)
    {
      set_io_error (error, errno);
      return NULL;
    }
  char *copy = g_strdup (resolved);
  free (resolved);
  return copy;
}

/**
 * hl_temp_file_new:
 * @target: a local file, which may exist
 * @error: %HL_ERROR_IO, %HL_ERROR_NOT_A_FILE or %HL_ERROR_UNSUPPORTED
 *
 * Begins a file that will be at @target once it is committed.
 *
 * Returns: (transfer full) (nullable): the file
 */
HlTempFile *
hl_temp_file_new (GFile   *target,
                  GError **error)
{
  g_return_val_if_fail (G_IS_FILE (target), NULL);

  g_autofree char *resolved = resolve_target (target, error);
  if (resolved == NULL)
    return NULL;

  g_autofree char *folder = g_path_get_dirname (resolved);
  for (int attempt = 0;; attempt++)
    {
      g_autofree char *path = g_strdup_printf ("%s/.headlight-%08x%08x", folder, g_random_int (), g_random_int ());
      const int fd = g_open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (fd >= 0)
        {
          HlTempFile *self = g_new0 (HlTempFile, 1);
          self->target = g_steal_pointer (&resolved);
          self->path = g_steal_pointer (&path);
          self->fd = fd;
          self->buffer = g_malloc (BUFFER_SIZE);
          return self;
        }
      if (errno != EEXIST || attempt == 100)
        {
          set_io_error (error, errno);
          return NULL;
        }
    }
}

/**
 * hl_temp_file_get_path:
 * @self: a file
 *
 * Returns: (transfer none): where it is being written, for libraries that want to open it
 * themselves
 */
const char *
hl_temp_file_get_path (HlTempFile *self)
{
  return self->path;
}

static gboolean
write_all (HlTempFile   *self,
           const guint8 *bytes,
           gsize         size,
           GError      **error)
{
  while (size > 0)
    {
      const gssize written = write (self->fd, bytes, size);
      if (written < 0)
        {
          if (errno == EINTR)
            continue;
          return set_io_error (error, errno);
        }
      bytes += written;
      size -= (gsize) written;
    }
  return TRUE;
}

static gboolean
flush (HlTempFile *self,
       GError    **error)
{
  const gsize n = self->n_buffered;

  self->n_buffered = 0;
  return write_all (self, self->buffer, n, error);
}

/**
 * hl_temp_file_write:
 * @self: a file
 * @bytes: what to write at the present offset
 * @size: how many
 * @error: %HL_ERROR_IO
 *
 * Returns: whether it was written, or is about to be
 */
gboolean
hl_temp_file_write (HlTempFile *self,
                    const void *bytes,
                    gsize       size,
                    GError    **error)
{
  if (size > BUFFER_SIZE - self->n_buffered && !flush (self, error))
    return FALSE;
  if (size > BUFFER_SIZE)
    return write_all (self, bytes, size, error);
  if (size > 0)
    memcpy (self->buffer + self->n_buffered, bytes, size);
  self->n_buffered += size;
  return TRUE;
}

/**
 * hl_temp_file_seek:
 * @self: a file
 * @offset: a byte of the file
 * @error: %HL_ERROR_IO
 *
 * Goes on writing somewhere else.
 *
 * Returns: whether that worked
 */
gboolean
hl_temp_file_seek (HlTempFile *self,
                   guint64     offset,
                   GError    **error)
{
  if (!flush (self, error))
    return FALSE;
  return lseek (self->fd, (off_t) offset, SEEK_SET) >= 0 || set_io_error (error, errno);
}

/**
 * hl_temp_file_commit:
 * @self: a file with all that belongs into it
 * @error: %HL_ERROR_IO
 *
 * Puts the file at its place, in the stead of what may be there.
 *
 * Returns: whether it is there
 */
gboolean
hl_temp_file_commit (HlTempFile *self,
                     GError    **error)
{
  g_return_val_if_fail (self->path != NULL, FALSE);

  if (!flush (self, error))
    return FALSE;
  if (fsync (self->fd) != 0 || rename (self->path, self->target) != 0)
    return set_io_error (error, errno);
  g_clear_pointer (&self->path, g_free);
  return TRUE;
}

/**
 * hl_temp_file_free:
 * @self: a file
 *
 * Forgets about the file, and removes it unless it was committed.
 */
void
hl_temp_file_free (HlTempFile *self)
{
  if (self->path != NULL)
    g_unlink (self->path);
  close (self->fd);
  g_free (self->path);
  g_free (self->target);
  g_free (self->buffer);
  g_free (self);
}
