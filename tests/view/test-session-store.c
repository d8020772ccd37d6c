/* SPDX-License-Identifier: MIT */
/* What is open in windows: what is read is what was kept, nobody takes another's, and nothing is left behind. */
#include "view/session/hl-session-store.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/test-dumps.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

static HlSavedSession *
make_session (const char *path)
{
  HlSavedSession *session = g_new0 (HlSavedSession, 1);

  session->file = g_file_new_for_path (path);
  return session;
}

static HlSavedWindow *
make_window (guint n_tabs)
{
  g_autoptr (GFile) session_file = g_file_new_for_path ("/a.headlight");
  HlSavedWindow *window = hl_saved_window_new ();

  for (guint i = 0; i < n_tabs; i++)
    {
      g_autofree char *path = g_strdup_printf ("/file-%u.h5", i);
      HlSavedSession *session = make_session (path);
      if (i == 0)
        {
          session->text = g_strdup ("two\nlines \x1e “and” a sign");
          session->example = 3;
        }
      hl_saved_window_add (window, session, i == 1 ? session_file : NULL);
    }
  window->selected = n_tabs - 1;
  return window;
}

static void
test_bytes (void)
{
  g_autoptr (HlSavedWindow) window = make_window (3);
  g_autoptr (GBytes) bytes = hl_saved_window_to_bytes (window);
  g_autoptr (GError) error = NULL;
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);
  g_autoptr (HlSavedWindow) again = hl_saved_window_parse (text, size, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (again->tabs->len, ==, 3);
  g_assert_cmpuint (again->selected, ==, 2);
  const HlSavedTab *first = again->tabs->pdata[0], *second = again->tabs->pdata[1];
  g_assert_cmpstr (first->session->text, ==, "two\nlines \x1e “and” a sign");
  g_assert_null (first->session_file);
  g_assert_cmpstr (g_file_peek_path (second->session_file), ==, "/a.headlight");
  g_autoptr (GBytes) bytes_again = hl_saved_window_to_bytes (again);
  g_assert_true (g_bytes_equal (bytes, bytes_again));

  /* Cut anywhere, it is an error or fewer tabs. */
  for (gsize length = 0; length < size; length++)
    {
      g_autoptr (GError) cut_error = NULL;
      g_autoptr (HlSavedWindow) cut = hl_saved_window_parse (text, length, &cut_error);
      g_assert_true ((cut == NULL) == (cut_error != NULL));
      g_assert_true (cut == NULL || (cut->tabs->len <= 3 && cut->selected <= 2));
    }
}

/* Too many tabs are left out. */
static void
test_many (void)
{
  g_autoptr (HlSavedWindow) window = make_window (300);
  g_autoptr (GBytes) bytes = hl_saved_window_to_bytes (window);
  g_autoptr (HlSavedWindow)
    again = hl_saved_window_parse (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), NULL);

  g_assert_cmpuint (again->tabs->len, ==, 200);
}

/* A tab of what could not be opened, since it is elsewhere, takes no other with it. */
static void
test_remote (void)
{
  static const char *const uris[] = { "http://localhost/a.h5", "data:text/html,x" };

  for (guint i = 0; i < G_N_ELEMENTS (uris); i++)
    {
      g_autoptr (HlSavedWindow) window = make_window (3);
      HlSavedSession *session = make_session ("/remote.h5");
      g_autoptr (GError) error = NULL;

      g_clear_object (&session->file);
      session->file = g_file_new_for_uri (uris[i]);
      hl_saved_window_add (window, session, NULL);
      g_autoptr (GBytes) bytes = hl_saved_window_to_bytes (window);
      g_autoptr (HlSavedWindow)
        again = hl_saved_window_parse (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), &error);
      g_assert_no_error (error);
      g_assert_cmpuint (again->tabs->len, ==, 3);
    }
}

