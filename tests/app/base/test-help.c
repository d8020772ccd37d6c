/* SPDX-License-Identifier: MIT */
/* Where help is: by the desktop's program for it where both are installed, otherwise as HTML, otherwise said to be missing. */
#include "app/base/hl-help.h"

#include "core/base/hl-error.h"

#include <glib/gstdio.h>

static char *folder;

static void
write_file (const char *name,
            const char *contents)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);

  g_assert_no_errno (g_mkdir_with_parents (parent, 0700));
  g_assert_true (g_file_set_contents (path, contents, -1, NULL));
}

static void
test_missing (void)
{
  g_autoptr (GError) error = NULL;

  g_setenv ("HEADLIGHT_DATA_DIR", folder, TRUE);
  g_assert_null (hl_help_find ("view-nothing", &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_MISSING);
  g_assert_nonnull (g_strstr_len (error->message, -1, "the help is not installed: "));
  g_assert_nonnull (g_strstr_len (error->message, -1, "help/html-C/view-nothing.html"));
}

static void
test_html (void)
{
  g_autoptr (GError) error = NULL;

  write_file ("help/html-C/view-heatmap.html", "<html></html>");
  g_setenv ("HEADLIGHT_DATA_DIR", folder, TRUE);
  g_autofree char *uri = hl_help_find ("view-heatmap", &error);
  g_assert_no_error (error);
  g_autofree char *path = g_build_filename (folder, "help", "html-C", "view-heatmap.html", NULL);
  g_autofree char *expected = g_filename_to_uri (path, NULL, NULL);
  g_assert_cmpstr (uri, ==, expected);
}

/* Folders of data are read once, so main() has set them. */
static void
test_viewer (void)
{
  g_autoptr (GError) error = NULL;

  g_unsetenv ("HEADLIGHT_DATA_DIR");
  g_autofree char *uri = hl_help_find ("view-heatmap", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (uri, ==, "help:headlight/view-heatmap");

  /* What is only there as HTML, beside. */
  write_file ("headlight/help/html-C/view-layers.html", "<html></html>");
  g_autofree char *html = hl_help_find ("view-layers", &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_suffix (html, "/headlight/help/html-C/view-layers.html"));
  g_assert_null (hl_help_find ("view-nothing-of-this-name", NULL));
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);

  for (const char *name = dir != NULL ? g_dir_read_name (dir) : NULL; name != NULL; name = g_dir_read_name (dir))
    {
      g_autofree char *child = g_build_filename (path, name, NULL);
      remove_tree (child);
    }
  g_remove (path);
}

int
main (int    argc,
      char **argv)
{
  folder = g_dir_make_tmp ("headlight-help-XXXXXX", NULL);
  g_setenv ("XDG_DATA_DIRS", folder, TRUE);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_setenv ("XDG_CONFIG_HOME", folder, TRUE);
  write_file ("help/C/headlight/view-heatmap.page", "<page/>");
  write_file ("applications/viewer.desktop", "[Desktop Entry]\nType=Application\nName=Viewer\nExec=true %u\n"
                                             "MimeType=x-scheme-handler/help;\n");
  write_file ("applications/mimeinfo.cache", "[MIME Cache]\nx-scheme-handler/help=viewer.desktop;\n");

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/help/missing", test_missing);
  g_test_add_func ("/help/html", test_html);
  g_test_add_func ("/help/viewer", test_viewer);
  const int status = g_test_run ();
  remove_tree (folder);
  g_free (folder);
  return status;
}
