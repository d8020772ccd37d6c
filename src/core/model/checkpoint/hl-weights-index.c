/* SPDX-License-Identifier: MIT */
/* What an index says of the files that weights are in. Whoever made it calls them as he likes. */
#include "core/model/checkpoint/hl-weights-index.h"

#include "core/base/file/hl-relative-path.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/base/text/hl-text-hash.h"
#include "core/json/hl-json-tree.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Of a name, in a sentence about it. */
#define MAX_SHOWN 120

/* Adds the file of a tensor. */
static gboolean
add_file (GHashTable *files,
          const char *tensor,
          HlJsonValue value,
          GError    **error)
{
  const char *file = hl_json_value_as_string (value);
  const gboolean is_name = file != NULL && hl_relative_path_is_safe (file);

  if (!is_name)
    {
      g_autofree char *shown = hl_utf8_quote (tensor, strlen (tensor), MAX_SHOWN);
      g_autofree char *shown_file = file != NULL ? hl_utf8_quote (file, strlen (file), MAX_SHOWN) : NULL;

      if (file == NULL)
        g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the file of tensor “%s” is not a name"), shown);
      else
        g_set_error (error, HL_ERROR, HL_ERROR_EXTERNAL,
                     _ ("tensor “%s” is said to be in “%s”, which cannot be a file in the folder"), shown, shown_file);
      return FALSE;
    }
  if (!g_hash_table_contains (files, file))
    g_hash_table_add (files, g_strdup (file));
  if (g_hash_table_size (files) <= HL_LIMIT_SHARDS)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there are more than %d files"), HL_LIMIT_SHARDS);
  return FALSE;
}

/**
 * hl_weights_index_parse:
 * @text: (array length=size): what is in an index, any bytes
 * @size: how many bytes
 * @name: how the index is called
 * @error: %HL_ERROR_CORRUPT when it is no index, %HL_ERROR_VALUE or %HL_ERROR_EXTERNAL when what it names cannot be a file,
 *   %HL_ERROR_TOO_LARGE; the name is in the sentence
 *
 * Returns: (transfer full) (element-type utf8 utf8): a set of the files that it names, each in the folder of the index or in one within
 */
GHashTable *
hl_weights_index_parse (const char *text,
                        gsize       size,
                        const char *name,
                        GError    **error)
{
  g_autoptr (GHashTable) files = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) local_error = NULL;
  g_autoptr (HlJsonTree) tree = hl_json_tree_new (text, size, &local_error);
  gboolean good = tree != NULL;
  HlJsonIter entry;

  if (good)
    hl_json_iter_init (&entry, hl_json_value_get (hl_json_tree_get_root (tree), "weight_map"));
  while (good && hl_json_iter_next (&entry))
    good = entry.key == NULL || add_file (files, entry.key, entry.value, &local_error);
  if (!good)
    {
      g_propagate_prefixed_error (error, g_steal_pointer (&local_error), "%s: ", name);
      return NULL;
    }
  if (g_hash_table_size (files) > 0)
    return g_steal_pointer (&files);
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("“%s” names no weights"), name);
  return NULL;
}