/* A tab that cannot be read takes no other with it. */
static void
test_unread (void)
{
  g_autoptr (HlSavedWindow) window = make_window (4);
  g_autoptr (GBytes) bytes = hl_saved_window_to_bytes (window);
  g_autoptr (GString) text = g_string_new_len (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (g_string_replace (text, "\"version\" : 1", "\"version\" : 99", 1), ==, 1);
  g_autoptr (HlSavedWindow) left = hl_saved_window_parse (text->str, text->len, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (left->tabs->len, ==, 3);
  g_assert_cmpuint (left->n_unread, ==, 1);
  g_assert_cmpuint (left->selected, ==, 2);
  const HlSavedTab *first = left->tabs->pdata[0];
  g_assert_cmpstr (g_file_peek_path (first->session->file), ==, "/file-1.h5");
  g_assert_cmpstr (g_file_peek_path (first->session_file), ==, "/a.headlight");

  g_assert_cmpuint (g_string_replace (text, "\"version\" : 1", "\"version\" : 99", 0), ==, 3);
  g_assert_null (hl_saved_window_parse (text->str, text->len, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED);
}

static void
clear (const char *parent)
{
  g_autoptr (GPtrArray) lost = hl_session_store_find_lost (parent);

  for (guint i = 0; i < lost->len; i++)
    hl_session_store_remove (lost->pdata[i]);
}

static guint
count (const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (folder) != NULL)
    n++;
  return n;
}

/* As long as it is held, it is not lost; a program that is killed holds it no more. */
static void
test_lost (void)
{
  g_autoptr (TestFolder) parent = test_make_folder ();
  g_autofree char *below = g_build_filename (parent, "headlight", "windows", NULL);
  g_autoptr (HlSavedWindow) window = make_window (2);
  g_autoptr (GError) error = NULL;
  int status;

  const pid_t child = fork ();
  if (child == 0)
    {
      /* Else its names would be those of its parent. */
      g_random_set_seed ((guint32) getpid ());
      HlSessionStore *of_child = hl_session_store_new (below, NULL);
      hl_session_store_save (of_child, 7, window, NULL);
      hl_session_store_save (of_child, 8, window, NULL);
      hl_session_store_forget (of_child, 8);
      raise (SIGKILL);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFSIGNALED (status));

  g_autoptr (HlSessionStore) own = hl_session_store_new (below, &error);
  g_assert_no_error (error);
  g_assert_true (hl_session_store_save (own, 0, window, &error));
  g_autoptr (GPtrArray) lost = hl_session_store_find_lost (below);
  g_assert_cmpuint (lost->len, ==, 1);
  g_autoptr (GPtrArray) windows = hl_session_store_load (lost);
  g_assert_cmpuint (windows->len, ==, 1);
  g_assert_cmpuint (((HlSavedWindow *) windows->pdata[0])->tabs->len, ==, 2);

  /* It is held here now. */
  g_autoptr (GPtrArray) none = hl_session_store_find_lost (below);
  g_assert_cmpuint (none->len, ==, 0);
  hl_session_store_remove (lost->pdata[0]);
  g_assert_cmpuint (count (below), ==, 1);
  hl_session_store_remove (own);
  g_assert_true (hl_session_store_save (own, 0, window, &error));
  g_assert_cmpuint (count (below), ==, 0);
}

/* Whenever a program is killed that keeps what is open, that is whole, and nothing is beside it. */
static void
test_killed (void)
{
  g_autoptr (TestFolder) parent = test_make_folder ();
  g_autoptr (HlSavedWindow) small = make_window (1);
  g_autoptr (HlSavedWindow) large = make_window (200);

  for (guint round = 0; round < 60; round++)
    {
      const gulong moment = (gulong) g_test_rand_int_range (0, 30000);
      int status, pipe_ends[2];
      char begun;
      g_assert_cmpint (pipe (pipe_ends), ==, 0);
      const pid_t child = fork ();
      if (child == 0)
        {
          g_random_set_seed ((guint32) getpid ());
          HlSessionStore *store = hl_session_store_new (parent, NULL);
          hl_session_store_save (store, 0, small, NULL);
          (void) !write (pipe_ends[1], "", 1);
          for (guint i = 1;; i++)
            hl_session_store_save (store, 0, i % 2 != 0 ? large : small, NULL);
        }
      g_assert_cmpint (read (pipe_ends[0], &begun, 1), ==, 1);
      close (pipe_ends[0]);
      close (pipe_ends[1]);
      g_usleep (moment);
      kill (child, SIGKILL);
      g_assert_cmpint (waitpid (child, &status, 0), ==, child);

      g_autoptr (GPtrArray) lost = hl_session_store_find_lost (parent);
      g_assert_cmpuint (lost->len, ==, 1);
      g_autoptr (GPtrArray) windows = hl_session_store_load (lost);
      g_assert_cmpuint (windows->len, ==, 1);
      const guint n_tabs = ((HlSavedWindow *) windows->pdata[0])->tabs->len;
      g_assert_true (n_tabs == 1 || n_tabs == 200);
      hl_session_store_remove (lost->pdata[0]);
      g_assert_cmpuint (count (parent), ==, 0);
    }
}

/* For its user alone, and not more of them than somebody would look through. */
static void
test_kept (void)
{
  g_autoptr (TestFolder) parent = test_make_folder ();
  g_autofree char *below = g_build_filename (parent, "windows", NULL);
  g_autoptr (HlSavedWindow) window = make_window (1);
  GStatBuf info;

  for (guint i = 0; i < 12; i++)
    {
      g_autoptr (HlSessionStore) store = hl_session_store_new (below, NULL);
      g_assert_true (hl_session_store_save (store, 0, window, NULL));
    }
  g_autoptr (GDir) folder = g_dir_open (below, 0, NULL);
  g_autofree char *first = g_build_filename (below, g_dir_read_name (folder), NULL);
  g_autofree char *file = g_build_filename (first, "window-0", NULL);
  g_assert_cmpint (g_stat (below, &info), ==, 0);
  g_assert_cmpuint (info.st_mode & 0777, ==, 0700);
  g_assert_cmpint (g_stat (first, &info), ==, 0);
  g_assert_cmpuint (info.st_mode & 0777, ==, 0700);
  g_assert_cmpint (g_stat (file, &info), ==, 0);
  g_assert_cmpuint (info.st_mode & 0777, ==, 0600);

  g_autoptr (GPtrArray) lost = hl_session_store_find_lost (below);
  g_assert_cmpuint (lost->len, ==, 8);
  g_assert_cmpuint (count (below), ==, 8);
  g_ptr_array_set_size (lost, 0);
  clear (below);
  g_assert_cmpuint (count (below), ==, 0);
}

/* As a program leaves it that was killed; returns the path of its folder. */
static char *
leave_store (const char *parent,
             guint       n_tabs)
{
  g_autoptr (HlSavedWindow) window = make_window (n_tabs);
  g_autoptr (HlSessionStore) store = hl_session_store_new (parent, NULL);
  g_autoptr (GDir) folder = g_dir_open (parent, 0, NULL);
  const char *name;

  g_assert_true (hl_session_store_save (store, 1234567, window, NULL));
  while ((name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *file = g_build_filename (parent, name, "window-1234567", NULL);
      g_autofree char *to = g_build_filename (parent, name, "window-0", NULL);
      if (g_rename (file, to) == 0)
        return g_build_filename (parent, name, NULL);
    }
  g_assert_not_reached ();
}

static void
make_fifo (const char *folder,
           const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
}

static void
count_window (const HlSavedWindow *window,
              gpointer             n)
{
  *(guint *) n += window->tabs->len > 0;
}

/* What somebody put there is no file of a window: nobody waits for it, and the others are read. */
static void
test_odd (void)
{
  g_autoptr (TestFolder) parent = test_make_folder ();
  g_autofree char *store = leave_store (parent, 2);
  g_autofree char *device = g_build_filename (store, "window-2", NULL);
  g_autofree char *dangling = g_build_filename (store, "window-3", NULL);
  g_autofree char *loop = g_build_filename (store, "window-4", NULL);
  g_autofree char *folder = g_build_filename (store, "window-5", NULL);
  guint n_seen = 0;

  make_fifo (store, "window-1");
  g_assert_false (hl_session_store_peek (parent, count_window, &n_seen));
  g_assert_cmpint (symlink ("/dev/zero", device), ==, 0);
  g_assert_cmpint (symlink ("nothing", dangling), ==, 0);
  g_assert_cmpint (symlink (loop, loop), ==, 0);
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_autoptr (GPtrArray) lost = hl_session_store_find_lost (parent);
  g_assert_cmpuint (lost->len, ==, 1);
  g_autoptr (GPtrArray) windows = hl_session_store_load (lost);
  g_assert_cmpuint (windows->len, ==, 1);
}

/* Changes the text of the one window of a store. */
static void
rewrite (const char *store,
         const char *from,
         const char *to,
         guint       limit)
{
  g_autofree char *path = g_build_filename (store, "window-0", NULL);
  g_autofree char *text = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &text, &size, NULL));
  g_autoptr (GString) changed = g_string_new_len (text, (gssize) size);
  g_assert_cmpuint (g_string_replace (changed, from, to, limit), >, 0);
  g_assert_true (g_file_set_contents (path, changed->str, (gssize) changed->len, NULL));
}

/* Loads all that was lost, and decides about it; returns how many tabs came back. */
static guint
load_all (const char *parent)
{
  g_autoptr (GPtrArray) lost = hl_session_store_find_lost (parent);
  g_autoptr (GPtrArray) windows = hl_session_store_load (lost);
  guint n_tabs = 0;

  for (guint i = 0; i < windows->len; i++)
    n_tabs += ((const HlSavedWindow *) windows->pdata[i])->tabs->len;
  for (guint i = 0; i < lost->len; i++)
    hl_session_store_remove (lost->pdata[i]);
  return n_tabs;
}

/* What a newer program kept is there for that, until it is too old; what is damaged is there no more. */
static void
test_newer (void)
{
  static const struct
  {
    const char *from;
    const char *to;
    guint limit;
    gboolean stays;
  } rows[] = {
    { "\"version\":1", "\"version\":99", 1, TRUE },
    { "headlight-window", "headlight-window-2", 1, TRUE },
    { "\"version\" : 1", "\"version\" : 99", 0, TRUE },
    { "\"format\" : \"headlight-session\"", "\"option\" : 1, \"format\" : \"headlight-session\"", 0, TRUE },
    { "\"format\" : \"headlight-session\"", "\"state\" : {\"option\":\"\"}, \"format\" : \"headlight-session\"", 0,
      TRUE },
    { "{\"format\"", "{format", 1, FALSE },
    { "\"format\" : \"headlight-session\"", "?", 0, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (TestFolder) parent = test_make_folder ();
      g_autofree char *store = leave_store (parent, 2);
      struct utimbuf times = { 0, 0 };
      rewrite (store, rows[i].from, rows[i].to, rows[i].limit);
      for (guint round = 0; round < 2; round++)
        {
          g_assert_cmpuint (load_all (parent), ==, 0);
          g_assert_cmpuint (count (parent), ==, rows[i].stays);
        }
      if (!rows[i].stays)
        continue;
      rewrite (store, rows[i].to, rows[i].from, 0);
      g_assert_cmpuint (load_all (parent), ==, 2);
      g_assert_cmpuint (count (parent), ==, 0);

      g_autofree char *old = leave_store (parent, 2);
      g_autofree char *lock = g_build_filename (old, "lock", NULL);
      rewrite (old, rows[i].from, rows[i].to, rows[i].limit);
      g_assert_cmpuint (load_all (parent), ==, 0);
      g_assert_cmpint (g_utime (lock, &times), ==, 0);
      g_assert_cmpint (g_utime (old, &times), ==, 0);
      g_assert_cmpuint (load_all (parent), ==, 0);
      g_assert_cmpuint (count (parent), ==, 0);
    }
}

/* A window that nobody touched was open all the same: its age begins when it is found. */
static void
test_untouched (void)
{
  g_autoptr (TestFolder) parent = test_make_folder ();
  g_autofree char *store = leave_store (parent, 1);
  g_autofree char *lock = g_build_filename (store, "lock", NULL);
  struct utimbuf long_ago = { 0, 0 }, lately = { time (NULL) - 29 * 24 * 3600, time (NULL) - 29 * 24 * 3600 };

  g_assert_cmpint (g_utime (lock, &long_ago), ==, 0);
  g_assert_cmpint (g_utime (store, &long_ago), ==, 0);
  for (guint round = 0; round < 3; round++)
    {
      g_autoptr (GPtrArray) lost = hl_session_store_find_lost (parent);
      g_assert_cmpuint (lost->len, ==, 1);
      if (round == 1)
        g_assert_cmpint (g_utime (lock, &lately), ==, 0);
    }
  /* A clock that went wrong found it before it was written. */
  g_assert_cmpint (g_utime (lock, &long_ago), ==, 0);
  g_assert_cmpint (g_utime (store, &lately), ==, 0);
  for (guint round = 0; round < 2; round++)
    {
      g_autoptr (GPtrArray) lost = hl_session_store_find_lost (parent);
      g_assert_cmpuint (lost->len, ==, 1);
    }
  g_assert_cmpint (g_utime (lock, &long_ago), ==, 0);
  g_assert_cmpint (g_utime (store, &long_ago), ==, 0);
  g_autoptr (GPtrArray) lost = hl_session_store_find_lost (parent);
  g_assert_cmpuint (lost->len, ==, 0);
  g_assert_cmpuint (count (parent), ==, 0);
}

/* On a disk that is full nothing can tell when it was found: it stays. */
static void
test_full (void)
{
  g_autoptr (TestFolder) parent = test_make_folder ();
  g_autofree char *store = leave_store (parent, 1);
  struct utimbuf long_ago = { 0, 0 };
  struct rlimit limit;

  g_assert_cmpint (g_utime (store, &long_ago), ==, 0);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  const struct rlimit none = { 0, limit.rlim_max };
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &none), ==, 0);
  g_autoptr (GPtrArray) lost = hl_session_store_find_lost (parent);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  signal (SIGXFSZ, SIG_DFL);
  g_assert_cmpuint (lost->len, ==, 1);
  g_assert_cmpuint (count (parent), ==, 1);
}

