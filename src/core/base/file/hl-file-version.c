/* SPDX-License-Identifier: MIT */
#include "core/base/file/hl-file-version.h"

#include "core/base/hl-error.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <time.h>

/* Files are dated by a clock that goes on in steps of up to 10 ms, unless a system has a finer one for those that are looked at. */
#define STEP_NANOSECONDS 10000000
#define WAIT_MICROSECONDS 1000
/* Whoever still writes then goes on writing. */
#define MAX_WAITS 50

/* Returns what a file is like, of whose descriptor @info was asked, and to which nobody else writes. */
HlFileVersion
hl_file_version_of (const struct stat *info)
{
  g_return_val_if_fail (info != NULL, (HlFileVersion){ 0 });

  return (HlFileVersion){ .size = (guint64) info->st_size, .time = info->st_mtim };
}

/* Whether the clock still shows the time at which a file was written. */
static gboolean
is_of_now (const struct timespec *time)
{
  struct timespec now;

  if (clock_gettime (CLOCK_REALTIME_COARSE, &now) != 0)
    return FALSE;
  const gint64 seconds = (gint64) time->tv_sec - (gint64) now.tv_sec;
  /* Of another day, or of a clock that is wrong. */
  if (seconds < -1 || seconds > 1)
    return FALSE;
  const gint64 ahead = seconds * 1000000000 + time->tv_nsec - now.tv_nsec;
  return ahead >= 0 && ahead <= STEP_NANOSECONDS;
}

/**
 * hl_file_version_take:
 * @fd: a file
 * @info: (inout): what it is, which is asked for again
 *
 * Waits, if it has just been written, until the clock by which files are dated has gone on: what is written after that has another time.
 *
 * Returns: what the file is like
 */
HlFileVersion
hl_file_version_take (int          fd,
                      struct stat *info)
{
  g_return_val_if_fail (info != NULL, (HlFileVersion){ 0 });

  HlFileVersion self = hl_file_version_of (info);
  for (guint i = 0; S_ISREG (info->st_mode) && (self.is_fresh = is_of_now (&info->st_mtim)) && i < MAX_WAITS; i++)
    {
      g_usleep (WAIT_MICROSECONDS);
      if (fstat (fd, info) == 0)
        self = hl_file_version_of (info);
    }
  return self;
}

/* Says that what was read may be of two versions, which nobody is shown. */
gboolean
hl_file_version_set_changed (GError **error)
{
  g_set_error_literal (error, HL_ERROR, HL_ERROR_IO, _ ("it has been written to since it was opened; open it again"));
  return FALSE;
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
      info.st_mtim.tv_nsec == self->time.tv_nsec && !self->is_fresh)
    return TRUE;
  return hl_file_version_set_changed (error);
}
