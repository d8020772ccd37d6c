/* SPDX-License-Identifier: MIT */
/* Files as people name them on a command line. */
#include "core/base/file/hl-file-argument.h"

#include <string.h>

/**
 * hl_file_new_for_argument:
 * @name: a path, or an address as `file:///tmp/a.h5` or `file:/tmp/a.h5`
 *
 * What does not look like these, or is there under that name, is a path, whatever colons are in it: `run:1.h5`, `llama3.2:1b`. GLib would take
 * these for addresses.
 *
 * Returns: (transfer full): the file, which need not exist
 */
GFile *
hl_file_new_for_argument (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  const gboolean is_address = strstr (name, "://") != NULL || g_str_has_prefix (name, "file:/");

  return !is_address || g_file_test (name, G_FILE_TEST_EXISTS) ? g_file_new_for_path (name)
                                                               : g_file_new_for_commandline_arg (name);
}