/* Nothing was open, or nothing of it was written. */
static void
test_empty (void)
{
  static const char *const texts[] = { "", "\x1e", "\x1e{\"format\":\"headlight-window\",\"version\":1}\n" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (TestFolder) parent = test_make_folder ();
      g_autofree char *store = leave_store (parent, 1);
      g_autofree char *path = g_build_filename (store, "window-0", NULL);
      g_assert_true (g_file_set_contents (path, texts[i], -1, NULL));
      g_assert_cmpuint (load_all (parent), ==, 0);
      g_assert_cmpuint (count (parent), ==, 0);
    }
}

/* Of what comes back in part, the other windows and tabs stay, and these alone. */
static void
test_rest (void)
{
  g_autoptr (TestFolder) parent = test_make_folder ();
  g_autofree char *store = leave_store (parent, 3);
  g_autofree char *path = g_build_filename (store, "window-0", NULL);
  g_autofree char *newer = g_build_filename (store, "window-1", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (newer, "{\"format\":\"headlight-window\",\"version\":2}", -1, NULL));
  rewrite (store, "\"file:///file-1.h5\"", "\"file:///file-1.h5\", \"option\" : 1", 1);
  g_assert_cmpuint (load_all (parent), ==, 2);
  for (guint round = 0; round < 2; round++)
    {
      g_assert_cmpuint (load_all (parent), ==, 0);
      g_assert_cmpuint (count (store), ==, 3);
    }
  rewrite (store, ", \"option\" : 1", "", 1);
  {
    g_autoptr (GPtrArray) lost = hl_session_store_find_lost (parent);
    g_autoptr (GPtrArray) windows = hl_session_store_load (lost);
    g_assert_cmpuint (windows->len, ==, 1);
    const HlSavedWindow *window = windows->pdata[0];
    g_assert_cmpuint (window->tabs->len, ==, 1);
    g_assert_cmpuint (window->n_unread, ==, 0);
    const HlSavedTab *tab = window->tabs->pdata[0];
    g_assert_cmpstr (g_file_peek_path (tab->session->file), ==, "/file-1.h5");
    g_assert_cmpstr (g_file_peek_path (tab->session_file), ==, "/a.headlight");
    hl_session_store_remove (lost->pdata[0]);
  }
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (newer, G_FILE_TEST_EXISTS));

  /* One that is too large takes nothing of what the others may have. */
  for (guint i = 1; i < 4; i++)
    {
      g_autofree char *large = g_strdup_printf ("%s/window-%u", store, i);
      g_assert_true (g_file_set_contents (large, "", 0, NULL));
      g_assert_cmpint (truncate (large, 17 << 20), ==, 0);
    }
  g_autofree char *other = leave_store (parent, 1);
  struct utimbuf times = { time (NULL) - 60, time (NULL) - 60 };
  g_assert_cmpint (g_utime (other, &times), ==, 0);
  g_assert_cmpuint (load_all (parent), ==, 1);
  g_assert_cmpuint (count (store), ==, 4);
}

