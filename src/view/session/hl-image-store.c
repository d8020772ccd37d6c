/* SPDX-License-Identifier: MIT */
/* Images without a file of their own, and which of them are needed no longer. */
#include "view/session/hl-image-store.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "view/session/hl-kept-file.h"
#include "view/session/hl-session-store.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A line for each image that a saved session has: its name, a space, and the address of the session. */
#define SESSIONS "sessions"
#define MAX_SESSIONS_BYTES (4u << 20)
/* Of all saved sessions together. */
#define MAX_SAVED_BYTES ((gsize) 64 << 20)
/* Of the desktop's list. */
#define MAX_RECENT_BYTES ((gsize) 16 << 20)

#define SUFFIX ".png"
#define DIGITS 16

#define WAIT_MICROSECONDS 10000
#define MAX_WAITS 200

#define FOLDER_MODE 0700
#define FILE_MODE 0600

/* Whoever pasted one by mistake, or is about to save a session, has as long. */
#define MIN_AGE (G_TIME_SPAN_DAY / G_TIME_SPAN_SECOND)

char *
hl_image_store_dup_path (void)
{
  return g_build_filename (g_get_user_state_dir (), "headlight", "images", NULL);
}

/* One at a time changes what is in it; -1 where there is no such folder, or somebody has it for long, as a program that was stopped. The lock
 * goes with the descriptor. */
static int
lock_folder (const char *path)
{
  const int fd = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  for (guint n_waits = 0; fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) != 0;)
    {
      if (errno != EINTR && (errno != EWOULDBLOCK || n_waits++ == MAX_WAITS))
        {
          const int problem = errno == EWOULDBLOCK ? EBUSY : errno;
          close (fd);
          errno = problem;
          return -1;
        }
      g_usleep (WAIT_MICROSECONDS);
    }
  return fd;
}

static int
make_and_lock_folder (const char *path)
{
  return g_mkdir_with_parents (path, FOLDER_MODE) == 0 ? lock_folder (path) : -1;
}

/* What has its name may be something else, or what was left of it. */
static gboolean
is_image (GFile  *file,
          GBytes *png)
{
  const char *path = g_file_peek_path (file);
  gsize budget = g_bytes_get_size (png);
  GStatBuf info;

  if (g_lstat (path, &info) != 0 || !S_ISREG (info.st_mode))
    return FALSE;
  g_autoptr (GBytes) bytes = hl_kept_file_read (file, budget, &budget, NULL);
  return bytes != NULL && g_bytes_equal (bytes, png) && utimensat (AT_FDCWD, path, NULL, 0) == 0;
}

/* Returns the file that the image has from now on, as new as one that was not there before. */
GFile *
hl_image_store_add (const char *path,
                    GBytes     *png,
                    GError    **error)
{
  g_return_val_if_fail (path != NULL && png != NULL, NULL);

  g_autofree char *sum = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, png);
  g_autofree char *name = g_strdup_printf ("%.*s" SUFFIX, DIGITS, sum);
  g_autofree char *image = g_build_filename (path, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (image);

  const int lock = make_and_lock_folder (path);
  if (lock < 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("the image cannot be kept: %s"), g_strerror (errno));
      return NULL;
    }
  const gboolean is_kept = is_image (file, png) || hl_kept_file_write (image, png, error);
  close (lock);
  return is_kept ? g_steal_pointer (&file) : NULL;
}

/* Only what hl_image_store_add() makes. */
static gboolean
is_image_name (const char *name)
{
  return strlen (name) == DIGITS + strlen (SUFFIX) && strspn (name, "0123456789abcdef") == DIGITS &&
         g_str_has_suffix (name, SUFFIX);
}

/* Those of the folder that a session and what it is compared with have; a name may come twice. */
static void
add_names (const HlSavedSession *saved,
           GFile                *folder,
           GPtrArray            *names)
{
  for (; saved != NULL; saved = saved->other)
    {
      g_autofree char *name = saved->pixels != NULL ? g_file_get_relative_path (folder, saved->pixels) : NULL;
      if (name != NULL && is_image_name (name))
        g_ptr_array_add (names, g_steal_pointer (&name));
    }
}

