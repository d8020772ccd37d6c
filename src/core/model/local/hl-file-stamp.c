/* SPDX-License-Identifier: MIT */
/* Which file it is, its size, and when it was written; of a folder, the same of each file that a model consists of, also where
 * these are in a folder within, or, of what an adapter changes, elsewhere: what else is put beside them changes nothing; of one
 * of the files of a dump, or of a model, the same of all of them. */
#include "core/model/local/hl-file-stamp.h"

#include "core/base/file/hl-file-identity.h"
#include "core/base/file/hl-shard-name.h"
#include "core/base/hl-limits.h"
#include "core/model/checkpoint/hl-weights.h"
#include "core/model/gguf/hl-gguf-part-name.h"
#include "core/model/local/hl-model-place.h"

#include <string.h>

/* More than the largest model has. */
#define MAX_PARTS 4096

/* Of what a tokenizer is read, and by which its folder is found. */
static const char *const parts_of_tokenizer[] = {
  "config.json",
  "modules.json",
  "adapter_config.json",
  "tokenizer.json",
  "vocab.txt",
  "tokenizer_config.json",
  "merges.txt",
  "vocab.json",
  "added_tokens.json",
  "tokenizer.model",
  "special_tokens_map.json",
  "spiece.model",
  "spm.model",
  "sentencepiece.bpe.model",
  NULL,
};

/* Whether a model's folder is known to hold files of that name. */
gboolean
hl_file_stamp_is_part (const char *name)
{
  static const char *const others[] = {
    "model.safetensors",      "model.safetensors.index.json",
    "pytorch_model.bin",      "pytorch_model.bin.index.json",
    "adapter_model.bin",      "adapter_model.safetensors",
    "generation_config.json", "preprocessor_config.json",
    "processor_config.json",  NULL,
  };

  g_return_val_if_fail (name != NULL, FALSE);

  return g_strv_contains (parts_of_tokenizer, name) || g_strv_contains (others, name) ||
         (g_str_has_prefix (name, "model-") && g_str_has_suffix (name, ".safetensors")) ||
         (g_str_has_prefix (name, "pytorch_model-") && g_str_has_suffix (name, ".bin"));
}

static int
compare_texts (gconstpointer a,
               gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

static char *
describe_parts (GFile        *folder,
                GCancellable *cancellable)
{
  g_autoptr (GFileEnumerator) children =
    g_file_enumerate_children (folder, HL_FILE_IDENTITY_ATTRIBUTES, G_FILE_QUERY_INFO_NONE, cancellable, NULL);
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  /* An index may call its files as it likes. */
  g_auto (GStrv) files = hl_weights_list_files (folder);
  GFileInfo *info;

  while (children != NULL && parts->len < MAX_PARTS &&
         g_file_enumerator_iterate (children, &info, NULL, cancellable, NULL) && info != NULL)
    if (hl_file_stamp_is_part (g_file_info_get_name (info)) ||
        g_strv_contains ((const char *const *) files, g_file_info_get_name (info)))
      g_ptr_array_add (parts, hl_file_identity_describe (info));
  for (char **name = files; *name != NULL; name++)
    {
      /* In folders within, too. */
      g_autoptr (GFile) file = strchr (*name, '/') != NULL ? g_file_resolve_relative_path (folder, *name) : NULL;
      char *identity = file != NULL ? hl_file_identity_take (file, cancellable) : NULL;

      if (identity != NULL)
        g_ptr_array_add (parts, identity);
    }
  g_ptr_array_sort (parts, compare_texts);
  g_ptr_array_add (parts, NULL);
  return g_strjoinv ("\n", (char **) parts->pdata);
}

/* The folders of a model: that which is opened first, then those where the rest of it is. What is no model yet may become one. */
static GPtrArray *
list_folders (GFile *folder)
{
  GPtrArray *folders = g_ptr_array_new_with_free_func (g_object_unref);
  g_auto (HlModelPlace) place = { 0 };

  g_ptr_array_add (folders, g_object_ref (folder));
  hl_model_place_find (&place, folder, NULL);
  if (place.adapter != NULL && !g_file_equal (place.adapter, folder))
    g_ptr_array_add (folders, g_object_ref (place.adapter));
  if (place.checkpoint != NULL && !g_file_equal (place.checkpoint, folder))
    g_ptr_array_add (folders, g_object_ref (place.checkpoint));
  return folders;
}

static char *
describe_folders (GPtrArray    *folders,
                  GCancellable *cancellable)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < folders->len; i++)
    {
      g_autofree char *uri = i > 0 ? g_file_get_uri (folders->pdata[i]) : g_strdup ("");
      g_autofree char *parts = describe_parts (folders->pdata[i], cancellable);
      g_string_append_printf (text, "%s\n%s\n", uri, parts);
    }
  return g_string_free (text, FALSE);
}

