/* SPDX-License-Identifier: MIT */
/* Whole files in memory, without being read before they are looked at. */
#include "core/base/hl-mapped-file.h"

#include "core/base/hl-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>

/**
 * hl_mapped_file_open:
 * @file: a local file
 * @error: %HL_ERROR_IO
 *
 * Returns: (transfer full) (nullable): the file's bytes
 */
GMappedFile *
hl_mapped_file_open (GFile   *file,
                     GError **error)
{
  g_autofree char *path = g_file_get_path (file);
  const int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  GMappedFile *mapped = fd >= 0 ? g_mapped_file_new_from_fd (fd, FALSE, NULL) : NULL;
  const int reason = errno;

  if (fd >= 0)
    g_close (fd, NULL);
  if (mapped == NULL)
    hl_error_set_unread (error, reason);
  return mapped;
}
