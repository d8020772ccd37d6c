/* SPDX-License-Identifier: MIT */
/* Names of files, for people. */
#include "core/base/hl-file-name.h"

/**
 * hl_file_dup_display_name:
 * @file: a file
 *
 * Returns: (transfer full): its name without its folder, valid UTF-8 whatever the bytes of the name are
 */
char *
hl_file_dup_display_name (GFile *file)
{
  g_autofree char *basename = g_file_get_basename (file);

  return g_filename_display_name (basename);
}