/* A program that has too many files open deletes nothing that it cannot read. */
static void
test_no_files (void)
{
  g_autoptr (TestFolder) parent = test_make_folder ();
  struct rlimit limit, few;

  g_free (leave_store (parent, 2));
  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  for (guint n_left = 0; n_left < 2; n_left++)
    {
      g_autoptr (GPtrArray) lost = hl_session_store_find_lost (parent);
      g_assert_cmpuint (lost->len, ==, 1);
      const int next = dup (STDOUT_FILENO);
      g_assert_cmpint (close (next), ==, 0);
      few = limit;
      few.rlim_cur = (rlim_t) next + n_left;
      g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &few), ==, 0);
      g_autoptr (GPtrArray) windows = hl_session_store_load (lost);
      g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &limit), ==, 0);
      g_assert_cmpuint (windows->len, ==, 0);
      g_assert_cmpuint (lost->len, ==, 0);
    }
  g_assert_cmpuint (load_all (parent), ==, 2);
}

/* A folder of somebody else stays, and so does what is not of a store. */
static void
test_foreign (void)
{
  g_autoptr (TestFolder) parent = test_make_folder ();
  g_autofree char *copy = g_build_filename (parent, "copy of mine", NULL);
  g_autofree char *unfinished = g_build_filename (parent, ".new-mine", NULL);
  const char *const folders[] = { copy, unfinished };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *lock = g_build_filename (folders[i], "lock", NULL);
      g_autofree char *thesis = g_build_filename (folders[i], "thesis.tex", NULL);
      struct utimbuf times = { 0, 0 };
      g_assert_cmpint (g_mkdir (folders[i], 0700), ==, 0);
      g_assert_true (g_file_set_contents (lock, "", 0, NULL));
      g_assert_true (g_file_set_contents (thesis, "", 0, NULL));
      g_assert_cmpint (g_utime (folders[i], &times), ==, 0);
    }
  g_autofree char *store = leave_store (parent, 1);
  g_autofree char *notes = g_build_filename (store, "notes.txt", NULL);
  g_assert_true (g_file_set_contents (notes, "", 0, NULL));
  g_autoptr (GPtrArray) lost = hl_session_store_find_lost (parent);
  g_assert_cmpuint (lost->len, ==, 1);
  hl_session_store_remove (lost->pdata[0]);
  g_assert_cmpuint (count (store), ==, 1);
  g_assert_cmpuint (count (copy), ==, 2);
  g_assert_cmpuint (count (unfinished), ==, 2);
}

