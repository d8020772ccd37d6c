/* SPDX-License-Identifier: MIT */
/* Folders beside one another, each of a program that runs or ran. Who can lock one owns it. */
#include "view/session/hl-session-store.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "view/session/hl-kept-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCK "lock"
#define PREFIX "window-"
/* What is beside them is of a file that was being written. */
#define UNWRITTEN ".headlight-"
/* A folder has it until it is locked, so that nobody takes it for one that was left. */
#define UNFINISHED ".new-"

#define FOLDER_MODE 0700
#define FILE_MODE 0600

/* Of one program. */
#define MAX_WINDOWS 64
/* Of all windows that are offered together. */
#define MAX_TABS 1000
/* Each is made, and its top tab read, before the program answers again. */
#define MAX_OFFERED 8
/* The last ones; what was found for the first time so long ago, and left, is of no use to anybody. */
#define MAX_LOST 8
#define MAX_AGE (30 * G_TIME_SPAN_DAY / G_TIME_SPAN_SECOND)
/* Nobody makes a folder for as long. */
#define MAX_UNFINISHED_AGE (G_TIME_SPAN_HOUR / G_TIME_SPAN_SECOND)

struct _HlSessionStore
{
  gatomicrefcount n_refs;
  char *path;
  int lock; /* -1 once it is removed */

  GMutex mutex;       /* one at a time writes or removes */
  GHashTable *hashes; /* window → what its file holds */
  GHashTable *rests;  /* name of a file that another program may read → what stays of it; NULL for all */
};

static HlSessionStore *
store_new (const char *path,
           int         lock)
{
  HlSessionStore *self = g_new0 (HlSessionStore, 1);

  g_atomic_ref_count_init (&self->n_refs);
  g_mutex_init (&self->mutex);
  self->path = g_strdup (path);
  self->lock = lock;
  self->hashes = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->rests = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_bytes_unref);
  return self;
}

HlSessionStore *
hl_session_store_ref (HlSessionStore *self)
{
  g_atomic_ref_count_inc (&self->n_refs);
  return self;
}

/* Lets go of the lock with the last reference; the files stay. */
void
hl_session_store_unref (HlSessionStore *self)
{
  if (!g_atomic_ref_count_dec (&self->n_refs))
    return;
  if (self->lock >= 0)
    close (self->lock);
  g_hash_table_unref (self->hashes);
  g_hash_table_unref (self->rests);
  g_mutex_clear (&self->mutex);
  g_free (self->path);
  g_free (self);
}

static int
lock_folder (const char *path,
             int         flags)
{
  g_autofree char *name = g_build_filename (path, LOCK, NULL);
  const int fd = open (name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, FILE_MODE);

  if (fd < 0 || flock (fd, LOCK_EX | LOCK_NB) == 0)
    return fd;
  close (fd);
  return -1;
}

/* Only what a store has, none of which is a folder; no link is followed. With something else in it, the folder stays. */
static gboolean
is_of_store (const char *name)
{
  return g_str_has_prefix (name, PREFIX) || g_str_has_prefix (name, UNWRITTEN);
}

static gboolean
is_folder (const char *path)
{
  GStatBuf info;

  return g_lstat (path, &info) == 0 && S_ISDIR (info.st_mode);
}

/* All but those files. */
static void
remove_folder (const char        *path,
               const char *const *kept)
{
  g_autoptr (GDir) folder = is_folder (path) ? g_dir_open (path, 0, NULL) : NULL;
  const char *name;

  if (folder == NULL)
    return;

  while ((name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);
      if (is_of_store (name) && (kept == NULL || !g_strv_contains (kept, name)))
        g_unlink (file);
    }
  if (kept != NULL)
    return;
  g_autofree char *lock = g_build_filename (path, LOCK, NULL);
  g_unlink (lock);
  g_rmdir (path);
}

static void
fail (GError    **error,
      const char *reason)
{
  g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("what is open cannot be kept: %s"), reason);
}

