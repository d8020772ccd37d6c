/* SPDX-License-Identifier: MIT */
/* What a writer leaves in a folder: the file, and nothing of those that were killed before. */
#include "test-dumps.h"

#include "core/base/file/hl-temp-file.h"
#include "core/base/hl-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define LEFT ".headlight-0123456789abcdef"
#define OTHER ".headlight-fedcba9876543210"

static char *folder;

static char *
put (const char *name,
     const char *text)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
write_file (const char *name,
            const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTempFile) temp = hl_temp_file_new (file, &error);

  g_assert_no_error (error);
  g_assert_true (hl_temp_file_write (temp, text, strlen (text), &error));
  g_assert_true (hl_temp_file_commit (temp, &error));
}

static gboolean
is_there (const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* Of a process that was killed between a name and the file's own; what another still writes stays, and what is called otherwise. */
static void
test_left (void)
{
  g_autofree char *left = put (LEFT, "half");
  g_autofree char *held = put (OTHER, "half");
  g_autofree char *note = put (".headlight-note", "mine");
  g_autofree char *longer = put (LEFT "0", "mine");
  g_autofree char *below = g_build_filename (folder, ".headlight-00000000000000aa", NULL);
  g_autofree char *target = put ("old.txt", "old");
  const int fd = g_open (held, O_RDONLY | O_CLOEXEC, 0);

  g_assert_cmpint (g_mkdir (below, 0700), ==, 0);
  g_assert_cmpint (flock (fd, LOCK_EX), ==, 0);
  write_file ("old.txt", "new");
  g_assert_false (is_there (LEFT));
  g_assert_true (is_there (OTHER));
  g_assert_true (is_there (".headlight-note"));
  g_assert_true (is_there (LEFT "0"));
  g_assert_true (g_file_test (below, G_FILE_TEST_IS_DIR));
  close (fd);
  write_file ("new.txt", "new");
  g_assert_false (is_there (OTHER));
  g_assert_true (is_there (".headlight-note"));
}

/* Of two names of one file that which was given is of the new one. */
static void
test_links (void)
{
  g_autofree char *target = put ("one.txt", "old");
  g_autofree char *second = g_build_filename (folder, "two.txt", NULL);
  g_autofree char *text = NULL;

  g_assert_cmpint (link (target, second), ==, 0);
  write_file ("one.txt", "new");
  g_assert_true (g_file_get_contents (second, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "old");
  g_free (text);
  g_assert_true (g_file_get_contents (target, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "new");
}

/* What users noted about a file, and whom it is for, is of the new one; where the file system has such. */
static void
test_attributes (void)
{
  static const char *const names[] = { "user.note", "system.posix_acl_access" };
  /* Its owner reads and writes it, user 12345 reads it, its group does not. */
  static const guint8 list[] = {
    2, 0, 0,   0,   1,   0,   6,  0, 255, 255, 255, 255, 2,   0,   4,  0, 57, 48, 0,   0,   4,   0,
    0, 0, 255, 255, 255, 255, 16, 0, 4,   0,   255, 255, 255, 255, 32, 0, 0,  0,  255, 255, 255, 255,
  };
  g_autofree char *target = put ("noted.txt", "old");
  guint8 value[2 * sizeof list];
  struct stat info;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      if (setxattr (target, names[i], list, sizeof list, 0) != 0)
        continue;
      write_file ("noted.txt", "new");
      g_assert_cmpint (getxattr (target, names[i], value, sizeof value), ==, sizeof list);
      g_assert_cmpmem (value, sizeof list, list, sizeof list);
      n++;
    }
  if (n == 0)
    {
      g_test_skip ("no extended attributes here");
      return;
    }
  /* Of a list the bits of the group are the most that it gives. */
  g_assert_cmpint (stat (target, &info), ==, 0);
  if (n == G_N_ELEMENTS (names))
    g_assert_cmpint (info.st_mode & 0777, ==, 0640);
  g_assert_cmpint (getxattr (target, names[0], value, sizeof value), ==, sizeof list);
}

/* A list that the folder gives to new files gives nobody what was not for them. */
static void
test_default_list (void)
{
  static const guint8 list[] = {
    2, 0, 0,   0,   1,   0,   6,  0, 255, 255, 255, 255, 2,   0,   6,  0, 57, 48, 0,   0,   4,   0,
    0, 0, 255, 255, 255, 255, 16, 0, 6,   0,   255, 255, 255, 255, 32, 0, 0,  0,  255, 255, 255, 255,
  };
  g_autofree char *target = put ("shared.txt", "old");
  struct stat info;
  char value[100];

  g_assert_cmpint (g_chmod (target, 0640), ==, 0);
  if (setxattr (folder, "system.posix_acl_default", list, sizeof list, 0) != 0)
    {
      g_test_skip ("no lists of access here");
      return;
    }
  write_file ("shared.txt", "new");
  removexattr (folder, "system.posix_acl_default");
  g_assert_cmpint (getxattr (target, "system.posix_acl_access", value, sizeof value), <, 0);
  g_assert_cmpint (stat (target, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0640);
}

/* A process that is killed again and again while it writes one file anew: it is whole, and the next leaves nothing beside it. */
static void
test_killed (void)
{
  g_autofree char *target = put ("whole.txt", "0000");

  for (guint i = 0; i < 40; i++)
    {
      const pid_t child = fork ();

      if (child == 0)
        for (;;)
          write_file ("whole.txt", i % 2 == 0 ? "aaaa" : "bbbb");
      g_usleep (500 + i * 137);
      kill (child, SIGKILL);
      waitpid (child, NULL, 0);
      g_autofree char *text = NULL;
      g_assert_true (g_file_get_contents (target, &text, NULL, NULL));
      g_assert_cmpuint (strlen (text), ==, 4);
    }
  write_file ("whole.txt", "last");
  g_autoptr (GDir) names = g_dir_open (folder, 0, NULL);
  for (const char *name; (name = g_dir_read_name (names)) != NULL;)
    g_assert_cmpstr (name, ==, "whole.txt");
}

/* In a folder where everybody may put files, nobody has somebody else's file written over by a link that he puts there. */
static void
test_foreign_link (void)
{
  g_autofree char *shared = g_build_filename (folder, "shared", NULL);
  g_autofree char *path = g_build_filename (shared, "figure.txt", NULL);
  g_autofree char *other = put ("private.txt", "mine");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_assert_cmpint (g_mkdir (shared, 0700), ==, 0);
  g_assert_cmpint (symlink (other, path), ==, 0);
  if (lchown (path, 12345, 12345) != 0)
    {
      g_test_skip ("nobody else can be made the owner here");
      return;
    }
  g_assert_cmpint (g_chmod (shared, 01777), ==, 0);
  g_assert_null (hl_temp_file_new (file, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_IO);
  test_assert_sentence (error);
  /* His own links, and those of whom the folder is, lead where they lead; elsewhere all do. */
  g_assert_cmpint (lchown (path, geteuid (), getegid ()), ==, 0);
  write_file ("shared/figure.txt", "ours");
  g_assert_cmpint (chown (shared, 12345, 12345), ==, 0);
  g_assert_cmpint (lchown (path, 12345, 12345), ==, 0);
  write_file ("shared/figure.txt", "theirs");
  g_assert_cmpint (chown (shared, geteuid (), getegid ()), ==, 0);
  g_assert_cmpint (g_chmod (shared, 0755), ==, 0);
  write_file ("shared/figure.txt", "new");
  g_assert_true (g_file_get_contents (other, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "new");
}

/* What the system has in place of open() and flock(), for a folder without files that have no name, in which somebody else looks for leftovers. */
static gboolean has_cleaner;
static GThread *cleaner;
static int cleaner_fd;

int
open (const char *path,
      int         flags,
      ...)
{
  va_list arguments;

  va_start (arguments, flags);
  const mode_t mode = va_arg (arguments, mode_t);
  va_end (arguments);
  if (has_cleaner && (flags & O_TMPFILE) == O_TMPFILE)
    {
      errno = EOPNOTSUPP;
      return -1;
    }
  return (int) syscall (SYS_openat, AT_FDCWD, path, flags, mode);
}

static gpointer
clean (gpointer path)
{
  g_usleep (50000);
  g_unlink (path);
  close (cleaner_fd);
  g_free (path);
  return NULL;
}

/* The other one has a new file just before its writer has it, and removes it thereupon. */
int
flock (int fd,
       int operation)
{
  if (has_cleaner && cleaner == NULL)
    {
      g_autofree char *link = g_strdup_printf ("/proc/self/fd/%d", fd);
      char *path = g_file_read_link (link, NULL);
      cleaner_fd = open (path, O_RDONLY | O_CLOEXEC);
      g_assert_cmpint (syscall (SYS_flock, cleaner_fd, LOCK_EX | LOCK_NB), ==, 0);
      cleaner = g_thread_new ("cleaner", clean, path);
    }
  return (int) syscall (SYS_flock, fd, operation);
}

static void
test_cleaner (void)
{
  g_autofree char *path = g_build_filename (folder, "cleaned.txt", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  has_cleaner = TRUE;
  g_autoptr (HlTempFile) temp = hl_temp_file_new (file, &error);
  has_cleaner = FALSE;
  g_assert_no_error (error);
  g_assert_nonnull (cleaner);
  g_thread_join (cleaner);
  g_assert_true (hl_temp_file_commit (temp, &error));
  g_assert_no_error (error);
  g_assert_true (is_there ("cleaned.txt"));
}

static void
assert_refused (const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_null (hl_temp_file_new (file, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_IO);
  test_assert_sentence (error);
}

/* What may not be written to is not replaced, though the folder would let it be. */
static void
test_protected (void)
{
  g_autofree char *path = put ("protected.txt", "precious");
  const uid_t user = geteuid ();

  g_assert_cmpint (g_chmod (path, 0444), ==, 0);
  g_assert_cmpint (g_chmod (folder, 0777), ==, 0);
  if (user == 0)
    {
      write_file ("protected.txt", "precious");
      if (seteuid (12345) != 0)
        {
          g_test_skip ("nobody else can be played here");
          return;
        }
    }
  assert_refused ("protected.txt");
  g_assert_cmpint (seteuid (user), ==, 0);
  g_assert_cmpint (g_chmod (path, 0666), ==, 0);
  /* In a folder where everybody may put files, nobody takes away those of others. */
  if (user == 0)
    {
      g_assert_cmpint (g_chmod (folder, 01777), ==, 0);
      g_assert_cmpint (seteuid (12345), ==, 0);
      assert_refused ("protected.txt");
      g_assert_cmpint (seteuid (user), ==, 0);
    }
}

/* A file that is mounted by itself, as into a container, cannot get another in its place: that is said before anything is computed. */
static void
test_mounted (void)
{
  g_autofree char *outside = put ("outside.txt", "old");
  g_autofree char *path = put ("mounted.txt", "");
  int status;
  const pid_t child = fork ();

  if (child == 0)
    {
      g_autoptr (GFile) file = g_file_new_for_path (path);
      if (unshare (CLONE_NEWNS) != 0 || mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
          mount (outside, path, NULL, MS_BIND, NULL) != 0)
        _exit (2);
      _exit (hl_temp_file_new (file, NULL) == NULL ? 0 : 1);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFEXITED (status));
  if (WEXITSTATUS (status) == 2)
    g_test_skip ("nothing can be mounted here");
  else
    g_assert_cmpint (WEXITSTATUS (status), ==, 0);
}

static void
run (gconstpointer function)
{
  folder = test_make_folder ();
  (*(void (*const *) (void)) function) ();
  test_remove_folder (folder);
  g_clear_pointer (&folder, g_free);
}

int
main (int    argc,
      char **argv)
{
  static void (*const tests[]) (void) = { test_left,       test_links,        test_killed,
                                          test_attributes, test_default_list, test_foreign_link,
                                          test_cleaner,    test_protected,    test_mounted };

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/temp-file/left", &tests[0], run);
  g_test_add_data_func ("/temp-file/links", &tests[1], run);
  g_test_add_data_func ("/temp-file/killed", &tests[2], run);
  g_test_add_data_func ("/temp-file/attributes", &tests[3], run);
  g_test_add_data_func ("/temp-file/default-list", &tests[4], run);
  g_test_add_data_func ("/temp-file/foreign-link", &tests[5], run);
  g_test_add_data_func ("/temp-file/cleaner", &tests[6], run);
  g_test_add_data_func ("/temp-file/protected", &tests[7], run);
  g_test_add_data_func ("/temp-file/mounted", &tests[8], run);
  return g_test_run ();
}
