/* SPDX-License-Identifier: MIT */
#include "core/model/local/hl-cache-folder.h"

/* Returns the folder that a variable of the environment names, or what is below it; %NULL when it names none. “~” is the home of the
 * user there, as the programs take it. */
GFile *
hl_cache_folder_from_environment (const char *variable,
                                  const char *below)
{
  const char *value = g_getenv (variable);

  if (value == NULL || *value == '\0')
    return NULL;
  const gboolean at_home = value[0] == '~' && (value[1] == '/' || value[1] == '\0');
  return g_file_new_build_filename (at_home ? g_get_home_dir () : value, at_home ? value + 1 : below,
                                    at_home ? below : NULL, NULL);
}
