/* SPDX-License-Identifier: MIT */
#include "core/base/file/hl-file-version.h"

#include "core/base/hl-error.h"

#include <errno.h>
#include <glib/gi18n-lib.h>

/* Returns what a file is like, of whose descriptor @info was asked. */
HlFileVersion
hl_file_version_of (const struct stat *info)
{
  g_return_val_if_fail (info != NULL, (HlFileVersion){ 0 });

  return (HlFileVersion){ (guint64) info->st_size, info->st_mtim, FALSE };
}

/* To be called after reading and before anybody sees what was read. Returns whether the file still is what it was: neither longer nor
 * shorter, nor written meanwhile. A file that was replaced by another of its name is not, for who has it open. */
gboolean
hl_file_version_check (const HlFileVersion *self,
                       int                  fd,
                       GError             **error)
{
  struct stat info;

  g_return_val_if_fail (self != NULL, FALSE);

  if (fstat (fd, &info) != 0)
    return hl_error_set_unread (error, errno);
  if ((guint64) info.st_size < self->size)
    return hl_error_set_shorter (error);
  if (self->is_ours)
    return TRUE;
  if ((guint64) info.st_size == self->size && info.st_mtim.tv_sec == self->time.tv_sec &&
      info.st_mtim.tv_nsec == self->time.tv_nsec)
    return TRUE;
  g_set_error_literal (error, HL_ERROR, HL_ERROR_IO, _ ("it has been written to since it was opened; open it again"));
  return FALSE;
}