/* Of how many files it is one by its name, as a dump is or a model; 0 for one that is whole, or has no name as addresses may. */
static guint
count_files (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  if (name == NULL)
    return 0;
  return hl_shard_name_parse (name, NULL, NULL, NULL) ? HL_LIMIT_RANKS : hl_gguf_part_name_parse (name, NULL);
}

/* All of them. How many a dump has is in them, so that the first that is missing is taken for the end. */
static char *
describe_files (GFile        *file,
                guint         n_files,
                GCancellable *cancellable)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n_files; i++)
    {
      g_autoptr (GFile) rank = hl_shard_name_get_file (file, i);
      g_autoptr (GFile) part = rank == NULL ? hl_gguf_part_name_get_file (file, i) : NULL;
      char *identity = hl_file_identity_take (rank != NULL ? rank : part, cancellable);

      if (identity == NULL && rank != NULL)
        break;
      if (identity != NULL)
        g_ptr_array_add (files, identity);
    }
  g_ptr_array_add (files, NULL);
  return g_strjoinv ("\n", (char **) files->pdata);
}

/* Two of one file are equal as long as nobody wrote to it or put another one in its place; NULL where nothing is. @places, if
 * it is asked for, are the files and folders in which something may happen to it. Blocks. */
char *
hl_file_stamp_take (GFile        *file,
                    GPtrArray   **places,
                    GCancellable *cancellable)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (GFileInfo)
    info = g_file_query_info (file, HL_FILE_IDENTITY_ATTRIBUTES, G_FILE_QUERY_INFO_NONE, cancellable, NULL);

  const gboolean is_folder = info != NULL && g_file_info_get_file_type (info) == G_FILE_TYPE_DIRECTORY;
  const guint n_files = count_files (file);
  g_autoptr (GFile) parent = n_files > 0 ? g_file_get_parent (file) : NULL;
  g_autoptr (GPtrArray) folders = is_folder ? list_folders (file) : g_ptr_array_new_with_free_func (g_object_unref);
  char *stamp = NULL;

  if (is_folder)
    stamp = describe_folders (folders, cancellable);
  else
    g_ptr_array_add (folders, g_object_ref (parent != NULL ? parent : file));
  if (info != NULL && !is_folder)
    stamp = parent != NULL ? describe_files (file, n_files, cancellable) : hl_file_identity_describe (info);
  if (places != NULL)
    *places = g_steal_pointer (&folders);
  return stamp;
}

/* As hl_file_stamp_take(), of what a tokenizer is read of: it stays as it is while weights are written. Blocks. */
char *
hl_file_stamp_take_of_tokenizer (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) != G_FILE_TYPE_DIRECTORY)
    return hl_file_stamp_take (file, NULL, NULL);
  g_autoptr (GPtrArray) folders = list_folders (file);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < folders->len; i++)
    for (const char *const *name = parts_of_tokenizer; *name != NULL; name++)
      {
        g_autoptr (GFile) part = g_file_get_child (folders->pdata[i], *name);
        g_autofree char *identity = hl_file_identity_take (part, NULL);

        g_string_append_printf (text, "%s\n", identity != NULL ? identity : "");
      }
  return g_string_free (text, FALSE);
}