/* Thousands of them are not open files at once. */
static void
test_files (void)
{
  g_autoptr (TestFolder) parent = test_make_folder ();
  struct rlimit limit, few;

  for (guint i = 0; i < 100; i++)
    g_free (leave_store (parent, 1));
  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  few = limit;
  few.rlim_cur = 40;
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &few), ==, 0);
  g_autoptr (GPtrArray) lost = hl_session_store_find_lost (parent);
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  g_assert_cmpuint (lost->len, ==, 8);
  g_assert_cmpuint (count (parent), ==, 8);
}

/* At %HL_LIMIT_KEPT, and a byte past it; what is left for the next program is as it was. */
static void
test_budget (void)
{
  g_autoptr (TestFolder) parent = test_make_folder ();
  g_autofree char *blank = g_strnfill (12u << 20, ' ');
  gsize n_bytes = 0;

  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *store = leave_store (parent, 1);
      g_autofree char *path = g_build_filename (store, "window-0", NULL);
      g_autofree char *text = NULL;
      gsize size;
      g_assert_true (g_file_get_contents (path, &text, &size, NULL));
      const gsize n_blank = i < 2 ? 12u << 20 : HL_LIMIT_KEPT - n_bytes - size;
      FILE *file = fopen (path, "a");
      g_assert_cmpuint (fwrite (blank, 1, n_blank, file), ==, n_blank);
      g_assert_cmpint (fclose (file), ==, 0);
      n_bytes += size + n_blank;
    }
  for (guint past = 0; past < 2; past++)
    {
      guint n_seen = 0;
      g_assert_true (hl_session_store_peek (parent, count_window, &n_seen) == (past == 0));
      g_autoptr (GPtrArray) lost = hl_session_store_find_lost (parent);
      g_assert_cmpuint (lost->len, ==, 3);
      g_autoptr (GPtrArray) windows = hl_session_store_load (lost);
      g_assert_cmpuint (windows->len, ==, past == 0 ? 3 : 2);
      g_assert_cmpuint (lost->len, ==, windows->len);
      g_assert_cmpuint (count (parent), ==, 3);
      g_autoptr (GDir) folder = g_dir_open (parent, 0, NULL);
      g_autofree char *first = g_build_filename (parent, g_dir_read_name (folder), "window-0", NULL);
      FILE *file = fopen (first, "a");
      g_assert_cmpint (fputc (' ', file), ==, ' ');
      g_assert_cmpint (fclose (file), ==, 0);
    }
}

