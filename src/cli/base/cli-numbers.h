/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/analysis/number/hl-head-number.h"
#include "core/document/attention/hl-attention.h"

#include <glib.h>

G_BEGIN_DECLS

/* Which numbers of heads are told, as a command line has it. Begins as { NULL }. */
typedef struct
{
  char *written;
  char **nicks; /* by which they were asked for */
  HlHeadStat *stats;
  guint n;
} CliNumbers;

void            cli_numbers_add_entries     (CliNumbers       *self,
                                             GOptionContext   *context);
int             cli_numbers_parse           (CliNumbers       *self);
HlHeadNumberSet cli_numbers_get_set         (const CliNumbers *self);
guint           cli_numbers_get_n_explained (const CliNumbers *self);
char           *cli_numbers_explain         (const CliNumbers *self,
                                             guint             index,
                                             HlAttention      *attention,
                                             const char       *need);
void            cli_numbers_clear           (CliNumbers       *self);

G_END_DECLS
