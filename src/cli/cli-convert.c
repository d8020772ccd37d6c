/* SPDX-License-Identifier: MIT */
/* headlight-cli convert: a dump in another container. */
#include "cli/cli-commands.h"
#include "cli/cli-source.h"
#include "cli/cli-text.h"
#include "core/source/hl-dump-writer.h"

#include <glib/gi18n-lib.h>

static gboolean
convert (CliJob  *job,
         GError **error)
{
  const char *output = job->data;
  g_autoptr (HlDocument) document = cli_load_document (job, error);

  if (document == NULL)
    return FALSE;
  job->file = output;
  g_autoptr (GFile) target = g_file_new_for_commandline_arg (output);
  return hl_dump_writer_save (document, target, job->progress, job->cancellable, error);
}

int
cli_convert (char **arguments)
{
  g_autofree char *output = NULL;
  g_auto (GStrv) files = NULL;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
      N_ ("The file to write: .h5, .hdf5, .json or .npz"), N_ ("FILE") },
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);

  g_option_context_set_summary (
    context, _ ("Writes all that is in SOURCE in the container that the name of FILE asks for."));
  const int status = cli_parse_options (context, entries, arguments, &files);
  if (status != 0)
    return status;
  if (output == NULL)
    return cli_print_misuse (_ ("convert needs --output FILE"));

  CliJob job = { .work = convert, .file = files[0], .data = output };
  return cli_job_run (&job);
}
