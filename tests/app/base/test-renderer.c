/* SPDX-License-Identifier: MIT */
/* Which machines have something to render with. */
#include "app/base/hl-renderer.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

static void
remove_all (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      remove_all (path);
    }
  g_remove (folder);
}

static void
check (const char *device,
       gboolean    is_card)
{
  g_autofree char *root = g_dir_make_tmp ("headlight-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (root, device, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_false (hl_renderer_has_graphics_card (root));
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  g_assert_cmpint (hl_renderer_has_graphics_card (root), ==, is_card);
  remove_all (root);
}

static void
test_devices (void)
{
  check ("dev/dri/renderD128", TRUE);
  check ("dev/nvidia0", TRUE);
  check ("dev/dxg", TRUE);
  check ("dev/null", FALSE);
  /* A display without a renderer, as virtual machines have. */
  check ("dev/dri/card0", FALSE);
}

/* What the environment says stands. */
static void
test_environment (void)
{
  g_setenv ("GSK_RENDERER", "gl", TRUE);
  hl_renderer_choose ();
  g_assert_cmpstr (g_getenv ("GSK_RENDERER"), ==, "gl");
  g_unsetenv ("GSK_RENDERER");
  hl_renderer_choose ();
  g_assert_cmpstr (g_getenv ("GSK_RENDERER"), ==, hl_renderer_has_graphics_card ("/") ? NULL : "cairo");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/renderer/devices", test_devices);
  g_test_add_func ("/renderer/environment", test_environment);
  return g_test_run ();
}
