/* SPDX-License-Identifier: MIT */
/* headlight-cli: what Headlight does, without a window. */
#include "config.h"

#include "cli/cli-commands.h"
#include "cli/cli-text.h"

#include <glib/gi18n-lib.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#define SYNOPSIS_COLUMNS 38

static const struct
{
  const char *name;
  const char *synopsis;
  const char *description;
  int (*run) (char **arguments);
} commands[] = {
  { "info", N_ ("info SOURCE [--json]"), N_ ("what is in a file"), cli_info },
  { "tokens", N_ ("tokens MODEL --text TEXT [--json]"), N_ ("the tokens that a model makes of a text"), cli_tokens },
  { "recompute", N_ ("recompute MODEL --text TEXT -o FILE"), N_ ("the attention of a model on a text, as a dump"), cli_recompute },
  { "render", N_ ("render SOURCE --output FIGURE"), N_ ("a figure, the same as the window exports"),
    cli_render },
  { "stats", N_ ("stats SOURCE [--format csv]"), N_ ("numbers that tell heads apart, a row for each"), cli_stats },
  { "find-heads", N_ ("find-heads SOURCE --pair QUERY:KEY"), N_ ("heads ranked by the weight between words"), cli_find_heads },
  { "compare", N_ ("compare SOURCE [SOURCE]"), N_ ("the heads that differ most in two sources, or from one another"), cli_compare },
  { "convert", N_ ("convert SOURCE --output FILE"), N_ ("a dump in another container"),
    cli_convert },
};

static void
print_help (void)
{
  printf ("%s\n  headlight-cli %s\n\n%s\n", _ ("Usage:"), _ ("COMMAND [OPTION…]"), _ ("Commands:"));
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    cli_print_columns (_ (commands[i].synopsis), SYNOPSIS_COLUMNS, _ (commands[i].description));
  printf ("\n%s\n", _ ("SOURCE is a dump, or the folder of a model with --text TEXT."));
  printf ("%s\n", _ ("“headlight-cli COMMAND --help” tells the options of a command."));
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  /* Numbers that are written keep their point. */
  setlocale (LC_NUMERIC, "C");
  bindtextdomain (GETTEXT_PACKAGE, HL_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  g_set_prgname ("headlight-cli");

  if (argc < 2)
    return cli_print_misuse (_ ("a command is needed: info, tokens, recompute, render, stats, find-heads, compare or convert"));
  if (g_str_equal (argv[1], "--help") || g_str_equal (argv[1], "-h"))
    {
      print_help ();
      return EXIT_SUCCESS;
    }
  if (g_str_equal (argv[1], "--version"))
    {
      printf ("headlight-cli %s\n", HL_VERSION);
      return EXIT_SUCCESS;
    }
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (argv[1], commands[i].name))
      return commands[i].run (argv + 1);
  return cli_print_misuse (_ ("there is no command “%s”; there are info, tokens, recompute, render, stats, find-heads, compare and convert"),
                           argv[1]);
}
