/* SPDX-License-Identifier: MIT */
/* Images without a file: there once, and gone when they are old and nobody has them. */
#include "view/session/hl-image-store.h"

#include "core/base/hl-error.h"
#include "view/session/hl-session-store.h"
#include "core/test-dumps.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#define DAY 86400

typedef struct
{
  char *path;
  char *images;
  char *windows;
  char *recent;
  gint64 now;
} Fixture;

static void
set_up (Fixture      *self,
        gconstpointer data)
{
  self->path = test_make_folder ();
  self->images = g_build_filename (self->path, "state", "images", NULL);
  self->windows = g_build_filename (self->path, "state", "windows", NULL);
  self->recent = g_build_filename (self->path, "recently-used.xbel", NULL);
  self->now = g_get_real_time () / G_TIME_SPAN_SECOND;
}

static void
tear_down (Fixture      *self,
           gconstpointer data)
{
  test_folder_free (self->path);
  g_free (self->images);
  g_free (self->windows);
  g_free (self->recent);
}

/* An image that is as old. */
static GFile *
add (Fixture    *self,
     const char *content,
     gint64      age)
{
  g_autoptr (GBytes) bytes = g_bytes_new (content, strlen (content));
  g_autoptr (GError) error = NULL;
  GFile *file = hl_image_store_add (self->images, bytes, &error);

  g_assert_no_error (error);
  struct utimbuf times = { self->now - age, self->now - age };
  if (age > 0)
    g_assert_cmpint (g_utime (g_file_peek_path (file), &times), ==, 0);
  return file;
}

static gboolean
is_there (GFile *file)
{
  return g_file_query_exists (file, NULL);
}

static guint
prune (Fixture *self)
{
  return hl_image_store_prune (self->images, self->windows, self->recent, self->now);
}

static HlSavedSession *
make_session (GFile *image,
              GFile *other)
{
  HlSavedSession *session = g_new0 (HlSavedSession, 1);

  session->file = g_file_new_for_path ("/a/model");
  session->pixels = image != NULL ? g_object_ref (image) : NULL;
  session->is_image = image != NULL;
  session->other = other != NULL ? make_session (other, NULL) : NULL;
  return session;
}

/* The same is there once, and new when it comes again; others cannot read it. */
static void
test_add (Fixture      *self,
          gconstpointer data)
{
  GStatBuf info;
  g_autoptr (GFile) file = add (self, "one", 3 * DAY);
  g_autoptr (GFile) same = add (self, "one", 0);
  g_autoptr (GFile) other = add (self, "two", 3 * DAY);

  g_assert_true (g_file_equal (file, same) && !g_file_equal (file, other));
  g_assert_cmpint (g_stat (g_file_peek_path (file), &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
  g_assert_cmpint (info.st_mtime, >, self->now - DAY);
  g_assert_cmpuint (prune (self), ==, 1);
  g_assert_true (is_there (file) && !is_there (other));

  g_autofree char *blocked = g_build_filename (g_file_peek_path (file), "below", NULL);
  g_autoptr (GBytes) bytes = g_bytes_new_static ("x", 1);
  g_autoptr (GError) error = NULL;
  g_assert_null (hl_image_store_add (blocked, bytes, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_IO);
}

/* Nothing else in the folder is touched, and none that is not there is missed. */
static void
test_others (Fixture      *self,
             gconstpointer data)
{
  const char *const names[] = { "notes.txt", "0123456789abcdef.jpg", "0123456789ABCDEF.png", "0123456789abcde.png" };
  struct utimbuf times = { self->now - 9 * DAY, self->now - 9 * DAY };

  g_assert_cmpuint (prune (self), ==, 0);
  g_assert_false (g_file_test (self->images, G_FILE_TEST_EXISTS));
  g_autoptr (GFile) old = add (self, "old", 2 * DAY);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (self->images, names[i], NULL);
      g_assert_true (g_file_set_contents (path, "", 0, NULL));
      g_assert_cmpint (g_utime (path, &times), ==, 0);
    }
  /* A folder that is called as an image is. */
  g_autofree char *folder = g_build_filename (self->images, "0123456789abcdef.png", NULL);
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_cmpint (g_utime (folder, &times), ==, 0);
  g_assert_cmpuint (prune (self), ==, 1);
  g_assert_false (is_there (old));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (self->images, names[i], NULL);
      g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
    }
}

/* What is open in any window stays, on both sides; with a window that cannot be read, all does. */
static void
test_open (Fixture      *self,
           gconstpointer data)
{
  g_autoptr (GFile) first = add (self, "first", 2 * DAY);
  g_autoptr (GFile) second = add (self, "second", 2 * DAY);
  g_autoptr (GFile) third = add (self, "third", 2 * DAY);
  g_autoptr (HlSavedWindow) window = hl_saved_window_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSessionStore) store = hl_session_store_new (self->windows, &error);

  g_assert_no_error (error);
  hl_saved_window_add (window, make_session (NULL, NULL), NULL);
  hl_saved_window_add (window, make_session (first, second), NULL);
  g_assert_true (hl_session_store_save (store, 1, window, &error));

  g_autofree char *broken = g_build_filename (self->windows, "other", NULL);
  g_autofree char *broken_window = g_build_filename (broken, "window-1", NULL);
  g_assert_cmpint (g_mkdir (broken, 0700), ==, 0);
  g_assert_true (g_file_set_contents (broken_window, "{", 1, NULL));
  g_assert_cmpuint (prune (self), ==, 0);
  g_assert_cmpint (g_unlink (broken_window), ==, 0);

  g_assert_cmpuint (prune (self), ==, 1);
  g_assert_true (is_there (first) && is_there (second) && !is_there (third));
  hl_session_store_remove (store);
  g_assert_cmpuint (prune (self), ==, 2);
}

