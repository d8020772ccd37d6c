/* SPDX-License-Identifier: MIT */
/* What files of a list are called: by their names, where that tells them apart. And that nobody waits for the list. */
#include "app/base/hl-recent.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

static void
assert_names (const char *const *paths,
              const char *const *expected)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; paths[i] != NULL; i++)
    g_ptr_array_add (files, g_file_new_for_path (paths[i]));
  g_auto (GStrv) names = hl_recent_list_names (files);
  g_assert_cmpuint (g_strv_length (names), ==, files->len);
  for (guint i = 0; expected[i] != NULL; i++)
    g_assert_cmpstr (names[i], ==, expected[i]);
}

static void
test_names (void)
{
  static const struct
  {
    const char *paths[5];
    const char *names[5];
  } cases[] = {
    { { NULL }, { NULL } },
    { { "/a/run.h5", "/a/other.h5" }, { "run.h5", "other.h5" } },
    { { "/a/run.h5", "/b/run.h5", "/b/one.h5" }, { "a/run.h5", "b/run.h5", "one.h5" } },
    /* The folders are called alike, too; one of the three is told apart sooner. */
    { { "/x/a/run.h5", "/y/a/run.h5", "/z/b/run.h5" }, { "x/a/run.h5", "y/a/run.h5", "b/run.h5" } },
    /* There is no more to tell. */
    { { "/run.h5", "/a/run.h5" }, { "/run.h5", "a/run.h5" } },
    { { "/a/run.h5", "/a/run.h5" }, { "/a/run.h5", "/a/run.h5" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_names (cases[i].paths, cases[i].names);
}

/* A pipe in the place of the list is waited for by nobody, and stays. */
static void
test_pipe (void)
{
  g_autofree char *path = g_build_filename (g_get_user_data_dir (), "recently-used.xbel", NULL);
  g_autoptr (GFile) file = g_file_new_for_path ("/a/run.h5");
  GStatBuf info;

  g_assert_cmpint (g_mkdir_with_parents (g_get_user_data_dir (), 0700), ==, 0);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_autoptr (GPtrArray) files = hl_recent_list (5);
  g_assert_cmpuint (files->len, ==, 0);
  g_assert_null (hl_recent_dup_time (file));
  hl_recent_remove (file);
  g_assert_cmpint (g_lstat (path, &info), ==, 0);
  g_assert_true (S_ISFIFO (info.st_mode));

  /* There is a list again. */
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_nonnull (hl_recent_get_manager ());
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  g_test_add_func ("/recent/names", test_names);
  g_test_add_func ("/recent/pipe", test_pipe);
  return g_test_run ();
}
