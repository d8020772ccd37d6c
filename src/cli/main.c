/* SPDX-License-Identifier: MIT */
/* headlight-cli: what Headlight does, without a window. */
#include "config.h"

#include "cli/cli-commands.h"
#include "cli/base/cli-text.h"
#include "core/base/file/hl-file-read.h"
#include "core/base/file/hl-standard-streams.h"

#include <glib/gi18n-lib.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SYNOPSIS_COLUMNS 38

#define REFER_TO_COMMAND(name) &cli_##name,

static const CliCommand *const commands[] = { CLI_COMMANDS (REFER_TO_COMMAND) };

/* All names but the last. */
static char *
join_names (void)
{
  GString *names = g_string_new (commands[0]->name);

  for (guint i = 1; i < G_N_ELEMENTS (commands) - 1; i++)
    g_string_append_printf (names, "%s%s", _ (", "), commands[i]->name);
  return g_string_free (names, FALSE);
}

static void
print_help (void)
{
  g_print ("%s\n  headlight-cli %s\n\n%s\n", _ ("Usage:"), _ ("COMMAND [OPTION…]"), _ ("Commands:"));
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    cli_print_columns (_ (commands[i]->synopsis), SYNOPSIS_COLUMNS, _ (commands[i]->description));
  g_print ("\n%s\n", _ ("SOURCE is a dump, or the folder of a model with --text TEXT."));
  g_print ("%s\n", _ ("“headlight-cli COMMAND --help” tells the options of a command."));
}

/* What could not be written is said, also by --help, which ends the process where it stands. */
static void
close_standard_output (void)
{
  const gboolean failed = ferror (stdout) != 0;

  if (fclose (stdout) == 0 && !failed)
    return;
  cli_print_note (_ ("what was asked for could not all be written to standard output"));
  _exit (EXIT_FAILURE);
}

int
main (int    argc,
      char **argv)
{
  hl_standard_streams_fill ();
  setlocale (LC_ALL, "");
  cli_print_settle ();
  /* Numbers that are written keep their point. */
  setlocale (LC_NUMERIC, "C");
  bindtextdomain (GETTEXT_PACKAGE, HL_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  g_set_prgname ("headlight-cli");
  /* A file that is not allowed to become as large is said to be so, as one for which there is no room. */
  signal (SIGXFSZ, SIG_IGN);
  hl_file_make_room ();
  atexit (close_standard_output);

  g_autofree char *names = join_names ();
  const char *last = commands[G_N_ELEMENTS (commands) - 1]->name;
  if (argc < 2)
    /* Translators: the first %s is a list of names, the second the last of them */
    return cli_print_misuse (_ ("a command is needed: %s or %s"), names, last);
  if (g_str_equal (argv[1], "--help") || g_str_equal (argv[1], "-h"))
    {
      print_help ();
      return EXIT_SUCCESS;
    }
  if (g_str_equal (argv[1], "--version"))
    {
      g_print ("headlight-cli %s\n", HL_VERSION);
      return EXIT_SUCCESS;
    }
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (argv[1], commands[i]->name))
      return commands[i]->run (argv + 1);
  return cli_print_misuse (_ ("there is no command “%s”; there are %s and %s"), argv[1], names, last);
}
