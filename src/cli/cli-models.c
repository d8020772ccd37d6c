/* SPDX-License-Identifier: MIT */
/* headlight-cli models: what other programs have downloaded to this computer, for people, tables or programs. */
#include "cli/cli-commands.h"
#include "cli/base/cli-job.h"
#include "cli/base/cli-source.h"
#include "cli/base/cli-table.h"
#include "cli/base/cli-text.h"
#include "core/model/local/hl-local-models.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_NAME_COLUMN 120
#define SOURCE_COLUMN 13
#define SIZE_COLUMN 8
#define MEGABYTE 1e6

typedef struct
{
  char **search;
  HlLocalModels *found;
} Listing;

static gboolean
list_models (CliJob  *job,
             GError **error)
{
  Listing *self = job->data;

  self->found = hl_local_models_list (job->cancellable, error);
  return self->found != NULL;
}

static void
add_text (CliTable   *table,
          const char *text)
{
  if (text != NULL)
    cli_table_add_string (table, text);
  else
    cli_table_add_nothing (table);
}

/* Why a model cannot be opened stands where people look for its family; programs have a column for it, and the path. */
static void
add_row (CliTable     *table,
         HlLocalModel *model,
         CliFormat     format)
{
  const HlFamily *family = hl_local_model_get_family (model);
  const char *problem = hl_local_model_get_problem (model);
  const guint64 size = hl_local_model_get_size (model);
  g_autofree char *path = hl_local_model_get_file (model) != NULL ? g_file_get_path (hl_local_model_get_file (model))
                                                                  : NULL;

  if (format == CLI_FORMAT_TABLE)
    {
      g_autofree char *name = cli_make_printable (hl_local_model_get_spec (model));
      g_autofree char *last = cli_make_printable (family != NULL ? family->label : problem);

      cli_table_add_string (table, name);
      cli_table_add_string (table, _ (hl_local_model_get_cache (model)->label));
      cli_table_add_real (table, (double) size / MEGABYTE);
      cli_table_add_string (table, last);
      return;
    }
  g_autofree char *shown = path != NULL ? g_filename_display_name (path) : NULL;
  cli_table_add_string (table, hl_local_model_get_spec (model));
  cli_table_add_string (table, hl_local_model_get_cache (model)->nick);
  cli_table_add_integer (table, size);
  add_text (table, family != NULL ? family->label : NULL);
  add_text (table, problem);
  add_text (table, shown);
}

static CliTable *
make_table (const Listing *self,
            CliFormat      format)
{
  CliTable *table = cli_table_new ();
  gsize width = strlen ("name");
  g_autofree char *search = self->search != NULL ? g_strjoinv (" ", self->search) : g_strdup ("");

  for (guint i = 0; i < self->found->models->len; i++)
    if (hl_local_model_matches (self->found->models->pdata[i], search))
      width = MAX (width, strlen (hl_local_model_get_spec (self->found->models->pdata[i])));
  cli_table_add_column (table, "name", NULL, -(int) MIN (width, MAX_NAME_COLUMN), 0);
  cli_table_add_column (table, "source", NULL, -SOURCE_COLUMN, 0);
  cli_table_add_column (table, "size", "MB", SIZE_COLUMN, 1);
  cli_table_add_column (table, "family", NULL, 0, 0);
  if (format != CLI_FORMAT_TABLE)
    {
      cli_table_add_column (table, "problem", NULL, 0, 0);
      cli_table_add_column (table, "path", NULL, 0, 0);
    }
  for (guint i = 0; i < self->found->models->len; i++)
    if (hl_local_model_matches (self->found->models->pdata[i], search))
      add_row (table, self->found->models->pdata[i], format);
  return table;
}

static void
print_notes (const HlLocalModels *found)
{
  for (guint i = 0; i < found->notes->len; i++)
    cli_print_note (found->notes->pdata[i]);
  if (found->models->len > 0)
    return;
  g_ptr_array_add (found->places, NULL);
  g_autofree char *places = g_strjoinv (", ", (char **) found->places->pdata);
  g_autofree char *sentence = g_strdup_printf (_ ("there are no models in %s"), places);
  cli_print_note (sentence);
}

static int
run_models (char **arguments)
{
  Listing listing = { 0 };
  g_autofree char *written_format = NULL;
  g_auto (GStrv) search = NULL;
  const GOptionEntry entries[] = {
    CLI_FORMAT_ENTRY (&written_format),
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &search, NULL, N_ ("[SEARCH]") },
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);
  CliFormat format;

  g_option_context_set_summary (
    context,
    _ ("Prints a row for each model in the caches of Hugging Face, Ollama, llama.cpp and LM Studio: the name that "
       "takes the place of MODEL or SOURCE elsewhere, the size of its weights, and its family, or why it cannot "
       "be opened. With SEARCH, only those whose name, source or family has all words of it."));
  int status = cli_parse_sources (context, entries, arguments, 0, NULL, NULL);
  if (status == 0)
    status = cli_format_parse (written_format, &format);
  if (status != 0)
    return status;

  listing.search = search;
  status = cli_job_run (&(CliJob){ .work = list_models, .file = arguments[0], .data = &listing });
  if (status == 0)
    {
      g_autoptr (CliTable) table = make_table (&listing, format);
      print_notes (listing.found);
      cli_table_print (table, format);
    }
  g_clear_pointer (&listing.found, hl_local_models_free);
  return status;
}

const CliCommand cli_models = {
  "models",
  N_ ("models [--format csv] [SEARCH]"),
  N_ ("what models are on this computer"),
  run_models,
};
