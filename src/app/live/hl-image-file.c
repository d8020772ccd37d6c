/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/live/hl-image-file.h"

#include "core/base/file/hl-file-read.h"
#include "core/model/hl-model.h"

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

/* Returns whether its name says that it is an image, and not an array, which may be attention as well. */
gboolean
hl_image_file_is_image (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), FALSE);

  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *lower = name != NULL ? g_ascii_strdown (name, -1) : NULL;

  return hl_image_file_is_such (file) && !g_str_has_suffix (lower, ".npy");
}

static gboolean
is_folder (GFile *file)
{
  return hl_file_is_local (file) &&
         g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_DIRECTORY;
}

/* Of files that came together, returns the one that a file goes to: of an image the model that was named last before it, or the first
 * behind it; -1 if there is none, or the file is no image. */
int
hl_image_file_find_model (GFile *const *files,
                          guint         n_files,
                          guint         image)
{
  g_return_val_if_fail (image < n_files, -1);

  if (!hl_image_file_is_image (files[image]) || is_folder (files[image]))
    return -1;
  for (guint i = image; i > 0; i--)
    if (is_folder (files[i - 1]) || hl_model_is_model (files[i - 1]))
      return (int) i - 1;
  for (guint i = image + 1; i < n_files; i++)
    if (is_folder (files[i]) || hl_model_is_model (files[i]))
      return (int) i;
  return -1;
}
