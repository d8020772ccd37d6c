/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/live/hl-image-file.h"

static const char *const endings[] = { "png", "jpg", "jpeg", "webp", "npy", NULL };

/* Returns what their names end in, without dots; %NULL-terminated. */
const char *const *
hl_image_file_get_endings (void)
{
  return endings;
}

/* Returns whether its name says that it is one. */
gboolean
hl_image_file_is_such (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), FALSE);

  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *lower = name != NULL ? g_ascii_strdown (name, -1) : NULL;

  for (gsize i = 0; lower != NULL && endings[i] != NULL; i++)
    {
      g_autofree char *ending = g_strconcat (".", endings[i], NULL);
      if (g_str_has_suffix (lower, ending))
        return TRUE;
    }
  return FALSE;
}