/* An empty folder; returns the lock on it, or -1. */
static int
make_folder (const char *parent,
             const char *id)
{
  g_autofree char *unfinished_name = g_strconcat (UNFINISHED, id, NULL);
  g_autofree char *unfinished = g_build_filename (parent, unfinished_name, NULL);
  g_autofree char *path = g_build_filename (parent, id, NULL);

  if (g_mkdir_with_parents (parent, FOLDER_MODE) != 0 || g_mkdir (unfinished, FOLDER_MODE) != 0)
    return -1;
  const int lock = lock_folder (unfinished, O_CREAT | O_EXCL);
  if (lock >= 0 && g_rename (unfinished, path) == 0)
    return lock;
  const int problem = errno;
  if (lock >= 0)
    close (lock);
  remove_folder (unfinished, NULL);
  errno = problem;
  return -1;
}

/**
 * hl_session_store_new:
 * @parent: a folder, which is made if there is none
 * @error: %HL_ERROR_IO
 *
 * Returns: (transfer full) (nullable): an empty folder of its own, which it holds
 */
HlSessionStore *
hl_session_store_new (const char *parent,
                      GError    **error)
{
  g_return_val_if_fail (parent != NULL, NULL);

  g_autofree char *id = g_uuid_string_random ();
  g_autofree char *path = g_build_filename (parent, id, NULL);
  const int lock = make_folder (parent, id);

  if (lock >= 0)
    return store_new (path, lock);
  fail (error, g_strerror (errno));
  return NULL;
}

/* Somebody removed it, with all that was in it. What is in its place is not followed. */
static gboolean
restore_folder (HlSessionStore *self,
                GError        **error)
{
  g_autofree char *parent = g_path_get_dirname (self->path);
  g_autofree char *id = g_path_get_basename (self->path);

  if (is_folder (self->path))
    return TRUE;
  g_unlink (self->path);
  const int lock = make_folder (parent, id);
  if (lock < 0)
    {
      fail (error, g_strerror (errno));
      return FALSE;
    }
  close (self->lock);
  self->lock = lock;
  g_hash_table_remove_all (self->hashes);
  return TRUE;
}

static char *
make_name (guint window)
{
  return g_strdup_printf (PREFIX "%u", window);
}

static char *
make_path (const HlSessionStore *self,
           guint                 window)
{
  g_autofree char *name = make_name (window);

  return g_build_filename (self->path, name, NULL);
}

/**
 * hl_session_store_save:
 * @self: a store
 * @window: which window
 * @saved: what is open there
 * @error: %HL_ERROR_IO
 *
 * Writes it, whole or not at all, if it is other than before; where the folder is gone, that is made again. Once the store is removed nothing
 * is written.
 *
 * Returns: whether it is kept
 */
gboolean
hl_session_store_save (HlSessionStore      *self,
                       guint                window,
                       const HlSavedWindow *saved,
                       GError             **error)
{
  g_return_val_if_fail (self != NULL && saved != NULL, FALSE);

  g_autoptr (GBytes) bytes = hl_saved_window_to_bytes (saved);
  g_autofree char *hash = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
  g_autofree char *path = make_path (self, window);
  g_autoptr (GError) own_error = NULL;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (self->lock < 0)
    return TRUE;
  if (!restore_folder (self, error))
    return FALSE;
  if (g_strcmp0 (hash, g_hash_table_lookup (self->hashes, GUINT_TO_POINTER (window))) == 0)
    return TRUE;
  if (!hl_kept_file_write (path, bytes, &own_error))
    {
      fail (error, own_error->message);
      return FALSE;
    }
  g_hash_table_insert (self->hashes, GUINT_TO_POINTER (window), g_steal_pointer (&hash));
  return TRUE;
}