static void
save (Fixture        *self,
      HlSavedSession *saved,
      GFile          *target)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_image_store_save_session (self->images, saved, target, &error));
  g_assert_no_error (error);
}

/* What a session has that was saved stays until it is saved with another one; also where the session is now nobody knows. */
static void
test_saved (Fixture      *self,
            gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->path, "saved.headlight", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (GFile) first = add (self, "first", 2 * DAY);
  g_autoptr (GFile) second = add (self, "second", 2 * DAY);
  g_autoptr (GFile) third = add (self, "third", 2 * DAY);
  g_autoptr (HlSavedSession) before = make_session (first, second);
  g_autoptr (HlSavedSession) after = make_session (second, NULL);

  save (self, before, target);
  save (self, before, target);
  g_assert_cmpuint (prune (self), ==, 1);
  g_assert_true (is_there (first) && is_there (second) && !is_there (third));

  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpuint (prune (self), ==, 0);

  save (self, after, target);
  g_assert_cmpuint (prune (self), ==, 1);
  g_assert_true (!is_there (first) && is_there (second));

  /* A list that cannot be read is no list without names. */
  g_autofree char *list = g_build_filename (self->images, "sessions", NULL);
  g_autofree char *text = NULL;
  gsize size;
  g_assert_true (g_file_get_contents (list, &text, &size, NULL));
  g_assert_cmpint (g_unlink (list), ==, 0);
  g_assert_cmpint (g_mkdir (list, 0700), ==, 0);
  g_assert_cmpuint (prune (self), ==, 0);
  g_autoptr (GError) error = NULL;
  g_assert_false (hl_image_store_save_session (self->images, after, target, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_IO);
}

/* A session is saved also where what it has cannot be kept, because there is no folder for it, or somebody keeps that to himself. */
static void
test_not_kept (Fixture      *self,
               gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->path, "saved.headlight", NULL);
  g_autofree char *away = g_build_filename (self->path, "away", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (GFile) image = add (self, "image", 2 * DAY);
  g_autoptr (HlSavedSession) saved = make_session (image, NULL);
  g_autoptr (GError) error = NULL;

  const int fd = open (self->images, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_assert_cmpint (flock (fd, LOCK_EX), ==, 0);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_false (hl_image_store_save_session (self->images, saved, target, &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_IO);
      g_assert_true (g_str_has_prefix (error->message, "it is saved"));
      g_clear_error (&error);
      g_assert_cmpint (g_unlink (path), ==, 0);
      if (i > 0)
        continue;
      g_assert_cmpint (g_rename (self->images, away), ==, 0);
      g_assert_true (g_file_set_contents (self->images, "", 0, NULL));
    }
  close (fd);

  /* Where there may be one, it is made anew. */
  g_assert_cmpint (g_unlink (self->images), ==, 0);
  save (self, saved, target);
  g_assert_true (g_file_test (self->images, G_FILE_TEST_IS_DIR));
}

/* A session that somebody else saved was opened here. */
static void
test_recent (Fixture      *self,
             gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->path, "theirs.headlight", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autofree char *uri = g_file_get_uri (target);
  g_autoptr (GFile) first = add (self, "first", 2 * DAY);
  g_autoptr (GFile) second = add (self, "second", 2 * DAY);
  g_autoptr (HlSavedSession) saved = make_session (first, NULL);
  g_autoptr (GBookmarkFile) list = g_bookmark_file_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_saved_session_save (saved, target, &error));
  g_bookmark_file_set_mime_type (list, uri, "application/x-headlight-session");
  g_bookmark_file_add_application (list, uri, "Headlight", "headlight %u");
  g_assert_true (g_bookmark_file_to_file (list, self->recent, &error));
  g_assert_cmpuint (prune (self), ==, 1);
  g_assert_true (is_there (first) && !is_there (second));
}

/* What is called as an image is and is none is not taken for it, and a link to somewhere else is not written through. */
static void
test_damaged (Fixture      *self,
              gconstpointer data)
{
  g_autofree char *outside = g_build_filename (self->path, "outside", NULL);
  g_autoptr (GFile) file = add (self, "image", 0);
  const char *path = g_file_peek_path (file);

  g_assert_true (g_file_set_contents (outside, "mine", -1, NULL));
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *text = NULL;
      g_assert_cmpint (g_unlink (path), ==, 0);
      if (i == 0)
        g_assert_true (g_file_set_contents (path, "", 0, NULL));
      else if (i == 1)
        g_assert_cmpint (mkfifo (path, 0600), ==, 0);
      else if (i == 2)
        g_assert_cmpint (symlink (outside, path), ==, 0);
      else
        g_assert_true (g_file_set_contents (path, "imagf", -1, NULL));
      g_autoptr (GFile) again = add (self, "image", 0);
      g_assert_true (g_file_equal (file, again));
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_cmpstr (text, ==, "image");
    }
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (outside, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "mine");
}

