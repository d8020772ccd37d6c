/* SPDX-License-Identifier: MIT */
/* Opening and reading that neither waits for ever, as for somebody to write into a pipe, nor goes on for ever, as from a device of zeros. */
#include "core/base/file/hl-file-read.h"

#include "core/base/hl-error.h"
#include "core/base/file/hl-file-version.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/resource.h>
#include <unistd.h>

#define PART (1u << 16)

/* Descriptors that are left for others, and how many are asked for: with models in 4096 files, and what else is open. */
#define N_KEPT 64
#define MAX_OPEN 8192

/**
 * hl_file_is_local:
 * @file: a file
 *
 * Returns: whether it has a path, by which the system reaches it; no host is asked for it
 */
gboolean
hl_file_is_local (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), FALSE);

  g_autofree char *path = g_file_get_path (file);
  return path != NULL;
}

/**
 * hl_file_leaves_room:
 * @fd: a descriptor that was just opened
 *
 * A dump or a model may be as many files as a process can have open at all, and GLib and GTK end it where there is none left for a pipe.
 *
 * Returns: whether others can still be opened; %FALSE, with errno set, if it is to be closed again
 */
gboolean
hl_file_leaves_room (int fd)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return TRUE;
  const rlim_t n_kept = MIN (limit.rlim_cur / 4, N_KEPT);
  if ((rlim_t) fd < limit.rlim_cur - n_kept)
    return TRUE;
  errno = EMFILE;
  return FALSE;
}

/* For the whole process, as far as it is allowed: what can be one dump or model can be open. */
void
hl_file_make_room (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= MAX_OPEN)
    return;
  limit.rlim_cur = MIN (limit.rlim_max, MAX_OPEN);
  setrlimit (RLIMIT_NOFILE, &limit);
}

/* Without waiting, whatever it is. */
static int
open_any (GFile       *file,
          struct stat *info,
          GError     **error)
{
  g_autofree char *path = g_file_get_path (file);

  if (path == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("only local files can be opened"));
      return -1;
    }
  const int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  if (fd < 0 || fstat (fd, info) != 0 || !hl_file_leaves_room (fd))
    {
      hl_error_set_unread (error, errno);
      if (fd >= 0)
        close (fd);
      return -1;
    }
  return fd;
}

/**
 * hl_file_open_regular:
 * @file: a local file
 * @info: (out caller-allocates): what it is
 * @error: %HL_ERROR_IO, %HL_ERROR_NOT_A_FILE or %HL_ERROR_UNSUPPORTED
 *
 * Opens a file whose bytes can be read at any place. Folders, devices and pipes are none.
 *
 * Returns: its descriptor, below 0 with an error
 */
int
hl_file_open_regular (GFile       *file,
                      struct stat *info,
                      GError     **error)
{
  g_return_val_if_fail (G_IS_FILE (file) && info != NULL, -1);

  const int fd = open_any (file, info, error);
  if (fd < 0 || S_ISREG (info->st_mode))
    return fd;
  close (fd);
  g_set_error (error, HL_ERROR, HL_ERROR_NOT_A_FILE, _ ("this is not a regular file"));
  return -1;
}

