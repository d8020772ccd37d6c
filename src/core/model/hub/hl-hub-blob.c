/* SPDX-License-Identifier: MIT */
/* A file of the cache while it comes: HASH.incomplete, which is HASH once all of it is there and its hash is that. What is there when the
 * download ends before that is where the next one goes on. A lock, the same that the hub's own tools take, keeps two from writing at once; where
 * there are no locks, each has a file of its own, HASH.RANDOM.incomplete, where nobody goes on. */
#include "core/model/hub/hl-hub-blob.h"

#include "core/base/hl-error.h"
#include "core/model/hub/hl-hub-store.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MODE 0666
#define WAIT_MICROSECONDS 100000
#define READ_BYTES (1 << 18)
#define RANDOM_DIGITS 16

/* Who has written nothing to a file of its own for so long is gone. */
#define ABANDONED_SECONDS (3 * 24 * 60 * 60)

struct _HlHubBlob
{
  const HlHubFile *file;
  HlHubMeter *meter;
  char *path;
  char *incomplete;
  char *lock_path;
  int lock;
  gboolean is_locked;
  int fd; /* -1 when it is there already, and after it was committed */
  guint64 length;
  struct statx_timestamp time; /* of what was written last */
  gboolean is_touched;         /* whether somebody else may have written too */
  GChecksum *checksum;
};

static gboolean
set_unwritten (GError    **error,
               const char *path)
{
  const int code = errno;
  g_autofree char *shown = g_filename_display_name (path);

  g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("%s cannot be written: %s"), shown, g_strerror (code));
  return FALSE;
}

/* Waits until nobody else has it. Where the file system has no locks, there is none to wait for. */
static gboolean
take_lock (HlHubBlob    *self,
           GCancellable *cancellable,
           GError      **error)
{
  g_autofree char *folder = g_path_get_dirname (self->lock_path);
  struct stat info;

  if (!hl_hub_store_make_folder (folder, error))
    return FALSE;
  for (;;)
    {
      self->lock = g_open (self->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0664);
      if (self->lock < 0)
        return set_unwritten (error, self->lock_path);
      while (!(self->is_locked = flock (self->lock, LOCK_EX | LOCK_NB) == 0) && errno == EWOULDBLOCK)
        {
          hl_progress_set (self->meter->progress,
                           self->meter->total > 0 ? (double) self->meter->done / (double) self->meter->total : 0,
                           _ ("Another program is downloading the same file"));
          g_usleep (WAIT_MICROSECONDS);
          if (g_cancellable_set_error_if_cancelled (cancellable, error))
            return FALSE;
        }
      /* Who had it may have removed the file with it. */
      if (fstat (self->lock, &info) == 0 && info.st_nlink > 0)
        return TRUE;
      g_close (self->lock, NULL);
      self->lock = -1;
    }
}

/* Before and after each write of @is_ours. A server is not asked, which would have to have all of it first: that a time goes on meanwhile only makes
 * what has come be read once more. */
static void
look (HlHubBlob *self,
      gboolean   is_ours)
{
  struct statx info = { 0 };

  statx (self->fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_SIZE | STATX_MTIME, &info);
  if (!is_ours && (info.stx_size != self->length || info.stx_mtime.tv_sec != self->time.tv_sec ||
                   info.stx_mtime.tv_nsec != self->time.tv_nsec))
    self->is_touched = TRUE;
  self->time = info.stx_mtime;
}

/* A small file's hash is git's: of a note of its size before it. */
static void
begin_hash (HlHubBlob *self)
{
  const gboolean is_large = strlen (self->file->hash) == HL_HUB_SHA256_DIGITS;

  g_clear_pointer (&self->checksum, g_checksum_free);
  self->checksum = g_checksum_new (is_large ? G_CHECKSUM_SHA256 : G_CHECKSUM_SHA1);
  if (is_large)
    return;
  g_autofree char *note = g_strdup_printf ("blob %" G_GUINT64_FORMAT, self->file->size);
  g_checksum_update (self->checksum, (const guchar *) note, (gssize) strlen (note) + 1);
}