/* A window that somebody closed. */
void
hl_session_store_forget (HlSessionStore *self,
                         guint           window)
{
  g_return_if_fail (self != NULL);

  g_autofree char *path = make_path (self, window);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  g_hash_table_remove (self->hashes, GUINT_TO_POINTER (window));
  g_unlink (path);
}

/* Of windows that came back in part, that which did; where that cannot be, they come back once more. */
static void
reduce_windows (HlSessionStore *self)
{
  GHashTableIter iter;
  gpointer name, rest;

  g_hash_table_iter_init (&iter, self->rests);
  while (g_hash_table_iter_next (&iter, &name, &rest))
    {
      g_autofree char *path = g_build_filename (self->path, name, NULL);
      if (rest != NULL)
        hl_kept_file_write (path, rest, NULL);
    }
}

/* Nothing is written any more. */
static void
end (HlSessionStore    *self,
     const char *const *kept)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (self->lock < 0)
    return;
  reduce_windows (self);
  remove_folder (self->path, kept);
  close (self->lock);
  self->lock = -1;
}

/* With all that is in it but what hl_session_store_load() found there and could not read. */
void
hl_session_store_remove (HlSessionStore *self)
{
  g_return_if_fail (self != NULL);

  guint n;
  g_autofree gpointer *kept = g_hash_table_get_keys_as_array (self->rests, &n);
  end (self, n > 0 ? (const char *const *) kept : NULL);
}

/* With all that is in it but some windows, which the next program finds. */
void
hl_session_store_leave (HlSessionStore *self,
                        const guint    *windows,
                        guint           n_windows)
{
  g_return_if_fail (self != NULL && windows != NULL);

  g_auto (GStrv) kept = g_new0 (char *, n_windows + 1);
  for (guint i = 0; i < n_windows; i++)
    kept[i] = make_name (windows[i]);
  end (self, (const char *const *) kept);
}

/* Whether there may be some. */
static gboolean
has_windows (const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    if (g_str_has_prefix (name, PREFIX))
      return TRUE;
  return folder == NULL;
}

/* A folder that may be one of a store. */
typedef struct
{
  char *path;
  gint64 written; /* when, in seconds */
} Candidate;

static void
candidate_free (gpointer data)
{
  Candidate *candidate = data;

  g_free (candidate->path);
  g_free (candidate);
}

static int
compare_written (gconstpointer a,
                 gconstpointer b)
{
  const Candidate *first = *(Candidate *const *) a, *second = *(Candidate *const *) b;

  return (first->written < second->written) - (first->written > second->written);
}

/* The last first. Of what somebody else put there, nothing is taken for a store. */
static GPtrArray *
list_candidates (const char *parent,
                 gint64      now)
{
  GPtrArray *candidates = g_ptr_array_new_with_free_func (candidate_free);
  g_autoptr (GDir) folder = g_dir_open (parent, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = g_build_filename (parent, name, NULL);
      const gboolean is_unfinished = g_str_has_prefix (name, UNFINISHED);
      GStatBuf info;
      if (!g_uuid_string_is_valid (is_unfinished ? name + strlen (UNFINISHED) : name) || g_lstat (path, &info) != 0 ||
          !S_ISDIR (info.st_mode))
        continue;
      if (!is_unfinished)
        {
          Candidate *candidate = g_new (Candidate, 1);
          *candidate = (Candidate){ .path = g_steal_pointer (&path), .written = info.st_mtime };
          g_ptr_array_add (candidates, candidate);
        }
      else if (now - info.st_mtime > MAX_UNFINISHED_AGE)
        {
          remove_folder (path, NULL);
        }
    }
  g_ptr_array_sort (candidates, compare_written);
  return candidates;
}

/* When a program first found it, which is since when its lock has something in it. Before that it was open, nobody knows until when: what does
 * not change is not written. What was found before it was written was found by a clock that was wrong. */
