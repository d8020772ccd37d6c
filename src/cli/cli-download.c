/* SPDX-License-Identifier: MIT */
/* headlight-cli download: a model of the hub, to where the hub's own tools keep theirs. */
#include "cli/cli-commands.h"
#include "cli/base/cli-job.h"
#include "cli/base/cli-source.h"
#include "cli/base/cli-text.h"
#include "core/base/hl-error.h"
#include "core/model/hub/hl-hub-download.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  GFile *file;
} Download;

/* Of several files, it is up to who asks; the program that is run by a script cannot ask back. */
static gboolean
check_choice (HlHubOffer *offer,
              GError    **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  if (offer->choices->len == 1)
    return TRUE;
  for (guint i = 0; i < offer->choices->len; i++)
    {
      const HlHubChoice *choice = hl_hub_offer_get_choice (offer, i);
      g_autofree char *size = g_format_size (choice->size);
      g_string_append_printf (names, "%s%s (%s)", i > 0 ? ", " : "", choice->label, size);
    }
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("it has several GGUF files; name one as in “%s:%s”: %s"),
               offer->repository, hl_hub_offer_get_choice (offer, offer->preferred)->label, names->str);
  return FALSE;
}

static void
print_size (const HlHubChoice *choice)
{
  g_autofree char *size = g_format_size (choice->size), *missing = g_format_size (choice->missing);
  g_autofree char *sentence =
    g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u file, %s, of which %s are to be downloaded",
                                  "%u files, %s, of which %s are to be downloaded", choice->files->len),
                     choice->files->len, size, missing);

  cli_print_note (sentence);
}

static gboolean
download (CliJob  *job,
          GError **error)
{
  Download *self = job->data;
  g_autoptr (HlHubOffer) offer = hl_hub_offer_new (job->file, job->cancellable, error);

  if (offer == NULL || !check_choice (offer, error))
    return FALSE;
  print_size (hl_hub_offer_get_choice (offer, 0));
  self->file = hl_hub_download (offer, 0, job->progress, job->cancellable, error);
  return self->file != NULL;
}

static int
run_download (char **arguments)
{
  g_auto (GStrv) names = NULL;
  const GOptionEntry entries[] = {
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &names, NULL, N_ ("NAME") },
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);
  Download self = { 0 };

  g_option_context_set_summary (
    context,
    _ ("Downloads a model from huggingface.co, or from the hub that HF_ENDPOINT names, to where the hub’s own tools "
       "keep theirs, and prints its folder or file: what a model needs, and no more. NAME is org/name, "
       "org/name@revision, or, of several GGUF files, org/name:Q4_K_M or org/name/FILE. What a download "
       "that was stopped has left is gone on with."));
  int status = cli_parse_sources (context, entries, arguments, 0, NULL, NULL);
  if (status != 0)
    return status;
  if (g_strv_length (names != NULL ? names : (char *[]){ NULL }) != 1)
    return cli_print_misuse (_ ("one NAME of a model is needed: “headlight-cli download --help” tells more"));
  status = cli_job_run (&(CliJob){ .work = download, .file = names[0], .data = &self });
  if (status == 0)
    {
      g_autofree char *path = g_file_get_path (self.file);
      g_print ("%s\n", path);
    }
  g_clear_object (&self.file);
  return status;
}

const CliCommand cli_download = {
  "download",
  N_ ("download NAME"),
  N_ ("a model from the hub"),
  run_download,
};