/* Nobody waits for a pipe in the place of a list, of a session, or of the list of recent files; what the list has is not lost by what was
 * left of its last line, or stands behind a zero. */
static void
test_lists (Fixture      *self,
            gconstpointer data)
{
  g_autofree char *list = g_build_filename (self->images, "sessions", NULL);
  g_autofree char *path = g_build_filename (self->path, "saved.headlight", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (GFile) image = add (self, "image", 2 * DAY);
  g_autoptr (HlSavedSession) saved = make_session (image, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mkfifo (list, 0600), ==, 0);
  g_assert_cmpuint (prune (self), ==, 0);
  g_assert_false (hl_image_store_save_session (self->images, saved, target, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_IO);
  g_assert_cmpint (g_unlink (list), ==, 0);

  g_assert_true (g_file_set_contents (list, "0123456789abcdef.png file:///cut", -1, NULL));
  g_assert_true (hl_image_store_save_session (self->images, saved, target, NULL));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_cmpint (mkfifo (self->recent, 0600), ==, 0);
  g_assert_cmpuint (prune (self), ==, 0);
  g_assert_true (is_there (image));

  g_assert_true (g_file_set_contents (list, "a\0b", 3, NULL));
  g_assert_cmpuint (prune (self), ==, 0);
  g_assert_true (g_file_set_contents (list, "a\nb", 3, NULL));
  g_assert_cmpuint (prune (self), ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, test) g_test_add ("/view/image-store/" name, Fixture, NULL, set_up, test, tear_down)
  ADD ("add", test_add);
  ADD ("others", test_others);
  ADD ("open", test_open);
  ADD ("saved", test_saved);
  ADD ("not-kept", test_not_kept);
  ADD ("recent", test_recent);
  ADD ("damaged", test_damaged);
  ADD ("lists", test_lists);
#undef ADD
  return g_test_run ();
}
