/* SPDX-License-Identifier: MIT */
/* Options that were given and have nothing to act on: who wrote one expects that it does something. */
#include "cli/base/cli-need.h"

#include "cli/base/cli-text.h"

#include <glib/gi18n-lib.h>

/* The first that has nothing to act on is said on standard error. Returns 0, or the exit status for wrong usage. */
int
cli_needs_check (const CliNeed *needs,
                 guint          n)
{
  for (guint i = 0; i < n; i++)
    if (needs[i].is_given && !needs[i].is_met)
      /* Translators: the first %s is an option, the second what it acts on: “--seed needs --numbers induction” */
      return cli_print_misuse (_ ("--%s needs %s"), needs[i].option, needs[i].need);
  return 0;
}