/* The lines of @path; none where there is no such file. NULL where they cannot all be read. */
static char **
read_lines (const char *path)
{
  g_autofree char *list = g_build_filename (path, SESSIONS, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (list);
  g_autoptr (GError) error = NULL;
  GStatBuf info;
  gsize budget = MAX_SESSIONS_BYTES;
  g_autoptr (GBytes) bytes = hl_kept_file_read (file, budget, &budget, &error);

  if (bytes == NULL)
    return g_error_matches (error, HL_ERROR, HL_ERROR_IO) && g_lstat (list, &info) != 0 ? g_new0 (char *, 1) : NULL;
  /* Behind a zero there may be more. */
  if (memchr (g_bytes_get_data (bytes, NULL), '\0', g_bytes_get_size (bytes)) != NULL)
    return NULL;
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  return g_strsplit (text, "\n", -1);
}

static gboolean
append (const char *path,
        GString    *lines)
{
  g_autofree char *list = g_build_filename (path, SESSIONS, NULL);
  const int fd = open (list, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, FILE_MODE);
  struct stat info;
  errno = fd >= 0 ? EINVAL : errno;
  const gboolean is_file = fd >= 0 && fstat (fd, &info) == 0 && S_ISREG (info.st_mode);
  /* Of a write that ends too early, nothing is said. */
  errno = is_file ? ENOSPC : errno;
  const gboolean is_done = is_file && write (fd, lines->str, lines->len) == (gssize) lines->len;
  const int problem = errno;

  if (fd >= 0)
    close (fd);
  errno = problem;
  return is_done;
}

/* Remembers which of the images a session has, so that they stay as long as it has them. Returns whether it is remembered, or there are none. */
static gboolean
keep (const char           *path,
      const HlSavedSession *saved,
      GFile                *session_file,
      GError              **error)
{
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *uri = g_file_get_uri (session_file);
  g_autoptr (GString) lines = g_string_new (NULL);

  add_names (saved, folder, names);
  if (names->len == 0)
    return TRUE;
  const int lock = make_and_lock_folder (path);
  if (lock >= 0)
    {
      g_auto (GStrv) known = read_lines (path);
      const guint n_known = known != NULL ? g_strv_length (known) : 0;
      /* A line that was cut, as on a full disk, ends here. */
      if (n_known > 0 && *known[n_known - 1] != '\0')
        g_string_append_c (lines, '\n');
      for (guint i = 0; i < names->len; i++)
        {
          g_autofree char *line = g_strdup_printf ("%s %s", (char *) names->pdata[i], uri);
          if (known == NULL || !g_strv_contains ((const char *const *) known, line))
            g_string_append_printf (lines, "%s\n", line);
        }
    }
  const gboolean is_done = lock >= 0 && (lines->len == 0 || append (path, lines));
  if (!is_done)
    g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("the image cannot be kept: %s"), g_strerror (errno));
  if (lock >= 0)
    close (lock);
  return is_done;
}

/**
 * hl_image_store_save_session:
 * @path: the folder
 * @saved: a session
 * @session_file: where it is to be
 * @error: as hl_saved_session_save(); %HL_ERROR_IO also where the session is saved, but its images cannot be kept, which it says
 *
 * Saves a session, whose images stay as long as it has them. Blocks.
 *
 * Returns: whether it is saved, and they are kept
 */
gboolean
hl_image_store_save_session (const char           *path,
                             const HlSavedSession *saved,
                             GFile                *session_file,
                             GError              **error)
{
  g_return_val_if_fail (path != NULL && saved != NULL && G_IS_FILE (session_file), FALSE);

  g_autoptr (GError) reason = NULL;
  /* Before somebody else may prune them. */
  const gboolean is_kept = keep (path, saved, session_file, &reason);
  if (!hl_saved_session_save (saved, session_file, error))
    return FALSE;
  if (!is_kept)
    g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("it is saved, but may lose its image later: %s"), reason->message);
  return is_kept;
}

static void
take_names (const HlSavedSession *saved,
            GFile                *folder,
            GHashTable           *needed)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  add_names (saved, folder, names);
  for (guint i = 0; i < names->len; i++)
    g_hash_table_add (needed, g_strdup (names->pdata[i]));
}

typedef struct
{
  GFile *folder;
  GHashTable *names;
} Needed;

static void
take_window (const HlSavedWindow *window,
             gpointer             data)
{
  const Needed *needed = data;

  for (guint i = 0; i < window->tabs->len; i++)
    take_names (((const HlSavedTab *) window->tabs->pdata[i])->session, needed->folder, needed->names);
}

