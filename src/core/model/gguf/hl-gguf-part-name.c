/* SPDX-License-Identifier: MIT */
#include "core/model/gguf/hl-gguf-part-name.h"

#include <string.h>

#include "core/base/hl-limits.h"

/* Returns what the name of a part ends in; parts are counted from 0, and named from 1. */
char *
hl_gguf_part_name_make_end (guint number,
                            guint n_parts)
{
  return g_strdup_printf ("-%05u-of-%05u.gguf", number + 1, n_parts);
}

/**
 * hl_gguf_part_name_parse:
 * @name: a file's name, without its folder
 * @number: (out) (optional): which part it is, from 0
 *
 * Returns: of how many parts it is one by its name, `NAME-00001-of-00003.gguf`; 0 for another file
 */
guint
hl_gguf_part_name_parse (const char *name,
                         guint      *number)
{
  static const char pattern[] = "-00000-of-00000.gguf";
  const gsize length = strlen (name), n_end = strlen (pattern);

  if (length <= n_end)
    return 0;
  const char *end = name + length - n_end;
  const guint64 part = g_ascii_strtoull (end + 1, NULL, 10);
  const guint64 n_parts = g_ascii_strtoull (end + strlen ("-00000-of-"), NULL, 10);
  if (part == 0 || part > n_parts || n_parts > HL_LIMIT_GGUF_SHARDS)
    return 0;
  g_autofree char *own = hl_gguf_part_name_make_end ((guint) part - 1, (guint) n_parts);
  if (!g_str_equal (own, end))
    return 0;
  if (number != NULL)
    *number = (guint) part - 1;
  return (guint) n_parts;
}

/**
 * hl_gguf_part_name_get_file:
 * @file: a part of a model
 * @number: which part is asked for, from 0
 *
 * Returns: (transfer full) (nullable): the file of that part, there or not; %NULL if @file is not named as one
 */
GFile *
hl_gguf_part_name_get_file (GFile *file,
                            guint  number)
{
  g_autofree char *name = g_file_get_basename (file);
  const guint n_parts = hl_gguf_part_name_parse (name, NULL);
  g_autoptr (GFile) folder = g_file_get_parent (file);

  if (n_parts == 0 || folder == NULL)
    return NULL;
  g_autofree char *end = hl_gguf_part_name_make_end (number, n_parts);
  g_autofree char *stem = g_strndup (name, strlen (name) - strlen (end));
  g_autofree char *other = g_strconcat (stem, end, NULL);
  return g_file_get_child (folder, other);
}
