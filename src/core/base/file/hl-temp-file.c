/* SPDX-License-Identifier: MIT */
/* A file that appears whole or not at all: written without a name in the same folder, or under another one where a file must have one,
 * brought to the disk, then named. Dropped before that, it leaves nothing behind and an earlier file as it was; without a name even when
 * the process is killed, but for the moment between a name of its own and that of the file that it replaces: what is left then, the next file that
 * is written in the folder removes. */
#include "core/base/file/hl-temp-file.h"

#include "core/base/hl-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <linux/limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE (1 << 18)

/* As many links behind one another as the system itself follows. */
#define MAX_LINKS 40

#define MAX_ATTEMPTS 100

/* What names of our own begin with; hexadecimal digits follow. */
#define PREFIX ".headlight-"
#define N_DIGITS 16

#define MODE_BITS 0777
#define GROUP_BITS 0070

/* Extended attributes: what users write, and whom else a file is for (POSIX). */
#define NOTES "user."
#define ACCESS_LIST "system.posix_acl_access"

struct _HlTempFile
{
  char *target;
  gboolean replaces; /* what was at the target when this began */
  char *path;        /* where it is */
  gboolean is_named; /* whether that is a name of its own, which is to be removed */
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

/* In a folder where everybody may put files, as /tmp, a link that somebody else put there leads nowhere: whoever guesses the name of a file could
 * otherwise have it written over another of its user's. Systems have the same rule (fs.protected_symlinks), but not for who reads links. */
static gboolean
is_trusted_link (int         fd,
                 const char *folder)
{
  const mode_t shared = S_ISVTX | S_IWOTH;
  struct stat link, place;

  if (fstat (fd, &link) != 0 || stat (folder, &place) != 0)
    return FALSE;
  return (place.st_mode & shared) != shared || link.st_uid == geteuid () || link.st_uid == place.st_uid;
}

/* Where a link leads, as it is written; NULL, with errno set, if it cannot be told or is not to be followed. */
static char *
read_link (const char *path,
           const char *folder)
{
  char target[PATH_MAX];
  const int fd = open (path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  gssize n = -1;

  if (fd >= 0 && is_trusted_link (fd, folder))
    n = readlinkat (fd, "", target, sizeof target);
  else if (fd >= 0)
    errno = EACCES;
  const int reason = errno;
  if (fd >= 0)
    close (fd);
  errno = reason;
  return n >= 0 ? g_strndup (target, (gsize) n) : NULL;
}

/* Through symbolic links to where they point, be there something or not, so that they stay what they are. */
static char *
resolve_links (const char *path,
               GError    **error)
{
  g_autofree char *resolved = g_strdup (path);

  for (int i = 0; g_file_test (resolved, G_FILE_TEST_IS_SYMLINK); i++)
    {
      g_autofree char *folder = g_path_get_dirname (resolved);
      g_autofree char *link = NULL;
      errno = ELOOP;
      link = i < MAX_LINKS ? read_link (resolved, folder) : NULL;
      if (link == NULL)
        {
          set_io_error (error, errno);
          return NULL;
        }
      g_free (resolved);
      resolved = g_path_is_absolute (link) ? g_steal_pointer (&link) : g_build_filename (folder, link, NULL);
    }
  return g_steal_pointer (&resolved);
}

/* Whether a file may be replaced. Its folder alone would let one be that somebody has protected from writing; and that something else cannot be
 * put in its place is to be known before that is made. */
static gboolean
check_replaced (const char        *path,
                const struct stat *was,
                GError           **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  struct statx info = { 0 };
  struct stat place;

  if (faccessat (AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
    return set_io_error (error, errno);
  /* As into a container. */
  statx (AT_FDCWD, path, 0, 0, &info);
  if ((info.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0)
    return set_io_error (error, EBUSY);
  const gboolean is_shared = stat (folder, &place) == 0 && (place.st_mode & S_ISVTX) != 0;
  return !is_shared || geteuid () == 0 || geteuid () == was->st_uid || geteuid () == place.st_uid ||
         set_io_error (error, EPERM);
}

/* What is there now goes to @info, whose mode is 0 if it is nothing. */
static char *
resolve_target (GFile       *file,
                struct stat *info,
                GError     **error)
{
  g_autofree char *path = g_file_get_path (file);

  if (path == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("only local files can be written"));
      return NULL;
    }
  g_autofree char *resolved = resolve_links (path, error);
  if (resolved == NULL)
    return NULL;
  if (stat (resolved, info) != 0)
    {
      info->st_mode = 0;
      if (errno == ENOENT)
        return g_steal_pointer (&resolved);
      set_io_error (error, errno);
      return NULL;
    }
  if (!S_ISREG (info->st_mode))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_NOT_A_FILE,
                   S_ISDIR (info->st_mode) ? _ ("it cannot be written: it is a folder")
                                           : _ ("it cannot be written: it is not a regular file"));
      return NULL;
    }
  return check_replaced (resolved, info, error) ? g_steal_pointer (&resolved) : NULL;
}

static gboolean
copy_attribute (int         fd,
                const char *path,
                const char *name)
{
  g_autofree guint8 *value = g_malloc (XATTR_SIZE_MAX);
  const gssize size = getxattr (path, name, value, XATTR_SIZE_MAX);

  return size >= 0 && fsetxattr (fd, name, value, (gsize) size, 0) == 0;
}

/* What somebody noted about the file that is replaced. Some file systems have no such notes. */
static void
keep_notes (int         fd,
            const char *path)
{
  g_autofree char *names = g_malloc (XATTR_LIST_MAX);
  const gssize size = listxattr (path, names, XATTR_LIST_MAX);

  for (const char *name = names; name < names + size; name += strlen (name) + 1)
    if (g_str_has_prefix (name, NOTES))
      copy_attribute (fd, path, name);
}

/* Who may read what was there may read what comes in its stead, nobody else. A group that cannot be kept gets nothing; nor does one where a
 * list of who may read the file cannot be kept, which says what the bits of the group mean. */
static gboolean
keep_mode (int                fd,
           const char        *path,
           const struct stat *was,
           GError           **error)
{
  const gboolean has_list = getxattr (path, ACCESS_LIST, NULL, 0) > 0;
  mode_t mode = was->st_mode & MODE_BITS;
  gboolean is_kept = FALSE;
  struct stat is;

  if (fchown (fd, was->st_uid, was->st_gid) == 0 || fchown (fd, (uid_t) -1, was->st_gid) == 0 ||
      (fstat (fd, &is) == 0 && is.st_gid == was->st_gid))
    is_kept = TRUE;
  if (has_list && is_kept)
    is_kept = copy_attribute (fd, path, ACCESS_LIST);
  else
    fremovexattr (fd, ACCESS_LIST); /* the folder may give one to what is new in it */
  if (!is_kept)
    mode &= ~(mode_t) GROUP_BITS;
  /* Where all files have one mode, it is that of this one too. */
  return fchmod (fd, mode) == 0 || (fstat (fd, &is) == 0 && (is.st_mode & MODE_BITS) == mode) ||
         set_io_error (error, errno);
}

static char *
make_name (const HlTempFile *self)
{
  g_autofree char *folder = g_path_get_dirname (self->target);

  return g_strdup_printf ("%s/" PREFIX "%08x%08x", folder, g_random_int (), g_random_int ());
}

static gboolean
is_own_name (const char *name)
{
  const char *digits = name + strlen (PREFIX);

  return g_str_has_prefix (name, PREFIX) && strspn (digits, "0123456789abcdef") == N_DIGITS && digits[N_DIGITS] == '\0';
}

/* Whoever writes a file holds a lock on it, which ends with the process. Where there are no locks, nothing is left over for sure. */
static void
remove_if_left (int         folder,
                const char *name)
{
  struct stat info;
  const int fd = openat (folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

  if (fd < 0)
    return;
  if (fstat (fd, &info) == 0 && S_ISREG (info.st_mode) && info.st_uid == geteuid () && info.st_nlink == 1 &&
      flock (fd, LOCK_EX | LOCK_NB) == 0)
    unlinkat (folder, name, 0);
  close (fd);
}

/* Of processes that were killed. */
static void
remove_left (const HlTempFile *self)
{
  g_autofree char *folder = g_path_get_dirname (self->target);
  g_autoptr (GDir) names = g_dir_open (folder, 0, NULL);
  const int fd = names != NULL ? open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  const char *name;

  while (fd >= 0 && (name = g_dir_read_name (names)) != NULL)
    if (is_own_name (name))
      remove_if_left (fd, name);
  if (fd >= 0)
    close (fd);
}

/* Not all file systems have files without names, and without /proc they could not be given one. */
static gboolean
open_nameless (HlTempFile *self,
               mode_t      mode)
{
  g_autofree char *folder = g_path_get_dirname (self->target);

  self->fd = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
  if (self->fd < 0)
    return FALSE;
  self->path = g_strdup_printf ("/proc/self/fd/%d", self->fd);
  flock (self->fd, LOCK_EX | LOCK_NB);
  if (access (self->path, F_OK) == 0)
    return TRUE;
  close (self->fd);
  self->fd = -1;
  g_clear_pointer (&self->path, g_free);
  return FALSE;
}

static gboolean
open_named (HlTempFile *self,
            mode_t      mode,
            GError    **error)
{
  struct stat info;

  for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
    {
      g_autofree char *path = make_name (self);
      self->fd = g_open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
      if (self->fd < 0 && errno != EEXIST)
        break;
      if (self->fd < 0)
        continue;
      /* Before the lock, somebody else may have taken it for a leftover; who does has one for as long as it takes to remove it. */
      flock (self->fd, LOCK_EX);
      if (fstat (self->fd, &info) == 0 && info.st_nlink > 0)
        {
          self->path = g_steal_pointer (&path);
          self->is_named = TRUE;
          return TRUE;
        }
      close (self->fd);
      self->fd = -1;
    }
  return set_io_error (error, errno);
}

/**
 * hl_temp_file_new:
 * @target: a local file, which may exist
 * @error: %HL_ERROR_IO, %HL_ERROR_NOT_A_FILE or %HL_ERROR_UNSUPPORTED
 *
 * Begins a file that will be at @target once it is committed. What is there has to be a file that the process may write to.
 *
 * Returns: (transfer full) (nullable): the file
 */
HlTempFile *
hl_temp_file_new (GFile   *target,
                  GError **error)
{
  g_return_val_if_fail (G_IS_FILE (target), NULL);

  struct stat was;
  g_autofree char *resolved = resolve_target (target, &was, error);
  if (resolved == NULL)
    return NULL;

  g_autoptr (HlTempFile) self = g_new0 (HlTempFile, 1);
  self->fd = -1;
  self->target = g_steal_pointer (&resolved);
  self->replaces = was.st_mode != 0;
  remove_left (self);
  const mode_t mode = self->replaces ? 0600 : 0666;
  if (!(open_nameless (self, mode) || open_named (self, mode, error)) ||
      (self->replaces && !keep_mode (self->fd, self->target, &was, error)))
    return NULL;
  if (self->replaces)
    keep_notes (self->fd, self->target);
  self->buffer = g_malloc (BUFFER_SIZE);
  return g_steal_pointer (&self);
}

/**
 * hl_temp_file_get_fd:
 * @self: a file into which nothing was written
 *
 * Returns: the descriptor it is open for reading and writing with, for libraries that write themselves
 */
int
hl_temp_file_get_fd (HlTempFile *self)
{
  return self->fd;
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

static gboolean
give_name (const HlTempFile *self,
           const char       *name)
{
  return linkat (AT_FDCWD, self->path, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

/* A name in the stead of another has to be had first. */
static gboolean
name_beside (HlTempFile *self)
{
  for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
    {
      g_autofree char *path = make_name (self);
      if (give_name (self, path))
        {
          g_free (self->path);
          self->path = g_steal_pointer (&path);
          self->is_named = TRUE;
          return TRUE;
        }
      if (errno != EEXIST)
        break;
    }
  return FALSE;
}

static gboolean
put_in_place (HlTempFile *self)
{
  if (!self->is_named && !self->replaces)
    {
      if (give_name (self, self->target))
        return TRUE;
      if (errno != EEXIST)
        return FALSE;
    }
  return (self->is_named || name_beside (self)) && rename (self->path, self->target) == 0;
}

/**
 * hl_temp_file_commit:
 * @self: a file with all that belongs into it
 * @error: %HL_ERROR_IO
 *
 * Puts the file at its place, in the stead of what may be there, whose mode, access list and attributes of users it has. Of a file with
 * several names (hard links), only that name is of the new one: to write into the old one would not be whole or nothing.
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
  if (fsync (self->fd) != 0 || !put_in_place (self))
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
  if (self->path != NULL && self->is_named)
    g_unlink (self->path);
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->path);
  g_free (self->target);
  g_free (self->buffer);
  g_free (self);
}
