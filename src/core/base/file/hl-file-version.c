/* SPDX-License-Identifier: MIT */
#include "core/base/file/hl-file-version.h"

#include "core/base/hl-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#ifdef F_SETLEASE
#include <sys/vfs.h>
#endif
#include <time.h>

/* Files are dated by a clock that goes on in steps of up to 10 ms, unless a system has a finer one for those that are looked at. */
#define STEP_NANOSECONDS 10000000
#define WAIT_MICROSECONDS 1000
/* Whoever still writes then goes on writing. */
#define MAX_WAITS 50
/* What is written at once is dated when that begins, and on a busy computer its end may come long after. */
#define MAX_WRITING_NANOSECONDS 1000000000
#define MAX_WRITING_WAITS 1000

/* Returns what a file is like, of whose descriptor @info was asked, and to which nobody else writes. */
HlFileVersion
hl_file_version_of (const struct stat *info)
{
  g_return_val_if_fail (info != NULL, (HlFileVersion){ 0 });

  return (HlFileVersion){ .size = (guint64) info->st_size, .time = info->st_mtim };
}

/* How long after now a time is, in nanoseconds; G_MAXINT64 for one of another day, or of a clock that is wrong. */
static gint64
get_ahead (const struct timespec *time)
{
  struct timespec now;

  if (clock_gettime (CLOCK_REALTIME_COARSE, &now) != 0)
    return G_MAXINT64;
  const gint64 seconds = (gint64) time->tv_sec - (gint64) now.tv_sec;
  if (seconds < -2 || seconds > 1)
    return G_MAXINT64;
  return seconds * 1000000000 + time->tv_nsec - now.tv_nsec;
}

/* Whether the clock still shows the time at which a file was written. */
static gboolean
is_of_now (const struct timespec *time)
{
  const gint64 ahead = get_ahead (time);

  return ahead >= 0 && ahead <= STEP_NANOSECONDS;
}

#ifdef F_SETLEASE
/* Whether it is on a network disk, of which the server has to lend it, and need not whoever writes. */
static gboolean
is_lent_by_server (int fd)
{
  /* NFS; SMB, as three generations of it are told. */
  static const guint32 types[] = { 0x6969, 0x517b, 0xff534d42, 0xfe534d42 };
  struct statfs info;

  if (fstatfs (fd, &info) != 0)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if ((guint32) info.f_type == types[i])
      return TRUE;
  return FALSE;
}
#endif

/* Returns whether somebody has a file open for writing, or mapped for it, when its time need not tell of what he writes: then the system lends it to
 * nobody who only reads. Where it does not tell, nobody is taken to. */
gboolean
hl_file_version_has_writer (int fd)
{
#ifdef F_SETLEASE
  /* Who opens it for writing meanwhile waits until it is given back, and the signal about that ends no program. */
  if ((fcntl (fd, F_GETFL) & O_ACCMODE) != O_RDONLY || fcntl (fd, F_SETSIG, SIGURG) != 0)
    return FALSE;
  if (fcntl (fd, F_SETLEASE, F_RDLCK) != 0)
    return errno == EAGAIN && !is_lent_by_server (fd);
  fcntl (fd, F_SETLEASE, F_UNLCK);
#endif
  return FALSE;
}

/* Whether what was written last may not be there to its end. */
static gboolean
is_being_written (int                    fd,
                  const struct timespec *time)
{
  const gint64 ahead = get_ahead (time);

  return ahead < 0 && ahead >= -MAX_WRITING_NANOSECONDS && hl_file_version_has_writer (fd);
}

/**
 * hl_file_version_take:
 * @fd: a file
 * @info: (inout): what it is, which is asked for again
 *
 * Waits, if it has just been written, until the clock by which files are dated has gone on: what is written after that has another time. If
 * it was within a second, and somebody has it open for writing still, waits for the end of that, too.
 *
 * Returns: what the file is like
 */
HlFileVersion
hl_file_version_take (int          fd,
                      struct stat *info)
{
  g_return_val_if_fail (info != NULL, (HlFileVersion){ 0 });

  guint n_fresh = 0;
  for (guint i = 0; S_ISREG (info->st_mode) && i < MAX_WRITING_WAITS; i++)
    {
      if (is_of_now (&info->st_mtim) ? n_fresh++ >= MAX_WAITS : !is_being_written (fd, &info->st_mtim))
        break;
      g_usleep (WAIT_MICROSECONDS);
      if (fstat (fd, info) != 0)
        break;
    }
  HlFileVersion self = hl_file_version_of (info);
  self.is_fresh = S_ISREG (info->st_mode) && is_of_now (&info->st_mtim);
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
