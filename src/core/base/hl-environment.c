/* SPDX-License-Identifier: MIT */
/* What variables of the environment say, as other programs read them. */
#include "core/base/hl-environment.h"

/**
 * hl_environment_get_folder:
 * @variable: the name of a variable
 * @below: (nullable): what is taken of the folder
 *
 * “~” at its beginning is the home of the user.
 *
 * Returns: (transfer full) (nullable): the folder or file that the variable names, or what is below it; %NULL when it names none
 */
GFile *
hl_environment_get_folder (const char *variable,
                           const char *below)
{
  g_return_val_if_fail (variable != NULL, NULL);

  const char *value = g_getenv (variable);

  if (value == NULL || *value == '\0')
    return NULL;
  const gboolean at_home = value[0] == '~' && (value[1] == '/' || value[1] == '\0');
  return g_file_new_build_filename (at_home ? g_get_home_dir () : value, at_home ? value + 1 : below,
                                    at_home ? below : NULL, NULL);
}

/**
 * hl_environment_is_true:
 * @variable: the name of a variable
 *
 * Returns: whether it is `1`, `on`, `yes` or `true`, in any case
 */
gboolean
hl_environment_is_true (const char *variable)
{
  static const char *const words[] = { "1", "on", "yes", "true" };

  g_return_val_if_fail (variable != NULL, FALSE);

  const char *value = g_getenv (variable);

  for (guint i = 0; value != NULL && i < G_N_ELEMENTS (words); i++)
    if (g_ascii_strcasecmp (value, words[i]) == 0)
      return TRUE;
  return FALSE;
}
