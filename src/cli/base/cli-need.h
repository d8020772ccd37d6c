/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * CliNeed:
 * @option: its name, without dashes
 * @is_given: whether it was written
 * @is_met: whether there is what it acts on
 * @need: what that is, translated: the end of a sentence that begins with “--option needs”
 *
 * An option that says something about what other options ask for.
 */
typedef struct
{
  const char *option;
  gboolean    is_given;
  gboolean    is_met;
  const char *need;
} CliNeed;

int cli_needs_check (const CliNeed *needs,
                     guint          n);

G_END_DECLS
