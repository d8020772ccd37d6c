/* SPDX-License-Identifier: MIT */
/* The registry of formats against what the desktop is told, which are files of their own. */
#include <glib.h>

#include "core/archive/format/hl-format.h"

#define SESSION_TYPE "application/x-headlight-session"

static char *
build_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "..", "..", "data", name, NULL);
}

static const HlFormat *
find_type (const char *type)
{
  guint n;
  const HlFormat *formats = hl_format_get_all (&n);

  for (guint i = 0; i < n; i++)
    if (g_strv_contains (formats[i].mime_types, type))
      return &formats[i];
  return NULL;
}

/* What the desktop file says that the program opens is what there are rows for, and sessions. */
static void
test_desktop_file (void)
{
  g_autofree char *path = build_path ("org.headlight.Headlight.desktop.in");
  g_autoptr (GKeyFile) desktop = g_key_file_new ();
  g_autoptr (GError) error = NULL;
  guint n;
  const HlFormat *formats = hl_format_get_all (&n);

  g_key_file_load_from_file (desktop, path, G_KEY_FILE_NONE, &error);
  g_assert_no_error (error);
  g_auto (GStrv) opened = g_key_file_get_string_list (desktop, "Desktop Entry", "MimeType", NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; opened[i] != NULL; i++)
    if (!g_str_equal (opened[i], SESSION_TYPE) && find_type (opened[i]) == NULL)
      g_error ("no format is “%s”, which the desktop file has", opened[i]);
  for (guint i = 0; i < n; i++)
    {
      g_assert_nonnull (formats[i].mime_types[0]);
      for (guint k = 0; formats[i].mime_types[k] != NULL; k++)
        if (!g_strv_contains ((const char *const *) opened, formats[i].mime_types[k]))
          g_error ("the desktop file lacks “%s”", formats[i].mime_types[k]);
    }
}

/* The types that we define ourselves are of the names that the rows say. */
static void
test_mime_file (void)
{
  g_autofree char *path = build_path ("org.headlight.Headlight.mime.xml");
  g_autoptr (GRegex)
    pattern = g_regex_new ("<mime-type type=\"([^\"]*)\">|<glob pattern=\"\\*\\.([^\"]*)\"", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *type = NULL;
  guint n_globs = 0;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  for (g_regex_match (pattern, text, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      g_autofree char *named = g_match_info_fetch (match, 1);
      g_autofree char *suffix = g_match_info_fetch (match, 2);

      if (*named != '\0')
        {
          g_free (type);
          type = g_steal_pointer (&named);
          continue;
        }
      if (g_str_equal (type, SESSION_TYPE))
        continue;
      const HlFormat *format = find_type (type);
      g_assert_nonnull (format);
      if (!g_strv_contains (format->suffixes, suffix))
        g_error ("“%s” is not known to end in “%s”", type, suffix);
      n_globs++;
    }
  g_assert_cmpuint (n_globs, >=, 7);
}

static void
test_lists (void)
{
  g_autofree char *labels = hl_format_list_labels ();
  g_autofree char *endings = hl_format_list_endings ();

  g_assert_cmpstr (labels, ==, "HDF5, PyTorch, NumPy, JSON, web pages, notebooks");
  g_assert_cmpstr (endings, ==, ".h5, .hdf5, .json or .npz");
}

static void
test_names (void)
{
  g_assert_cmpstr (hl_format_find_writable ("a.h5")->label, ==, "HDF5");
  g_assert_true (hl_format_find_writable ("a.hdf5") == hl_format_find_writable ("a.H5"));
  g_assert_cmpstr (hl_format_find_writable ("a.b.npz")->suffixes[0], ==, "npz");
  g_assert_null (hl_format_find_writable ("a.npy"));
  g_assert_null (hl_format_find_writable (".h5"));
  g_assert_null (hl_format_find_writable ("h5"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/formats/desktop-file", test_desktop_file);
  g_test_add_func ("/formats/mime-file", test_mime_file);
  g_test_add_func ("/formats/lists", test_lists);
  g_test_add_func ("/formats/names", test_names);
  return g_test_run ();
}
