/* SPDX-License-Identifier: MIT */
/* What files of a list are called: by their names, where that tells them apart. */
#include "app/base/hl-recent.h"

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

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/recent/names", test_names);
  return g_test_run ();
}
