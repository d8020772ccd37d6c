/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/base/cli-job.h"

G_BEGIN_DECLS

/**
 * CliPairs:
 * @pairs: what the user wrote after each --pair; %NULL for nothing
 * @file: the name of a list; %NULL for none
 *
 * The options that name pairs of words.
 */
typedef struct
{
  char **pairs;
  char  *file;
} CliPairs;

void     cli_pairs_add_entries (CliPairs        *self,
                                GOptionContext  *context);
gboolean cli_pairs_is_empty    (const CliPairs  *self);
char    *cli_pairs_load        (const CliPairs  *self,
                                CliJob          *job,
                                GError         **error);
void     cli_pairs_clear       (CliPairs        *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliPairs, cli_pairs_clear)

G_END_DECLS
