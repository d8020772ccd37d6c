/* SPDX-License-Identifier: MIT */
/* Files as people name them on a command line. */
#include "core/base/file/hl-file-argument.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One that was removed has no path any more, for which GLib takes the root. This one leads nowhere then, in other processes too. */
static char *
dup_working_folder (void)
{
  g_autofree char *real = realpath (".", NULL);

  return real != NULL ? g_get_current_dir () : g_strdup_printf ("/proc/%d/cwd", (int) getpid ());
}

/* ".." is the folder that the system finds what is before it in, which may be a link: GLib strikes both out as text. Where there is no folder before
 * it, that stays, so that neither there is one behind it. */
static char *
follow_path (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, G_DIR_SEPARATOR_S, -1);
  g_autofree char *path = g_path_is_absolute (name) ? g_strdup (G_DIR_SEPARATOR_S) : dup_working_folder ();

  for (char **part = parts; *part != NULL; part++)
    {
      const gboolean goes_up = g_str_equal (*part, "..");
      g_autofree char *next = g_build_filename (path, *part, NULL);
      g_autofree char *real = goes_up ? realpath (next, NULL) : NULL;
      if (goes_up && real == NULL)
        continue;
      g_free (path);
      path = g_strdup (real != NULL ? real : next);
    }
  return g_steal_pointer (&path);
}

/**
 * hl_file_new_for_argument:
 * @name: a path, or an address as `file:///tmp/a.h5` or `file:/tmp/a.h5`
 *
 * A path leads where it leads for the system, through links too.
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

  if (is_address && !g_file_test (name, G_FILE_TEST_EXISTS))
    return g_file_new_for_commandline_arg (name);
  g_autofree char *path = follow_path (name);
  return g_file_new_for_path (path);
}
