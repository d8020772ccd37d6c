/* SPDX-License-Identifier: MIT */
/* Files as people name them. */
#include "core/base/file/hl-file-argument.h"

#include <glib/gstdio.h>
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

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/file-argument/names", test_names);
  return g_test_run ();
}
