/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target over the files of folders, where there is no libFuzzer. A test for each
 * folder; a crash is its failure. */
#include "fuzz.h"

static void
replay_folder (gconstpointer data)
{
  const char *folder = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &error);
  guint n = 0;

  g_assert_no_error (error);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *bytes = NULL;
      gsize size;

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        continue;
      g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
      g_test_message ("%s", name);
      /* A block of just that size, so that reading past its end is seen. */
      g_autofree guint8 *exact = g_memdup2 (bytes, size);
      LLVMFuzzerTestOneInput (exact, size);
      n++;
    }
  g_assert_cmpuint (n, >, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (int i = 1; i < argc; i++)
    {
      g_autofree char *name = g_path_get_basename (argv[i]);
      g_autofree char *path = g_strdup_printf ("/replay/%s", name);
      g_test_add_data_func (path, argv[i], replay_folder);
    }
  return g_test_run ();
}
