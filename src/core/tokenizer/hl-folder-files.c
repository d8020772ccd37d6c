/* SPDX-License-Identifier: MIT */
#include "core/tokenizer/hl-folder-files.h"

#include "core/base/file/hl-file-read.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>

/* @size may be set to how many bytes there are; free with g_free(). */
char *
hl_folder_files_read (GFile      *folder,
                      const char *name,
                      gsize      *size,
                      GError    **error)
{
  g_autoptr (GFile) file = g_file_get_child (folder, name);
  g_autoptr (GError) local = NULL;
  g_autoptr (GFileInfo)
    info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE,
                              G_FILE_QUERY_INFO_NONE, NULL, &local);

  if (info != NULL && g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_NOT_A_FILE, _ ("“%s” is not a regular file"), name);
      return NULL;
    }
  if (info != NULL && (guint64) g_file_info_get_size (info) > HL_LIMIT_TOKENIZER_FILE)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” is larger than %d MiB"), name,
                   (int) (HL_LIMIT_TOKENIZER_FILE >> 20));
      return NULL;
    }
  if (g_error_matches (local, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“%s” is missing"), name);
      return NULL;
    }
  char *text = hl_file_load_regular (file, size, HL_LIMIT_TOKENIZER_FILE, error);
  if (text == NULL)
    g_prefix_error (error, "%s: ", name);
  return text;
}

gboolean
hl_folder_files_has (GFile      *folder,
                     const char *name)
{
  g_autoptr (GFile) file = g_file_get_child (folder, name);

  return g_file_query_exists (file, NULL);
}

/* Returns its contents; %NULL without @error if there is no such file. */
HlJsonTree *
hl_folder_files_read_json (GFile      *folder,
                           const char *name,
                           GError    **error)
{
  gsize size;

  if (!hl_folder_files_has (folder, name))
    return NULL;
  g_autofree char *text = hl_folder_files_read (folder, name, &size, error);
  if (text == NULL)
    return NULL;
  HlJsonTree *tree = hl_json_tree_new (text, size, error);
  if (tree == NULL)
    g_prefix_error (error, "%s: ", name);
  return tree;
}

/* Reads a text of the object in a file of JSON, %NULL if there is none; %FALSE only with an error. */
gboolean
hl_folder_files_read_text (GFile      *folder,
                           const char *name,
                           const char *key,
                           char      **text,
                           GError    **error)
{
  GError *local_error = NULL;
  g_autoptr (HlJsonTree) tree = hl_folder_files_read_json (folder, name, &local_error);

  if (local_error != NULL)
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  *text = tree != NULL ? g_strdup (hl_json_value_as_string (hl_json_value_get (hl_json_tree_get_root (tree), key)))
                       : NULL;
  return TRUE;
}
