/* SPDX-License-Identifier: MIT */
/* Files of the program's own folder, which are believed no more than others. */
#include "view/session/hl-kept-file.h"

#include "core/base/file/hl-file-read.h"
#include "core/base/file/hl-temp-file.h"
#include "core/base/hl-error.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>

#define FILE_MODE 0600

/**
 * hl_kept_file_read:
 * @file: a local file
 * @max: how many bytes it may have
 * @budget: (inout): a byte more than may still be read of all files; 0 once they have more
 * @error: %HL_ERROR_IO, %HL_ERROR_NOT_A_FILE or %HL_ERROR_TOO_LARGE
 *
 * Waits for no pipe.
 *
 * Returns: (transfer full) (nullable): its bytes, all of them
 */
GBytes *
hl_kept_file_read (GFile   *file,
                   gsize    max,
                   gsize   *budget,
                   GError **error)
{
  g_return_val_if_fail (G_IS_FILE (file) && budget != NULL, NULL);

  const gsize most = MIN (max, *budget);
  g_autoptr (GBytes) bytes = hl_file_read_regular (file, most + 1, NULL, error);
  if (bytes == NULL)
    return NULL;
  const gsize size = g_bytes_get_size (bytes);
  *budget -= MIN (size, *budget);
  if (size <= most)
    return g_steal_pointer (&bytes);
  if (most < max)
    *budget = 0;
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("it is larger than %u MiB, which no session is"),
               (guint) (max >> 20));
  return NULL;
}

/* Whole or not at all, for its user alone. A link is not followed. */
gboolean
hl_kept_file_write (const char *path,
                    GBytes     *bytes,
                    GError    **error)
{
  GStatBuf info;

  g_return_val_if_fail (path != NULL && bytes != NULL, FALSE);

  if (g_lstat (path, &info) == 0 && !S_ISREG (info.st_mode) && !S_ISDIR (info.st_mode))
    g_unlink (path);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (HlTempFile) file = hl_temp_file_new (target, error);
  if (file == NULL)
    return FALSE;
  if (fchmod (hl_temp_file_get_fd (file), FILE_MODE) != 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("it cannot be written: %s"), g_strerror (errno));
      return FALSE;
    }
  return hl_temp_file_write (file, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), error) &&
         hl_temp_file_commit (file, error);
}
