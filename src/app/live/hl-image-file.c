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

/* Of files that came together, returns for each the one that it goes to: for an image the model that was named last before it, or the
 * first behind it; -1 if there is none, or the file is no image. Each is looked at once. */
int *
hl_image_file_find_models (GFile *const *files,
                           guint         n_files)
{
  int *models = g_new (int, n_files);
  g_autofree gboolean *is_image = g_new (gboolean, n_files);
  gboolean has_image = FALSE;

  for (guint i = 0; i < n_files; i++)
    {
      models[i] = -1;
      is_image[i] = hl_image_file_is_image (files[i]) && !is_folder (files[i]);
      has_image = has_image || is_image[i];
    }
  if (!has_image)
    return models;

  g_autofree gboolean *is_model = g_new (gboolean, n_files);
  int first = -1;
  for (guint i = n_files; i > 0; i--)
    {
      is_model[i - 1] = is_folder (files[i - 1]) || hl_model_is_model (files[i - 1]);
      first = is_model[i - 1] ? (int) i - 1 : first;
    }
  for (guint i = 0; i < n_files; i++)
    {
      models[i] = is_image[i] ? first : -1;
      first = is_model[i] ? (int) i : first;
    }
  return models;
}