/* Reads what an earlier download has left. */
static gboolean
read_rest (HlHubBlob    *self,
           GCancellable *cancellable,
           GError      **error)
{
  g_autofree guchar *bytes = g_malloc (READ_BYTES);
  ssize_t n;

  while ((n = read (self->fd, bytes, READ_BYTES)) != 0)
    {
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return hl_error_set_unread (error, errno);
      g_checksum_update (self->checksum, bytes, n);
      self->length += (guint64) n;
      hl_hub_meter_add (self->meter, (guint64) n, FALSE);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (self->length > self->file->size)
        return hl_hub_blob_restart (self, error);
    }
  return TRUE;
}

static gboolean
open_incomplete (HlHubBlob    *self,
                 GCancellable *cancellable,
                 GError      **error)
{
  g_autofree char *folder = g_path_get_dirname (self->path);
  struct stat info;

  if (!hl_hub_store_make_folder (folder, error))
    return FALSE;
  self->fd =
    g_open (self->incomplete, O_RDWR | O_CREAT | O_CLOEXEC | (self->is_locked ? O_NOFOLLOW : O_EXCL), FILE_MODE);
  if (self->fd < 0 || fstat (self->fd, &info) != 0)
    return set_unwritten (error, self->incomplete);
  begin_hash (self);
  look (self, TRUE);
  return S_ISREG (info.st_mode) ? read_rest (self, cancellable, error)
                                : (errno = EINVAL, set_unwritten (error, self->incomplete));
}

/**
 * hl_hub_blob_open:
 * @model: the folder of the model
 * @file: which of its files, which has to live as long
 * @meter: is told what is there already
 * @cancellable: (nullable): to stop it
 * @error: %HL_ERROR_IO
 *
 * Begins a file, or goes on with it. Waits while another process has it. Blocks.
 *
 * Returns: (transfer full): the file
 */
HlHubBlob *
hl_hub_blob_open (const char      *model,
                  const HlHubFile *file,
                  HlHubMeter      *meter,
                  GCancellable    *cancellable,
                  GError         **error)
{
  g_autoptr (HlHubBlob) self = g_new0 (HlHubBlob, 1);
  GStatBuf info;

  self->file = file;
  self->meter = meter;
  self->path = hl_hub_store_get_blob (model, file);
  self->lock_path = hl_hub_store_get_lock (model, file);
  self->lock = self->fd = -1;
  if (!take_lock (self, cancellable, error))
    return NULL;
  self->incomplete = self->is_locked
                       ? g_strconcat (self->path, ".incomplete", NULL)
                       : g_strdup_printf ("%s.%08x%08x.incomplete", self->path, g_random_int (), g_random_int ());
  if (g_stat (self->path, &info) == 0 && S_ISREG (info.st_mode) && (guint64) info.st_size == file->size)
    {
      self->length = file->size;
      hl_hub_meter_add (meter, file->size, FALSE);
      return g_steal_pointer (&self);
    }
  return open_incomplete (self, cancellable, error) ? g_steal_pointer (&self) : NULL;
}

static gboolean
is_own_name (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, ".", -1);

  return g_strv_length (parts) == 3 &&
         (hl_hub_is_hash (parts[0], HL_HUB_SHA1_DIGITS) || hl_hub_is_hash (parts[0], HL_HUB_SHA256_DIGITS)) &&
         hl_hub_is_hash (parts[1], RANDOM_DIGITS) && g_str_equal (parts[2], "incomplete");
}

/* Removes what processes that were killed have left where there are no locks. Blocks. */
void
hl_hub_blob_sweep (const char *model)
{
  g_autofree char *path = g_build_filename (model, "blobs", NULL);
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  const char *name;
  GStatBuf info;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);
      if (is_own_name (name) && g_lstat (file, &info) == 0 && S_ISREG (info.st_mode) &&
          now - (gint64) info.st_mtime > ABANDONED_SECONDS)
        g_unlink (file);
    }
}

/* Returns how many bytes are there. */
guint64
hl_hub_blob_get_length (HlHubBlob *self)
{
  return self->length;
}

/* Returns whether the file was there before, and nothing is to be done. */
gboolean
hl_hub_blob_is_complete (HlHubBlob *self)
{
  return self->fd < 0;
}