static gint64
find_since (const Candidate *candidate,
            int              lock,
            gint64           now)
{
  struct stat info;

  if (fstat (lock, &info) == 0 && info.st_size > 0 && info.st_mtime >= candidate->written)
    return info.st_mtime;
  /* Without room for that it is found for the first time again. */
  if (write (lock, "\n", 1) != 1)
    g_debug ("%s cannot be marked: %s", candidate->path, g_strerror (errno));
  return now;
}

/**
 * hl_session_store_find_lost:
 * @parent: the folder of hl_session_store_new()
 *
 * Those that nobody holds, which from now on are held here. What is empty, too old or too many is removed.
 *
 * Returns: (transfer full) (element-type HlSessionStore): them, the last first
 */
GPtrArray *
hl_session_store_find_lost (const char *parent)
{
  GPtrArray *lost = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_session_store_unref);
  const gint64 now = g_get_real_time () / G_TIME_SPAN_SECOND;

  g_return_val_if_fail (parent != NULL, lost);

  g_autoptr (GPtrArray) candidates = list_candidates (parent, now);
  /* One after the other: each that is held is an open file. */
  for (guint i = 0; i < candidates->len; i++)
    {
      const Candidate *candidate = candidates->pdata[i];
      const int lock = lock_folder (candidate->path, 0);
      if (lock < 0)
        continue;
      HlSessionStore *store = store_new (candidate->path, lock);
      if (lost->len < MAX_LOST && has_windows (candidate->path) && now - find_since (candidate, lock, now) <= MAX_AGE)
        {
          g_ptr_array_add (lost, store);
        }
      else
        {
          hl_session_store_remove (store);
          hl_session_store_unref (store);
        }
    }
  return lost;
}

/* How much of all windows that are offered may still be read; 0 once there is more. */
typedef struct
{
  gsize n_bytes;
  guint n_values;
  guint n_tabs;
} Budget;

/* That file stays, or what is left of it. */
static void
keep (HlSessionStore *self,
      const char     *name,
      GBytes         *rest)
{
  g_hash_table_insert (self->rests, g_strdup (name), rest != NULL ? g_bytes_ref (rest) : NULL);
}

/*
 * Returns the windows that can be read and are not too many together; @is_all if none is left out because they are, and the
 * folder could be read.
 */
static GPtrArray *
load (HlSessionStore *self,
      Budget         *left,
      gboolean       *is_all)
{
  GPtrArray *windows = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_saved_window_free);
  g_autoptr (GDir) folder = g_dir_open (self->path, 0, NULL);
  const char *name;

  for (guint n = 0; folder != NULL && n < MAX_WINDOWS && (name = g_dir_read_name (folder)) != NULL;)
    {
      if (!g_str_has_prefix (name, PREFIX))
        continue;
      n++;
      g_autofree char *path = g_build_filename (self->path, name, NULL);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autoptr (GError) error = NULL;
      g_autoptr (HlSavedWindow) window = hl_saved_window_load (file, &left->n_bytes, &left->n_values, &error);
      if (window != NULL && window->n_unread > 0)
        g_message ("%s: %u of its tabs cannot be read", path, window->n_unread);
      if (window == NULL)
        {
          g_autofree char *line = hl_utf8_bound_line (error->message);
          g_message ("%s: %s", path, line);
          if (!hl_saved_window_is_damaged (error))
            keep (self, name, NULL);
        }
      else if (window->tabs->len > left->n_tabs)
        {
          left->n_tabs = 0;
          keep (self, name, NULL);
        }
      else if (window->tabs->len > 0)
        {
          left->n_tabs -= window->tabs->len;
          if (window->rest != NULL)
            keep (self, name, window->rest);
          g_ptr_array_add (windows, g_steal_pointer (&window));
        }
    }
  *is_all = folder != NULL && left->n_bytes > 0 && left->n_values > 0 && left->n_tabs > 0;
  return windows;
}

