/* SPDX-License-Identifier: MIT */
/*
 * Whether GTK should paint with OpenGL. Where there is no graphics card, OpenGL is emulated: measured here, the first
 * window took six times as long, a frame of the head view eight times, and 370 MB more were resident than with cairo.
 */
#include "config.h"

#include "app/base/hl-renderer.h"

/* Where the kernel shows what renders: Mesa's drivers, NVIDIA's own, and the host's card under WSL. */
static const struct
{
  const char *folder;
  const char *prefix;
} devices[] = { { "dev/dri", "renderD" }, { "dev", "nvidia" }, { "dev", "dxg" } };

gboolean
hl_renderer_has_graphics_card (const char *root)
{
  g_return_val_if_fail (root != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    {
      g_autofree char *path = g_build_filename (root, devices[i].folder, NULL);
      g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
      const char *name;

      while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
        if (g_str_has_prefix (name, devices[i].prefix))
          return TRUE;
    }
  return FALSE;
}

/* Unless the environment names a renderer. To be called before GTK and any thread starts. */
void
hl_renderer_choose (void)
{
  if (g_getenv ("GSK_RENDERER") != NULL || hl_renderer_has_graphics_card ("/"))
    return;
  g_setenv ("GSK_RENDERER", "cairo", TRUE);
  /* Else GTK loads the emulation all the same, to ask it for a visual. */
  g_setenv ("GDK_DEBUG", "gl-disable", FALSE);
}