/* More tabs than anybody has are not offered together, and none that is not offered is lost by it. */
static void
test_tabs (void)
{
  g_autoptr (TestFolder) parent = test_make_folder ();

  for (guint i = 0; i < 7; i++)
    g_free (leave_store (parent, 150));
  {
    g_autoptr (GPtrArray) lost = hl_session_store_find_lost (parent);
    g_autoptr (GPtrArray) windows = hl_session_store_load (lost);
    g_assert_cmpuint (windows->len, ==, 6);
    for (guint i = 0; i < lost->len; i++)
      hl_session_store_remove (lost->pdata[i]);
  }
  g_autoptr (GPtrArray) lost = hl_session_store_find_lost (parent);
  g_autoptr (GPtrArray) windows = hl_session_store_load (lost);
  g_assert_cmpuint (windows->len, ==, 1);
}

/* A tab with so many tokens. */
static HlSavedSession *
make_long_session (guint n_tokens)
{
  HlSavedSession *session = make_session ("/long.h5");

  session->options.tokens = g_new0 (char *, n_tokens + 1);
  for (guint i = 0; i < n_tokens; i++)
    session->options.tokens[i] = g_strdup ("");
  return session;
}

/* A tab with more tokens than all may have is not kept, nor read; the others are. */
static void
test_tokens (void)
{
  g_autoptr (HlSavedWindow) window = make_window (1);
  g_autoptr (GError) error = NULL;

  hl_saved_window_add (window, make_long_session (200000), NULL);
  hl_saved_window_add (window, make_long_session (200000), NULL);
  hl_saved_window_add (window, make_session ("/last.h5"), NULL);
  g_autoptr (GBytes) bytes = hl_saved_window_to_bytes (window);
  g_autoptr (HlSavedWindow)
    again = hl_saved_window_parse (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (again->tabs->len, ==, 3);
  const HlSavedTab *last = again->tabs->pdata[2];
  g_assert_cmpstr (g_file_peek_path (last->session->file), ==, "/last.h5");
}

/* A window whose lists and objects have so many values; a text of commas counts as much. */
static char *
make_values (guint n)
{
  static const char *const begin = "{\"format\":\"headlight-window\",\"version\":1}\x1e"
                                   "{\"format\":\"headlight-session\",\"version\":1,\"file\":\"a\",\"text\":\"";
  guint n_begin = 0;

  for (const char *at = begin; *at != '\0'; at++)
    n_begin += *at == ',';
  g_autofree char *commas = g_strnfill (n - n_begin, ',');
  return g_strconcat (begin, commas, "\"}", NULL);
}

/* At %HL_LIMIT_KEPT_VALUES and one past it, in one window and in those of two programs; none that is not offered is lost by it. */
static void
test_values (void)
{
  for (guint past = 0; past < 2; past++)
    {
      g_autoptr (TestFolder) parent = test_make_folder ();
      g_autofree char *text = make_values (HL_LIMIT_KEPT_VALUES + past);
      g_autoptr (GError) error = NULL;
      g_autoptr (HlSavedWindow) window = hl_saved_window_parse (text, strlen (text), &error);
      g_assert_true ((window != NULL) == (past == 0));
      g_assert_true (past == 0 || g_error_matches (error, HL_ERROR, HL_ERROR_TOO_LARGE));

      for (guint i = 0; i < 2; i++)
        {
          g_autofree char *store = leave_store (parent, 1);
          g_autofree char *path = g_build_filename (store, "window-0", NULL);
          g_autofree char *half = make_values (HL_LIMIT_KEPT_VALUES / 2 + i * past);
          g_assert_true (g_file_set_contents (path, half, -1, NULL));
        }
      g_autoptr (GPtrArray) lost = hl_session_store_find_lost (parent);
      g_autoptr (GPtrArray) windows = hl_session_store_load (lost);
      g_assert_cmpuint (lost->len, ==, 2 - past);
      g_assert_cmpuint (windows->len, ==, 2 - past);
      g_assert_cmpuint (count (parent), ==, 2);
      guint n_seen = 0;
      g_assert_true (hl_session_store_peek (parent, count_window, &n_seen));
      g_assert_cmpuint (n_seen, ==, 2);
      g_ptr_array_set_size (lost, 0);
      clear (parent);
    }
}

static glong
get_peak_kib (void)
{
  struct rusage usage;

  g_assert_cmpint (getrusage (RUSAGE_SELF, &usage), ==, 0);
  return usage.ru_maxrss;
}

/* Who looks at thousands of windows has one in memory at a time, which is far larger there than its file. */
static void
test_peek (void)
{
  g_autoptr (TestFolder) parent = test_make_folder ();
  g_autofree char *store = leave_store (parent, 1);
  g_autofree char *first = g_build_filename (store, "window-0", NULL);
  g_autoptr (GString) text = g_string_new ("\x1e{\"format\":\"headlight-window\",\"version\":1}");
  guint n_seen = 0;

  for (guint i = 0; i < 200; i++)
    g_string_append (text,
                     "\x1e{\"format\":\"headlight-session\",\"version\":1,\"file\":\"a\",\"other\":{\"file\":\"b\"}}");
  g_assert_true (g_file_set_contents (first, text->str, (gssize) text->len, NULL));
  for (guint i = 1; i < 1000; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/window-%u", store, i);
      g_assert_cmpint (link (first, path), ==, 0);
    }
  const glong peak = get_peak_kib ();
  g_assert_true (hl_session_store_peek (parent, count_window, &n_seen));
  g_assert_cmpuint (n_seen, ==, 1000);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  g_assert_cmpint (get_peak_kib () - peak, <, 64 << 10);
#endif
  clear (parent);
}

/* Of many windows there are few again, with all tabs of the others. */
static void
test_windows (void)
{
  g_autoptr (TestFolder) parent = test_make_folder ();
  guint n_tabs = 0;

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (HlSessionStore) store = hl_session_store_new (parent, NULL);
      for (guint number = 1; number <= 30; number++)
        {
          g_autoptr (HlSavedWindow) window = make_window (1 + number / 3);
          n_tabs += window->tabs->len;
          g_assert_true (hl_session_store_save (store, number, window, NULL));
        }
    }
  g_autoptr (GPtrArray) lost = hl_session_store_find_lost (parent);
  g_autoptr (GPtrArray) windows = hl_session_store_load (lost);
  g_assert_cmpuint (windows->len, ==, 8);
  for (guint i = 0; i < windows->len; i++)
    {
      const HlSavedWindow *window = windows->pdata[i];
      g_assert_cmpuint (window->tabs->len, <=, 200);
      n_tabs -= window->tabs->len;
    }
  g_assert_cmpuint (n_tabs, ==, 0);
  clear (parent);
}

