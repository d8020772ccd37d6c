/* SPDX-License-Identifier: MIT */
/* Names of models on this computer, wherever a subcommand takes a file. */
#include "cli/base/cli-locate.h"

#include "cli/base/cli-text.h"
#include "core/base/file/hl-file-argument.h"
#include "core/model/local/hl-model-place.h"

/* Puts in place of a model's name its folder or file; a path stays as it is written. Of an adapter that is off, @part says so. What is wrong
 * is said on standard error. Returns 0, or the exit status. */
int
cli_locate (char        **name,
            CliModelPart *part)
{
  gboolean is_bare;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) given = hl_file_new_for_argument (*name);
  g_autoptr (GFile) file = hl_model_place_locate (*name, &is_bare, NULL, &error);

  if (file == NULL)
    {
      cli_print_error (*name, error->message);
      return 1;
    }
  part->is_bare |= is_bare;
  if (g_file_equal (file, given))
    return 0;
  g_free (*name);
  *name = g_file_get_path (file);
  return 0;
}