/* What is open in windows of this program and of others that run, and what was lost. Returns whether all could be read. */
static gboolean
add_windows (const char *windows,
             GFile      *folder,
             GHashTable *needed)
{
  return hl_session_store_peek (windows, take_window, &(Needed){ folder, needed });
}

static HlSavedSession *
load_session (const char *uri,
              gsize      *budget)
{
  g_autoptr (GFile) file = g_file_new_for_uri (uri);
  g_autoptr (GFile) parent = g_file_get_parent (file);
  g_autoptr (GBytes) bytes = hl_kept_file_read (file, HL_LIMIT_SESSION, budget, NULL);

  if (bytes == NULL || parent == NULL)
    return NULL;
  return hl_saved_session_parse (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), parent, NULL);
}

/* A session that is gone may have been moved, or be on a disk that is not there now: it has what it had. */
static gboolean
add_saved (const char *path,
           GFile      *folder,
           GHashTable *needed,
           gsize      *budget)
{
  g_auto (GStrv) lines = read_lines (path);

  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    {
      char *space = strchr (lines[i], ' ');
      if (space == NULL)
        continue;
      *space = '\0';
      g_autoptr (HlSavedSession) saved = load_session (space + 1, budget);
      if (saved != NULL)
        take_names (saved, folder, needed);
      else
        g_hash_table_add (needed, g_strdup (lines[i]));
    }
  return lines != NULL;
}

/* Sessions that were opened here and not saved, as those of somebody else. */
static void
add_recent (const char *recent,
            GFile      *folder,
            GHashTable *needed,
            gsize      *budget)
{
  g_autoptr (GBookmarkFile) list = g_bookmark_file_new ();
  g_autoptr (GFile) file = recent != NULL ? g_file_new_for_path (recent) : NULL;
  gsize n_left = MAX_RECENT_BYTES;
  g_autoptr (GBytes) bytes = file != NULL ? hl_kept_file_read (file, n_left, &n_left, NULL) : NULL;

  if (bytes == NULL || g_bytes_get_size (bytes) == 0 ||
      !g_bookmark_file_load_from_data (list, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), NULL))
    return;
  g_auto (GStrv) uris = g_bookmark_file_get_uris (list, NULL);
  for (guint i = 0; uris != NULL && uris[i] != NULL; i++)
    {
      if (!g_str_has_suffix (uris[i], HL_SAVED_SESSION_SUFFIX))
        continue;
      g_autoptr (HlSavedSession) saved = load_session (uris[i], budget);
      if (saved != NULL)
        take_names (saved, folder, needed);
    }
}

static gboolean
is_old_file (const char *file,
             gint64      now)
{
  GStatBuf info;

  return g_lstat (file, &info) == 0 && S_ISREG (info.st_mode) && now - info.st_mtime > MIN_AGE;
}

/**
 * hl_image_store_prune:
 * @path: the folder
 * @windows: that of hl_session_store_new()
 * @recent: (nullable): the list of recent files of the desktop
 * @now: seconds since 1970
 *
 * Removes images that are older than a day and that no session has: none that is open or was lost, none that was saved as far as is
 * known, none among recent files. Where it cannot be told what sessions have, nothing is removed.
 *
 * Returns: how many are removed
 */
guint
hl_image_store_prune (const char *path,
                      const char *windows,
                      const char *recent,
                      gint64      now)
{
  g_return_val_if_fail (path != NULL && windows != NULL, 0);

  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GHashTable) needed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *name;
  guint n = 0;

  const int lock = lock_folder (path);
  if (lock < 0)
    return 0;
  gsize budget = MAX_SAVED_BYTES;
  if (add_saved (path, folder, needed, &budget) && add_windows (windows, folder, needed))
    {
      g_autoptr (GDir) directory = g_dir_open (path, 0, NULL);
      add_recent (recent, folder, needed, &budget);
      /* With more than that to read, nobody knows what is needed. */
      while (budget > 0 && directory != NULL && (name = g_dir_read_name (directory)) != NULL)
        {
          g_autofree char *file = g_build_filename (path, name, NULL);
          if (is_image_name (name) && !g_hash_table_contains (needed, name) && is_old_file (file, now))
            n += g_unlink (file) == 0;
        }
    }
  close (lock);
  return n;
}