/* Of a program that ends, some windows are for the next. */
static void
test_leave (void)
{
  g_autoptr (TestFolder) parent = test_make_folder ();
  g_autoptr (HlSessionStore) store = hl_session_store_new (parent, NULL);
  g_autoptr (HlSavedWindow) window = make_window (1);
  g_autoptr (HlSavedWindow) kept = make_window (2);

  g_assert_true (hl_session_store_save (store, 1, window, NULL));
  g_assert_true (hl_session_store_save (store, 12, kept, NULL));
  hl_session_store_leave (store, (const guint[]){ 12 }, 1);
  g_assert_true (hl_session_store_save (store, 3, window, NULL));
  g_autoptr (GPtrArray) lost = hl_session_store_find_lost (parent);
  g_assert_cmpuint (lost->len, ==, 1);
  g_autoptr (GPtrArray) windows = hl_session_store_load (lost);
  g_assert_cmpuint (windows->len, ==, 1);
  g_assert_cmpuint (((const HlSavedWindow *) windows->pdata[0])->tabs->len, ==, 2);
  hl_session_store_remove (lost->pdata[0]);
  g_assert_cmpuint (count (parent), ==, 0);
}

/* A folder that somebody removed is made again, with all windows, and is held. */
static void
test_vanished (void)
{
  g_autoptr (TestFolder) parent = test_make_folder ();
  g_autofree char *below = g_build_filename (parent, "headlight", NULL);
  g_autofree char *moved = g_build_filename (parent, "moved", NULL);
  g_autoptr (HlSessionStore) store = hl_session_store_new (below, NULL);
  g_autoptr (HlSavedWindow) window = make_window (1);
  g_autoptr (GError) error = NULL;
  guint n_seen = 0;

  g_assert_true (hl_session_store_save (store, 1, window, NULL));
  g_assert_true (hl_session_store_save (store, 2, window, NULL));
  g_assert_cmpint (g_rename (below, moved), ==, 0);
  g_assert_true (hl_session_store_save (store, 1, window, &error));
  g_assert_no_error (error);
  g_assert_true (hl_session_store_save (store, 2, window, NULL));
  g_assert_true (hl_session_store_peek (below, count_window, &n_seen));
  g_assert_cmpuint (n_seen, ==, 2);
  g_autoptr (GPtrArray) none = hl_session_store_find_lost (below);
  g_assert_cmpuint (none->len, ==, 0);

  /* Nor is anything taken out of a folder to which a link in its place leads, or put there. */
  g_autoptr (GDir) folder = g_dir_open (below, 0, NULL);
  g_autofree char *own = g_build_filename (below, g_dir_read_name (folder), NULL);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *away = g_strdup_printf ("%s/away-%u", parent, i);
      g_assert_cmpint (g_rename (own, away), ==, 0);
      g_assert_cmpint (symlink (away, own), ==, 0);
      if (i == 0)
        g_assert_true (hl_session_store_save (store, 3, window, NULL));
      else
        hl_session_store_remove (store);
      g_assert_cmpuint (count (away), ==, i == 0 ? 3 : 2);
    }
}

