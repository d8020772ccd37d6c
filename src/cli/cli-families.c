/* SPDX-License-Identifier: MIT */
/* headlight-cli families: of which models attention is computed, for people, tables or programs. */
#include "cli/cli-commands.h"
#include "cli/base/cli-source.h"
#include "cli/base/cli-table.h"
#include "core/model/family/hl-family.h"

#include <glib/gi18n-lib.h>

/* Wide enough for every name in the columns that another follows. */
#define COLUMN 21

static const char *
get_stacks (const HlFamily *family)
{
  if (family->stack.patches.projection != NULL)
    return "image encoder";
  if (family->decoder.layer != NULL)
    return "encoder-decoder";
  return family->causal ? "decoder" : "encoder";
}

/* The types, of which there can be any number, come last. */
static CliTable *
make_table (void)
{
  CliTable *table = cli_table_new ();
  const HlFamily *family;

  cli_table_add_column (table, "family", NULL, -COLUMN, 0);
  cli_table_add_column (table, "stacks", NULL, -COLUMN, 0);
  cli_table_add_column (table, "model_type", NULL, 0, 0);
  for (guint i = 0; (family = hl_family_get (i)) != NULL; i++)
    {
      g_autofree char *types = g_strjoinv (", ", (char **) family->types);

      cli_table_add_string (table, family->label);
      cli_table_add_string (table, get_stacks (family));
      cli_table_add_string (table, types);
    }
  return table;
}

static int
run_families (char **arguments)
{
  g_autofree char *written_format = NULL;
  const GOptionEntry entries[] = {
    CLI_FORMAT_ENTRY (&written_format),
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);
  CliFormat format;

  g_option_context_set_summary (
    context, _ ("Prints a row for each family of models whose attention Headlight computes from their weights: its "
                "stacks of layers, and what “model_type” in config.json can be."));
  int status = cli_parse_sources (context, entries, arguments, 0, NULL, NULL);
  if (status == 0)
    status = cli_format_parse (written_format, &format);
  if (status != 0)
    return status;

  g_autoptr (CliTable) table = make_table ();
  cli_table_print (table, format);
  return 0;
}

const CliCommand cli_families = {
  "families",
  N_ ("families [--format csv]"),
  N_ ("which models attention is computed of"),
  run_families,
};