/* The tabs of those that are too many go behind those of the last others that have room for them. */
static void
gather (GPtrArray *windows)
{
  for (guint i = MAX_OFFERED; i < windows->len; i++)
    for (guint to = MAX_OFFERED; to > 0; to--)
      hl_saved_window_take_tabs (windows->pdata[to - 1], windows->pdata[i]);
  g_ptr_array_set_size (windows, (int) MIN (windows->len, MAX_OFFERED));
}

/**
 * hl_session_store_load:
 * @stores: (element-type HlSessionStore): those of hl_session_store_find_lost()
 *
 * Those of which nothing can be read are in the list no more. What is damaged of them is removed; what is not, as that of a
 * newer program, stays until it is too old or there are too many. Where all together are too large, the last are let go of as
 * they are; of one that is too large by itself there is what is not.
 *
 * Returns: (transfer full) (element-type HlSavedWindow): what was open in their windows, in a few
 */
GPtrArray *
hl_session_store_load (GPtrArray *stores)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_saved_window_free);
  Budget left = { HL_LIMIT_KEPT + 1, HL_LIMIT_KEPT_VALUES + 1, MAX_TABS };

  g_return_val_if_fail (stores != NULL, all);

  for (guint i = 0; i < stores->len;)
    {
      const Budget before = left;
      gboolean is_all;
      GPtrArray *windows = load (stores->pdata[i], &left, &is_all);
      if (!is_all && all->len > 0)
        {
          g_ptr_array_unref (windows);
          g_ptr_array_set_size (stores, (int) i);
          break;
        }
      const gboolean is_any = windows->len > 0;
      if (is_any)
        {
          i++;
        }
      else
        {
          if (is_all)
            hl_session_store_remove (stores->pdata[i]);
          g_ptr_array_remove_index (stores, i);
          left = before;
        }
      g_ptr_array_extend_and_steal (all, windows);
      if (is_any && !is_all)
        {
          g_ptr_array_set_size (stores, (int) i);
          break;
        }
    }
  gather (all);
  return all;
}

/* One that is not there any more was closed since. */
static gboolean
peek_windows (const char        *path,
              gsize             *budget,
              HlSessionStoreFunc func,
              gpointer           user_data)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      if (!g_str_has_prefix (name, PREFIX))
        continue;
      g_autofree char *window_path = g_build_filename (path, name, NULL);
      g_autoptr (GFile) file = g_file_new_for_path (window_path);
      guint n_values = HL_LIMIT_KEPT_VALUES + 1;
      g_autoptr (HlSavedWindow) window = hl_saved_window_load (file, budget, &n_values, NULL);
      if (window != NULL)
        func (window, user_data);
      if (window != NULL
            ? window->n_unread > 0
            : g_file_test (window_path, G_FILE_TEST_EXISTS) || g_file_test (window_path, G_FILE_TEST_IS_SYMLINK))
        return FALSE;
    }
  return TRUE;
}

/**
 * hl_session_store_peek:
 * @parent: the folder of hl_session_store_new()
 * @func: (scope call): what is called for each window that is kept, whoever holds it
 * @user_data: for it
 *
 * Only looks, and has one in memory at a time; the folder need not be there.
 *
 * Returns: whether all of it could be read, and is no more than somebody has
 */
gboolean
hl_session_store_peek (const char        *parent,
                       HlSessionStoreFunc func,
                       gpointer           user_data)
{
  gsize budget = HL_LIMIT_KEPT + 1;
  const char *name;

  g_return_val_if_fail (parent != NULL && func != NULL, FALSE);

  g_autoptr (GDir) folder = g_dir_open (parent, 0, NULL);
  if (folder == NULL)
    return !g_file_test (parent, G_FILE_TEST_EXISTS);
  while ((name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = g_build_filename (parent, name, NULL);
      if (g_file_test (path, G_FILE_TEST_IS_DIR) && !peek_windows (path, &budget, func, user_data))
        return FALSE;
    }
  return budget > 0;
}