/* Where it cannot be, what is said is what is not done. */
static void
test_unwritten (void)
{
  g_autoptr (TestFolder) parent = test_make_folder ();
  g_autoptr (HlSessionStore) store = hl_session_store_new (parent, NULL);
  g_autoptr (HlSavedWindow) window = make_window (1);
  g_autoptr (GDir) folder = g_dir_open (parent, 0, NULL);
  g_autofree char *in_place = g_build_filename (parent, g_dir_read_name (folder), "window-1", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir (in_place, 0700), ==, 0);
  g_assert_false (hl_session_store_save (store, 1, window, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_IO);
  g_assert_true (g_str_has_prefix (error->message, "what is open cannot be kept: "));
  g_assert_cmpint (g_rmdir (in_place), ==, 0);
  hl_session_store_remove (store);
}

/* What is in the place of the file that is written is not followed. */
static void
test_links (void)
{
  g_autoptr (TestFolder) parent = test_make_folder ();
  g_autofree char *windows = g_build_filename (parent, "windows", NULL);
  g_autofree char *outside = g_build_filename (parent, "outside", NULL);
  g_autoptr (HlSavedWindow) window = make_window (1);
  g_autoptr (HlSessionStore) store = hl_session_store_new (windows, NULL);
  g_autoptr (GDir) folder = g_dir_open (windows, 0, NULL);
  g_autofree char *own = g_build_filename (windows, g_dir_read_name (folder), NULL);
  g_autofree char *link = g_build_filename (own, "window-1", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (outside, "mine", -1, NULL));
  g_assert_cmpint (symlink (outside, link), ==, 0);
  g_assert_true (hl_session_store_save (store, 1, window, &error));
  make_fifo (own, "window-2");
  g_assert_true (hl_session_store_save (store, 2, window, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (outside, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "mine");
  g_assert_false (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  hl_session_store_remove (store);
  g_assert_cmpuint (count (windows), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-store/bytes", test_bytes);
  g_test_add_func ("/session-store/many", test_many);
  g_test_add_func ("/session-store/remote", test_remote);
  g_test_add_func ("/session-store/unread", test_unread);
  g_test_add_func ("/session-store/lost", test_lost);
  g_test_add_func ("/session-store/killed", test_killed);
  g_test_add_func ("/session-store/kept", test_kept);
  g_test_add_func ("/session-store/odd", test_odd);
  g_test_add_func ("/session-store/newer", test_newer);
  g_test_add_func ("/session-store/untouched", test_untouched);
  g_test_add_func ("/session-store/full", test_full);
  g_test_add_func ("/session-store/empty", test_empty);
  g_test_add_func ("/session-store/rest", test_rest);
  g_test_add_func ("/session-store/no-files", test_no_files);
  g_test_add_func ("/session-store/foreign", test_foreign);
  g_test_add_func ("/session-store/files", test_files);
  g_test_add_func ("/session-store/budget", test_budget);
  g_test_add_func ("/session-store/tabs", test_tabs);
  g_test_add_func ("/session-store/tokens", test_tokens);
  g_test_add_func ("/session-store/values", test_values);
  g_test_add_func ("/session-store/peek", test_peek);
  g_test_add_func ("/session-store/windows", test_windows);
  g_test_add_func ("/session-store/leave", test_leave);
  g_test_add_func ("/session-store/vanished", test_vanished);
  g_test_add_func ("/session-store/unwritten", test_unwritten);
  g_test_add_func ("/session-store/links", test_links);
  return g_test_run ();
}
