/* SPDX-License-Identifier: MIT */
/* Files without a name, for what is too much to be in memory and is not to be kept: they are gone with their descriptor, also when the
 * process is killed. */
#include "core/base/file/hl-scratch-file.h"

#include "core/base/hl-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* Where so many bytes are zero, and begin at a multiple, nothing is written: a file has holes there, which take no room. */
#define PAGE ((gsize) 4096)

static gboolean
set_no_room (GError **error,
             int      saved_errno)
{
  g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("there is no room to unpack what it holds: %s"),
               g_strerror (saved_errno));
  return FALSE;
}

/* Not all file systems have files that never had a name. */
static int
open_in (const char *folder)
{
  const int fd = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

  if (fd >= 0)
    return fd;
  g_autofree char *path = g_build_filename (folder, "headlight-XXXXXX", NULL);
  const int named = g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0600);
  if (named >= 0)
    g_unlink (path);
  return named;
}

/* Returns the descriptor of a file of zeros, which take no room. It lies where TMPDIR says, otherwise in /var/tmp: /tmp is in memory on many
 * systems. */
int
hl_scratch_file_open (guint64  size,
                      GError **error)
{
  const char *const folders[] = { g_getenv ("TMPDIR"), "/var/tmp", "/tmp" };
  int reason = ENOENT;

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      if (folders[i] == NULL)
        continue;
      const int fd = open_in (folders[i]);
      if (fd >= 0 && ftruncate (fd, (off_t) size) == 0)
        return fd;
      reason = errno;
      if (fd >= 0)
        close (fd);
    }
  set_no_room (error, reason);
  return -1;
}

static gboolean
is_zero (const guint8 *bytes,
         gsize         size)
{
  return bytes[0] == 0 && memcmp (bytes, bytes + 1, size - 1) == 0;
}

/* Within what is there, whatever was written. */
gboolean
hl_scratch_file_overwrite (int         fd,
                           guint64     at,
                           const void *bytes,
                           gsize       size,
                           GError    **error)
{
  const guint8 *next = bytes;

  while (size > 0)
    {
      const gssize n = pwrite (fd, next, size, (off_t) at);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return set_no_room (error, errno);
      next += n;
      at += (guint64) n;
      size -= (gsize) n;
    }
  return TRUE;
}

/* Within what is there, and where nothing but the same was written: pages of zeros are left out. */
gboolean
hl_scratch_file_write (int         fd,
                       guint64     at,
                       const void *bytes,
                       gsize       size,
                       GError    **error)
{
  const guint8 *next = bytes;
  gsize n_run = 0; /* that are to be written, up to the page that is looked at */

  for (gsize done = 0; done < size;)
    {
      const gsize n = MIN (size - done, PAGE - (at + done) % PAGE);
      const gboolean is_hole = n == PAGE && is_zero (next + n_run, n);

      if (!is_hole)
        n_run += n;
      done += n;
      if (is_hole || done == size)
        {
          const guint8 *end = (const guint8 *) bytes + done;
          if (!hl_scratch_file_overwrite (fd, at + (guint64) (next - (const guint8 *) bytes), next, n_run, error))
            return FALSE;
          next = end;
          n_run = 0;
        }
    }
  return TRUE;
}