/* Returns whether what has come stays when the rest does not come, for who goes on with it. */
gboolean
hl_hub_blob_is_kept (HlHubBlob *self)
{
  return self->is_locked;
}

/* Adds bytes that have come. More than there are to be are refused. */
gboolean
hl_hub_blob_append (HlHubBlob  *self,
                    const void *bytes,
                    gsize       size,
                    GError    **error)
{
  const char *at = bytes;

  if (size > self->file->size - self->length)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("the hub sends more than it said"));
      return FALSE;
    }
  look (self, FALSE);
  g_checksum_update (self->checksum, bytes, (gssize) size);
  for (gsize left = size; left > 0;)
    {
      const ssize_t n = write (self->fd, at, left);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return set_unwritten (error, self->incomplete);
      at += n;
      left -= (gsize) n;
    }
  self->length += size;
  look (self, TRUE);
  hl_hub_meter_add (self->meter, size, TRUE);
  return TRUE;
}

/* Drops what is there. */
gboolean
hl_hub_blob_restart (HlHubBlob *self,
                     GError   **error)
{
  hl_hub_meter_remove (self->meter, self->length);
  self->length = 0;
  begin_hash (self);
  if (lseek (self->fd, 0, SEEK_SET) != 0 || ftruncate (self->fd, 0) != 0)
    return set_unwritten (error, self->incomplete);
  look (self, TRUE);
  self->is_touched = FALSE;
  return TRUE;
}

/* Returns whether all is there, and has the hash it should have. */
gboolean
hl_hub_blob_is_right (HlHubBlob *self)
{
  return self->length == self->file->size && g_str_equal (g_checksum_get_string (self->checksum), self->file->hash);
}

/* Whether what is in the file has the hash, too, and has the name still. */
static gboolean
is_right_on_disk (HlHubBlob    *self,
                  GCancellable *cancellable,
                  GError      **error)
{
  struct stat own, named;

  if (fstat (self->fd, &own) != 0 || lstat (self->incomplete, &named) != 0)
    return set_unwritten (error, self->incomplete);
  look (self, FALSE);
  if (self->is_touched)
    {
      hl_hub_meter_remove (self->meter, self->length);
      self->length = 0;
      begin_hash (self);
      if (lseek (self->fd, 0, SEEK_SET) != 0)
        return set_unwritten (error, self->incomplete);
      if (!read_rest (self, cancellable, error))
        return FALSE;
    }
  if (own.st_ino == named.st_ino && own.st_dev == named.st_dev && hl_hub_blob_is_right (self))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
               _ ("%s: another program wrote to it while it came, and what has come was thrown away"),
               self->file->path);
  return FALSE;
}

/* Gives it its name. What another program has put between is thrown away. Blocks. */
gboolean
hl_hub_blob_commit (HlHubBlob    *self,
                    GCancellable *cancellable,
                    GError      **error)
{
  g_return_val_if_fail (hl_hub_blob_is_right (self), FALSE);

  g_autoptr (GError) reason = NULL;
  if (!is_right_on_disk (self, cancellable, &reason))
    {
      if (g_error_matches (reason, HL_ERROR, HL_ERROR_CORRUPT))
        hl_hub_blob_restart (self, NULL);
      g_propagate_error (error, g_steal_pointer (&reason));
      return FALSE;
    }
  if (fsync (self->fd) != 0 || g_rename (self->incomplete, self->path) != 0)
    return set_unwritten (error, self->path);
  g_close (self->fd, NULL);
  self->fd = -1;
  return TRUE;
}

/* Lets others have it. What has come stays, where they find it. */
void
hl_hub_blob_free (HlHubBlob *self)
{
  if (self->fd >= 0 && !self->is_locked)
    g_unlink (self->incomplete);
  if (self->fd >= 0)
    g_close (self->fd, NULL);
  if (self->lock >= 0)
    g_close (self->lock, NULL);
  g_clear_pointer (&self->checksum, g_checksum_free);
  g_free (self->path);
  g_free (self->incomplete);
  g_free (self->lock_path);
  g_free (self);
}
