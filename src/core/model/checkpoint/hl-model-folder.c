/* SPDX-License-Identifier: MIT */
/* Where in a folder a model is. Most have it at the top; sentence-transformers may put it a folder deeper, named in modules.json, and a
 * training leaves one folder for each time that it saved. */
#include "core/model/checkpoint/hl-model-folder.h"

#include <string.h>

#include "core/base/file/hl-file-read.h"
#include "core/base/hl-limits.h"
#include "core/json/hl-json-tree.h"

/* What says which model is in a folder, or what makes another of one elsewhere. */
static const char *const configs[] = { "config.json", "adapter_config.json" };

#define CHECKPOINT "checkpoint-"

static gboolean
has_config (GFile *folder)
{
  for (guint i = 0; i < G_N_ELEMENTS (configs); i++)
    {
      g_autoptr (GFile) file = g_file_get_child (folder, configs[i]);

      if (g_file_query_exists (file, NULL))
        return TRUE;
    }
  return FALSE;
}

/* A folder that lies directly in another, if there is a model in it. */
static GFile *
get_inner (GFile      *folder,
           const char *name)
{
  g_autoptr (GFile) inner = NULL;

  if (*name == '\0' || strchr (name, '/') != NULL || g_str_equal (name, ".") || g_str_equal (name, ".."))
    return NULL;
  inner = g_file_get_child (folder, name);
  return has_config (inner) ? g_steal_pointer (&inner) : NULL;
}

/* The module of sentence-transformers that is a transformer; what follows it, as pooling, has no attention. */
static GFile *
find_module (GFile *folder)
{
  g_autoptr (GFile) file = g_file_get_child (folder, HL_MODEL_FOLDER_MODULES);
  GFile *found = NULL;
  HlJsonIter iter;
  gsize size;
  g_autofree char *text = hl_file_load_regular (file, &size, HL_LIMIT_MODULES, NULL);
  g_autoptr (HlJsonTree) tree = text != NULL ? hl_json_tree_new (text, size, NULL) : NULL;

  if (tree == NULL || hl_json_value_get_kind (hl_json_tree_get_root (tree)) != HL_JSON_ARRAY)
    return NULL;
  hl_json_iter_init (&iter, hl_json_tree_get_root (tree));
  while (found == NULL && hl_json_iter_next (&iter))
    {
      const gboolean is_module = hl_json_value_get_kind (iter.value) == HL_JSON_OBJECT;
      const char *path = is_module ? hl_json_value_as_string (hl_json_value_get (iter.value, "path")) : NULL;

      if (path != NULL)
        found = get_inner (folder, path);
    }
  return found;
}

/* The last that a training saved. */
static GFile *
find_last_checkpoint (GFile *folder)
{
  g_autoptr (GFileEnumerator)
    items = g_file_enumerate_children (folder, G_FILE_ATTRIBUTE_STANDARD_NAME, G_FILE_QUERY_INFO_NONE, NULL, NULL);
  GFileInfo *info = NULL;
  GFile *last = NULL;
  guint64 last_step = 0, step;

  for (guint i = 0; items != NULL && i < HL_LIMIT_CHECKPOINTS &&
                    g_file_enumerator_iterate (items, &info, NULL, NULL, NULL) && info != NULL;
       i++)
    {
      const char *name = g_file_info_get_name (info);

      if (!g_str_has_prefix (name, CHECKPOINT) ||
          !g_ascii_string_to_unsigned (name + strlen (CHECKPOINT), 10, 0, G_MAXUINT64, &step, NULL) ||
          (last != NULL && step <= last_step))
        continue;
      g_autoptr (GFile) inner = get_inner (folder, name);
      if (inner == NULL)
        continue;
      g_set_object (&last, inner);
      last_step = step;
    }
  return last;
}

/**
 * hl_model_folder_find:
 * @folder: a folder
 *
 * Finds the folder with the config.json, or the adapter_config.json, that is meant by one: itself, the transformer of a folder of sentence-transformers, or the last
 * checkpoint of a training.
 *
 * Returns: (transfer full) (nullable): it; %NULL when there is none
 */
GFile *
hl_model_folder_find (GFile *folder)
{
  g_return_val_if_fail (G_IS_FILE (folder), NULL);

  if (has_config (folder))
    return g_object_ref (folder);
  GFile *found = find_module (folder);
  return found != NULL ? found : find_last_checkpoint (folder);
}
