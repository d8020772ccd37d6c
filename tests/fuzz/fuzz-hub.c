/* SPDX-License-Identifier: MIT */
/* Any bytes as what a hub answers: its branches, its files, the address of the next page; and as the name of a model. */
#include "fuzz.h"

#include "core/base/file/hl-relative-path.h"
#include "core/model/hub/hl-hub-choice.h"
#include "core/model/hub/hl-hub-name.h"
#include "core/model/hub/hl-hub-store.h"

#include <string.h>

static void
check_error (const GError *error)
{
  g_assert (error != NULL);
  g_assert (g_utf8_validate (error->message, -1, NULL) && strlen (error->message) < 20000);
}

/* What is written stays in the folder of its model. */
static void
check_file (const HlHubFile *file)
{
  g_assert (hl_relative_path_is_safe (file->path));
  g_assert (strstr (file->path, "/../") == NULL && !g_str_has_prefix (file->path, "../") &&
            !g_str_has_suffix (file->path, "/..") && *file->path != '/');
  g_assert (hl_hub_is_hash (file->hash, HL_HUB_SHA1_DIGITS) || hl_hub_is_hash (file->hash, HL_HUB_SHA256_DIGITS));
  g_autofree char *blob = hl_hub_store_get_blob ("/cache/models--a--b", file);
  g_autofree char *folder = g_path_get_dirname (blob);
  g_assert_cmpstr (folder, ==, "/cache/models--a--b/blobs");
}

static void
look_at_choices (GPtrArray  *files,
                 const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) choices = hl_hub_choices_new (files, part, &error);

  if (choices == NULL)
    {
      check_error (error);
      return;
    }
  g_assert (choices->len > 0 && hl_hub_choices_get_default (choices) < choices->len);
  g_assert (part == NULL || choices->len == 1);
  for (guint i = 0; i < choices->len; i++)
    {
      const HlHubChoice *choice = choices->pdata[i];
      guint64 size = 0;
      g_assert (choice->files->len > 0 && (choice->file == NULL) == (choice->label == NULL));
      for (guint k = 0; k < choice->files->len; k++)
        {
          const HlHubFile *file = choice->files->pdata[k];
          g_assert (g_ptr_array_find (files, file, NULL));
          size += file->size;
        }
      g_assert (choice->size == size);
    }
}

static void
look_at_files (const char *text,
               gsize       size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) files = hl_hub_tree_new ();

  if (!hl_hub_tree_add (files, text, size, &error))
    check_error (error);
  for (guint i = 0; i < files->len; i++)
    check_file (files->pdata[i]);
  look_at_choices (files, NULL);
  look_at_choices (files, "q4_k_m");
  if (files->len > 0)
    look_at_choices (files, ((HlHubFile *) files->pdata[0])->path);
}

static void
look_at_refs (const char *text,
              gsize       size)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *commit = hl_hub_refs_find (text, size, HL_HUB_MAIN, &error);

  if (commit == NULL)
    check_error (error);
  else
    g_assert (hl_hub_is_hash (commit, HL_HUB_SHA1_DIGITS));
}

static void
look_at_name (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlHubName) name = hl_hub_name_parse (text, &error);

  if (name == NULL)
    {
      check_error (error);
      return;
    }
  g_assert (hl_relative_path_is_safe (name->repository) && hl_relative_path_is_safe (name->revision));
  g_assert (name->part == NULL || hl_relative_path_is_safe (name->part));
  g_autofree char *model = hl_hub_store_get_model (name->repository), *folder = g_path_get_basename (model);
  g_assert (g_str_has_prefix (folder, "models--") && strchr (folder, '/') == NULL);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes,
                        gsize         size)
{
  g_autofree char *text = g_strndup ((const char *) bytes, size);
  g_autofree char *next = hl_hub_link_find_next (text);
  g_autofree char *quantisation = hl_hub_make_quantisation (text);

  g_assert (next == NULL || strlen (next) < strlen (text));
  g_assert (quantisation == NULL || strchr (quantisation, '/') == NULL);
  look_at_refs ((const char *) bytes, size);
  look_at_files ((const char *) bytes, size);
  look_at_name (text);
  return 0;
}
