/* SPDX-License-Identifier: MIT */
#include "core/base/file/hl-shard-name.h"

#include <string.h>

#include "core/base/hl-limits.h"

#define MARK ".rank"

/**
 * hl_shard_name_parse:
 * @name: a file's name, without its folder
 * @stem: (out) (optional): what stands before the rank
 * @rank: (out) (optional): the rank
 * @ending: (out) (optional): what stands behind it, with the dot
 *
 * Returns: whether it is the name of a part of a dump, `NAME.rank3.h5`
 */
gboolean
hl_shard_name_parse (const char *name,
                     char      **stem,
                     guint      *rank,
                     char      **ending)
{
  const char *mark = g_strrstr (name, MARK);
  const char *digits = mark != NULL ? mark + strlen (MARK) : NULL;
  const char *dot = digits != NULL ? strchr (digits, '.') : NULL;
  guint64 number;

  if (mark == name || dot == NULL)
    return FALSE;
  g_autofree char *text = g_strndup (digits, (gsize) (dot - digits));
  /* Not “03”, which names no other file than “3”. */
  if ((text[0] == '0' && text[1] != '\0') ||
      !g_ascii_string_to_unsigned (text, 10, 0, HL_LIMIT_RANKS - 1, &number, NULL))
    return FALSE;
  if (stem != NULL)
    *stem = g_strndup (name, (gsize) (mark - name));
  if (rank != NULL)
    *rank = (guint) number;
  if (ending != NULL)
    *ending = g_strdup (dot);
  return TRUE;
}

/**
 * hl_shard_name_get_file:
 * @file: a part of a dump
 * @rank: a rank
 *
 * Returns: (transfer full) (nullable): the file of that rank, there or not; %NULL if @file is not named as one
 */
GFile *
hl_shard_name_get_file (GFile *file,
                        guint  rank)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *stem = NULL;
  g_autofree char *ending = NULL;
  g_autoptr (GFile) folder = g_file_get_parent (file);

  if (folder == NULL || !hl_shard_name_parse (name, &stem, NULL, &ending))
    return NULL;
  g_autofree char *other = g_strdup_printf ("%s" MARK "%u%s", stem, rank, ending);
  return g_file_get_child (folder, other);
}

/* Returns what the parts are together, `NAME.h5`; NULL for the name of another file. */
char *
hl_shard_name_dup_whole (const char *name)
{
  g_autofree char *stem = NULL;
  g_autofree char *ending = NULL;

  return hl_shard_name_parse (name, &stem, NULL, &ending) ? g_strconcat (stem, ending, NULL) : NULL;
}
