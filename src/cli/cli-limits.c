/* SPDX-License-Identifier: MIT */
/* headlight-cli info --limits: what is refused, and why. */
#include "cli/cli-limits.h"
#include "cli/base/cli-source.h"
#include "cli/base/cli-table.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>

/* Wide enough for every name, number and unit. */
#define NAME_COLUMN 21
#define VALUE_COLUMN 15
#define UNIT_COLUMN 22

static CliTable *
make_table (void)
{
  CliTable *table = cli_table_new ();
  const HlLimit *limit;

  cli_table_add_column (table, "limit", NULL, -NAME_COLUMN, 0);
  cli_table_add_column (table, "value", NULL, VALUE_COLUMN, 0);
  cli_table_add_column (table, "unit", NULL, -UNIT_COLUMN, 0);
  cli_table_add_column (table, "reason", NULL, 0, 0);
  for (guint i = 0; (limit = hl_limit_get (i)) != NULL; i++)
    {
      cli_table_add_string (table, limit->name);
      cli_table_add_integer (table, limit->value);
      cli_table_add_string (table, *limit->unit != '\0' ? _ (limit->unit) : "");
      cli_table_add_string (table, _ (limit->reason));
    }
  return table;
}

int
cli_run_limits (char **arguments)
{
  g_autofree char *written_format = NULL;
  gboolean is_asked = FALSE;
  const GOptionEntry entries[] = {
    CLI_LIMITS_ENTRY (&is_asked),
    CLI_FORMAT_ENTRY (&written_format),
    G_OPTION_ENTRY_NULL,
  };
  CliFormat format;
  int status = cli_parse_sources (g_option_context_new (NULL), entries, arguments, 0, NULL, NULL);

  if (status == 0)
    status = cli_format_parse (written_format, &format);
  if (status != 0)
    return status;
  g_autoptr (CliTable) table = make_table ();
  cli_table_print (table, format);
  return 0;
}
