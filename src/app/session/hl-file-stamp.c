/* SPDX-License-Identifier: MIT */
/* Which file it is, its size, and when it was written; of a folder, the same of each file that a model consists of: what
 * else is put beside them changes nothing; of one of the files of a dump, the same of all of them. */
#include "config.h"

#include "app/session/hl-file-stamp.h"

#include "core/base/file/hl-shard-name.h"
#include "core/base/hl-limits.h"

/* More than the largest model has. */
#define MAX_PARTS 4096

#define ATTRIBUTES                                                                                                     \
  G_FILE_ATTRIBUTE_STANDARD_NAME "," G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE                 \
                                 "," G_FILE_ATTRIBUTE_TIME_MODIFIED "," G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC            \
                                 "," G_FILE_ATTRIBUTE_UNIX_INODE "," G_FILE_ATTRIBUTE_UNIX_DEVICE

/* Whether a model's folder is known to hold files of that name. */
gboolean
hl_file_stamp_is_part (const char *name)
{
  static const char *const parts[] = {
    "config.json",
    "model.safetensors",
    "model.safetensors.index.json",
    "pytorch_model.bin",
    "modules.json",
    "pytorch_model.bin.index.json",
    "adapter_config.json",
    "adapter_model.bin",
    "adapter_model.safetensors",
    "tokenizer.json",
    "vocab.txt",
    "tokenizer_config.json",
    "merges.txt",
    "tokenizer.model",
    "special_tokens_map.json",
    "generation_config.json",
    "spiece.model",
    NULL,
  };

  g_return_val_if_fail (name != NULL, FALSE);

  return g_strv_contains (parts, name) ||
         (g_str_has_prefix (name, "model-") && g_str_has_suffix (name, ".safetensors")) ||
         (g_str_has_prefix (name, "pytorch_model-") && g_str_has_suffix (name, ".bin"));
}

static char *
describe (GFileInfo *info)
{
  return g_strdup_printf ("%s %u:%" G_GUINT64_FORMAT " %" G_GOFFSET_FORMAT " %" G_GUINT64_FORMAT ".%06u",
                          g_file_info_get_name (info),
                          g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_UNIX_DEVICE),
                          g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_UNIX_INODE),
                          g_file_info_get_size (info),
                          g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED),
                          g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC));
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
  g_autoptr (GFileEnumerator)
    children = g_file_enumerate_children (folder, ATTRIBUTES, G_FILE_QUERY_INFO_NONE, cancellable, NULL);
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  GFileInfo *info;

  while (children != NULL && parts->len < MAX_PARTS &&
         g_file_enumerator_iterate (children, &info, NULL, cancellable, NULL) && info != NULL)
    if (hl_file_stamp_is_part (g_file_info_get_name (info)))
      g_ptr_array_add (parts, describe (info));
  g_ptr_array_sort (parts, compare_texts);
  g_ptr_array_add (parts, NULL);
  return g_strjoinv ("\n", (char **) parts->pdata);
}

/* All files of a dump that is several. */
static char *
describe_ranks (GFile        *file,
                GCancellable *cancellable)
{
  g_autoptr (GPtrArray) ranks = g_ptr_array_new_with_free_func (g_free);

  for (guint rank = 0; rank < HL_LIMIT_RANKS; rank++)
    {
      g_autoptr (GFile) part = hl_shard_name_get_file (file, rank);
      g_autoptr (GFileInfo) info = g_file_query_info (part, ATTRIBUTES, G_FILE_QUERY_INFO_NONE, cancellable, NULL);

      if (info == NULL)
        break;
      g_ptr_array_add (ranks, describe (info));
    }
  g_ptr_array_add (ranks, NULL);
  return g_strjoinv ("\n", (char **) ranks->pdata);
}

/* Two of one file are equal as long as nobody wrote to it or put another one in its place; NULL where nothing is. Blocks. */
char *
hl_file_stamp_take (GFile        *file,
                    GCancellable *cancellable)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (GFileInfo) info = g_file_query_info (file, ATTRIBUTES, G_FILE_QUERY_INFO_NONE, cancellable, NULL);

  if (info == NULL)
    return NULL;
  if (g_file_info_get_file_type (info) == G_FILE_TYPE_DIRECTORY)
    return describe_parts (file, cancellable);
  return hl_shard_name_parse (g_file_info_get_name (info), NULL, NULL, NULL) ? describe_ranks (file, cancellable)
                                                                             : describe (info);
}
