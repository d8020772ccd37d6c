/* SPDX-License-Identifier: MIT */
#include "core/base/file/hl-relative-path.h"

#include <string.h>

/* As the hub has it. */
#define MAX_PATH 512
#define MAX_NAME 255
#define MAX_DEPTH 16

/**
 * hl_relative_path_is_safe:
 * @path: what somebody calls a file in a folder, any bytes
 *
 * Returns: whether it can only be a file in the folder or in folders within, whose name can be shown
 */
gboolean
hl_relative_path_is_safe (const char *path)
{
  g_return_val_if_fail (path != NULL, FALSE);

  const gsize length = strlen (path);

  if (length == 0 || length > MAX_PATH || !g_utf8_validate (path, (gssize) length, NULL))
    return FALSE;
  for (const char *at = path; *at != '\0'; at = g_utf8_next_char (at))
    if (*at == '\\' || !g_unichar_isprint (g_utf8_get_char (at)))
      return FALSE;
  g_auto (GStrv) pieces = g_strsplit (path, "/", -1);
  if (g_strv_length (pieces) > MAX_DEPTH)
    return FALSE;
  for (char **piece = pieces; *piece != NULL; piece++)
    if (**piece == '\0' || g_str_equal (*piece, ".") || g_str_equal (*piece, "..") || strlen (*piece) > MAX_NAME)
      return FALSE;
  return TRUE;
}
