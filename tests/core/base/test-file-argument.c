/* SPDX-License-Identifier: MIT */
/* Files as people name them. */
#include "core/base/file/hl-file-argument.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

static void
test_names (void)
{
  static const struct
  {
    const char *name;
    const char *path; /* beginning with a slash, or where it is asked from; NULL for none */
  } cases[] = {
    { "a.h5", "a.h5" },
    { "/tmp/a.h5", "/tmp/a.h5" },
    { "run:1.h5", "run:1.h5" },
    { "llama3.2:1b", "llama3.2:1b" },
    { "file:a.h5", "file:a.h5" },
    { "a%20b:?#.h5", "a%20b:?#.h5" },
    { "file:///tmp/a%20b.h5", "/tmp/a b.h5" },
    { "file:/tmp/a.h5", "/tmp/a.h5" },
    { "https://example.org/a.h5", NULL },
    { "odd://a.h5", "odd://a.h5" },
  };
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("headlight-argument-XXXXXX", &error);
  g_autofree char *before = g_get_current_dir ();
  g_autofree char *odd = g_build_filename (folder, "odd:", NULL);
  g_autofree char *file = g_build_filename (odd, "a.h5", NULL);

  g_assert_no_error (error);
  g_assert_cmpint (chdir (folder), ==, 0);
  g_assert_cmpint (g_mkdir (odd, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  g_autofree char *here = g_get_current_dir ();
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GFile) found = hl_file_new_for_argument (cases[i].name);
      g_autoptr (GFile) wanted = cases[i].path != NULL ? g_file_new_build_filename (here, cases[i].path, NULL) : NULL;
      if (cases[i].path == NULL)
        g_assert_null (g_file_peek_path (found));
      else
        g_assert_cmpstr (g_file_peek_path (found), ==,
                         *cases[i].path == '/' ? cases[i].path : g_file_peek_path (wanted));
    }
  g_assert_cmpint (chdir (before), ==, 0);
  g_remove (file);
  g_remove (odd);
  g_remove (folder);
}

static void
check (const char *name,
       const char *folder,
       const char *path)
{
  g_autoptr (GFile) found = hl_file_new_for_argument (name);
  g_autofree char *wanted = g_build_filename (folder, path, NULL);

  g_assert_cmpstr (g_file_peek_path (found), ==, wanted);
}

/* "big/run" is also "data", which is worked in by that name. */
static void
test_links (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("headlight-argument-XXXXXX", &error);
  g_autofree char *before = g_get_current_dir ();
  g_autofree char *working = g_strdup (g_getenv ("PWD"));
  g_autofree char *run = g_build_filename (folder, "big", "run", NULL);
  g_autofree char *big = g_build_filename (folder, "big", NULL);
  g_autofree char *data = g_build_filename (folder, "data", NULL);
  g_autofree char *file = g_build_filename (big, "a.h5", NULL);

  g_assert_no_error (error);
  g_autofree char *real = realpath (folder, NULL);
  g_assert_cmpint (g_mkdir_with_parents (run, 0700), ==, 0);
  g_assert_cmpint (symlink ("big/run", data), ==, 0);
  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  g_assert_cmpint (chdir (data), ==, 0);
  g_assert_true (g_setenv ("PWD", data, TRUE));
  /* What is in the folder, it is by the name that somebody gave the folder. */
  check ("b.h5", folder, "data/b.h5");
  check ("./c/b.h5", folder, "data/c/b.h5");
  check ("../a.h5", real, "big/a.h5");
  check ("../new.h5", real, "big/new.h5");
  check ("..", real, "big");
  check ("../..", real, "");
  check ("../../data/./../a.h5", real, "big/a.h5");
  g_autofree char *absolute = g_build_filename (data, "..", "a.h5", NULL);
  check (absolute, real, "big/a.h5");
  /* Behind what is not there, or is no folder, there is nothing. */
  check ("../gone/../a.h5", real, "big/gone/a.h5");
  check ("../a.h5/../a.h5", real, "big/a.h5/a.h5");
  check ("../..a..h5", real, "big/..a..h5");
  g_assert_cmpint (chdir (before), ==, 0);
  if (working != NULL)
    g_assert_true (g_setenv ("PWD", working, TRUE));
  else
    g_unsetenv ("PWD");
  g_remove (file);
  g_remove (data);
  g_remove (run);
  g_remove (big);
  g_remove (folder);
}

/* Nothing is in a folder that was removed, and what is at the root is not in it. */
static void
test_removed (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("headlight-argument-XXXXXX", &error);
  g_autofree char *before = g_get_current_dir ();

  g_assert_no_error (error);
  g_assert_cmpint (chdir (folder), ==, 0);
  g_remove (folder);
  g_autoptr (GFile) relative = hl_file_new_for_argument ("etc");
  g_assert_false (g_file_query_exists (relative, NULL));
  g_autoptr (GFile) absolute = hl_file_new_for_argument ("/etc");
  g_assert_cmpstr (g_file_peek_path (absolute), ==, "/etc");
  /* Nor in another of its name. */
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_autofree char *file = g_build_filename (folder, "etc", NULL);
  g_assert_true (g_file_set_contents (file, "", 0, NULL));
  g_autoptr (GFile) again = hl_file_new_for_argument ("etc");
  g_assert_false (g_file_query_exists (again, NULL));
  g_autoptr (GFile) below = hl_file_new_for_argument ("../etc");
  g_assert_false (g_file_query_exists (below, NULL));
  g_assert_cmpint (chdir (before), ==, 0);
  g_remove (file);
  g_remove (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/file-argument/names", test_names);
  g_test_add_func ("/file-argument/links", test_links);
  g_test_add_func ("/file-argument/removed", test_removed);
  return g_test_run ();
}