/* Who reads a pipe waits for who writes it, and no longer than for being cancelled. */
static gboolean
wait_for_bytes (int           fd,
                GCancellable *cancellable,
                GError      **error)
{
  GPollFD polled[2] = { { .fd = fd, .events = G_IO_IN } };
  const gboolean watched = g_cancellable_make_pollfd (cancellable, &polled[1]);

  while (g_poll (polled, watched ? 2 : 1, -1) < 0 && errno == EINTR)
    ;
  if (watched)
    g_cancellable_release_fd (cancellable);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

static GBytes *
read_parts (int           fd,
            gsize         max,
            GCancellable *cancellable,
            GError      **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  while (bytes->len < max)
    {
      const guint n = bytes->len, n_wanted = (guint) MIN (max - n, PART);

      if (!wait_for_bytes (fd, cancellable, error))
        return NULL;
      g_byte_array_set_size (bytes, n + n_wanted);
      const gssize n_read = read (fd, bytes->data + n, n_wanted);
      const int reason = errno;
      g_byte_array_set_size (bytes, n + (guint) MAX (n_read, 0));
      if (n_read == 0)
        break;
      if (n_read < 0 && reason != EINTR && reason != EAGAIN)
        {
          hl_error_set_unread (error, reason);
          return NULL;
        }
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

/* Takes the descriptor over. */
static GBytes *
read_head (int           fd,
           struct stat  *info,
           gsize         max,
           GCancellable *cancellable,
           GError      **error)
{
  const HlFileVersion version = hl_file_version_take (fd, info);
  g_autoptr (GBytes) bytes = NULL;

  if (S_ISDIR (info->st_mode))
    hl_error_set_unread (error, EISDIR);
  else
    bytes = read_parts (fd, max, cancellable, error);
  const gboolean same = bytes == NULL || !S_ISREG (info->st_mode) || hl_file_version_check (&version, fd, error);
  close (fd);
  return same ? g_steal_pointer (&bytes) : NULL;
}

/**
 * hl_file_read_head:
 * @file: a local file, or what a program writes into a pipe
 * @max: how many bytes are enough, less than 4 GiB
 * @cancellable: (nullable): stops it, also while it waits for a pipe
 * @error: %HL_ERROR_IO, %HL_ERROR_NOT_A_FILE, %HL_ERROR_UNSUPPORTED or %G_IO_ERROR_CANCELLED
 *
 * Reads what is small. Who wants to know whether there is more asks for a byte more than is allowed. Blocks.
 *
 * Returns: (transfer full) (nullable): its bytes
 */
GBytes *
hl_file_read_head (GFile        *file,
                   gsize         max,
                   GCancellable *cancellable,
                   GError      **error)
{
  struct stat info;

  g_return_val_if_fail (G_IS_FILE (file) && max < G_MAXUINT, NULL);

  const int fd = open_any (file, &info, error);
  return fd < 0 ? NULL : read_head (fd, &info, max, cancellable, error);
}

/**
 * hl_file_read_regular:
 * @file: a local file
 * @max: how many bytes are enough, less than 4 GiB
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_IO, %HL_ERROR_NOT_A_FILE, %HL_ERROR_UNSUPPORTED or %G_IO_ERROR_CANCELLED
 *
 * As hl_file_read_head(), of what nobody named to be read: it waits for no pipe. Blocks.
 *
 * Returns: (transfer full) (nullable): its bytes
 */
GBytes *
hl_file_read_regular (GFile        *file,
                      gsize         max,
                      GCancellable *cancellable,
                      GError      **error)
{
  struct stat info;

  g_return_val_if_fail (G_IS_FILE (file) && max < G_MAXUINT, NULL);

  const int fd = hl_file_open_regular (file, &info, error);
  return fd < 0 ? NULL : read_head (fd, &info, max, cancellable, error);
}

/**
 * hl_file_load_regular:
 * @file: a local file
 * @size: (out): how many bytes it has
 * @max: how many it may have, less than 4 GiB
 * @error: %HL_ERROR_IO, %HL_ERROR_NOT_A_FILE, %HL_ERROR_TOO_LARGE or %HL_ERROR_UNSUPPORTED
 *
 * As hl_file_read_regular(), all of it, with a zero behind. Blocks.
 *
 * Returns: (transfer full) (nullable): its bytes
 */
char *
hl_file_load_regular (GFile   *file,
                      gsize   *size,
                      gsize    max,
                      GError **error)
{
  struct stat info;
  GBytes *bytes = NULL;

  g_return_val_if_fail (G_IS_FILE (file) && size != NULL && max < G_MAXUINT - 1, NULL);

  const int fd = hl_file_open_regular (file, &info, error);
  if (fd < 0)
    return NULL;
  if ((guint64) info.st_size > max)
    close (fd);
  else if ((bytes = read_head (fd, &info, max + 1, NULL, error)) == NULL)
    return NULL;
  if (bytes == NULL || g_bytes_get_size (bytes) > max)
    {
      g_clear_pointer (&bytes, g_bytes_unref);
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the file is larger than %d MiB"), (int) (max >> 20));
      return NULL;
    }
  char *text = g_bytes_unref_to_data (bytes, size);
  text = g_realloc (text, *size + 1);
  text[*size] = '\0';
  return text;
}
