/* SPDX-License-Identifier: MIT */
/* headlight-cli convert: a dump in another container; and recompute: the attention of a model as a dump. */
#include "cli/cli-commands.h"
#include "cli/base/cli-source.h"
#include "cli/base/cli-text.h"
#include "cli/base/cli-view-options.h"
#include "core/archive/format/hl-format.h"
#include "core/base/file/hl-file-argument.h"
#include "core/source/save/hl-dump-writer.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  char *output;
  HlDumpStore store;
  CliModelText text;
  CliOpenOptions open;
  CliViewOptions view;
  gboolean is_store_written;
  GPtrArray *left_out;
} Convert;

static void
convert_clear (Convert *self)
{
  g_free (self->output);
  cli_model_text_clear (&self->text);
  cli_open_options_clear (&self->open);
  cli_view_options_clear (&self->view);
  g_clear_pointer (&self->left_out, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Convert, convert_clear)

static gboolean
is_derived (const HlLens *lens)
{
  return lens->quantity != HL_QUANTITY_WEIGHT || lens->combine != HL_COMBINE_NONE;
}

static gboolean
convert (CliJob  *job,
         GError **error)
{
  Convert *self = job->data;
  if (!cli_check_target (job, self->output, error))
    return FALSE;
  g_autoptr (HlDocument) document = cli_load_document (job, &self->text, &self->open, error);

  if (document == NULL)
    return FALSE;
  job->file = self->output;
  g_autoptr (GFile) target = hl_file_new_for_argument (self->output);
  const HlLens lens = cli_view_options_get_lens (&self->view);
  return hl_dump_writer_save (document, self->store, is_derived (&lens) ? &lens : NULL, self->left_out, target,
                              job->progress, job->cancellable, error);
}

/* What comes after the options have been read. */
static int
run (Convert    *self,
     const char *command,
     const char *file)
{
  const HlLens lens = cli_view_options_get_lens (&self->view);
  int status = cli_view_options_parse (&self->view);

  if (status == 0)
    status = cli_check_source (file, &self->text, &self->open);
  if (status != 0)
    return status;
  if (is_derived (&lens) && self->is_store_written)
    return cli_print_misuse (_ ("--store does not go together with --quantity and --combine"));
  if (self->output == NULL)
    return cli_print_misuse (_ ("%s needs --output FILE"), command);
  if ((status = cli_check_output (self->output)) != 0)
    return status;

  self->left_out = g_ptr_array_new_with_free_func (g_free);
  CliJob job = { .work = convert, .file = file, .data = self };
  status = cli_job_run (&job);
  for (guint i = 0; status == 0 && i < self->left_out->len; i++)
    cli_print_note (g_ptr_array_index (self->left_out, i));
  return status;
}

static int
run_convert (char **arguments)
{
  g_auto (Convert) self = { .store = HL_DUMP_STORE_ALL };
  g_auto (GStrv) files = NULL;
  g_autofree char *store = NULL;
  g_autofree char *endings = hl_format_list_endings ();
  g_autofree char *about_output = g_strdup_printf (_ ("The file to write: %s"), endings);
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &self.output, about_output, N_ ("FILE") },
    { "store", 0, 0, G_OPTION_ARG_STRING, &store,
      N_ ("Of queries and keys the weights, or of both the queries, keys and values; what SOURCE has otherwise"),
      "weights|qk" },
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);

  g_option_context_set_summary (
    context,
    _ ("Writes all that is in SOURCE in the container that the name of FILE asks for; of a model, its attention."));
  cli_view_options_add_quantity (&self.view, context);
  cli_open_options_add_entries (&self.open, context);
  cli_open_options_add_tokenizer (&self.open, context);
  cli_open_options_add_expansion (&self.open, context);
  cli_model_text_add_entries (&self.text, context);
  const int status = cli_parse_options (context, entries, arguments, &self.text.part, &files);
  if (status != 0)
    return status;
  if (store != NULL && !g_str_equal (store, "weights") && !g_str_equal (store, "qk"))
    return cli_print_misuse (_ ("--store cannot be “%s”; it is weights or qk"), store);
  if (store != NULL)
    self.store = g_str_equal (store, "qk") ? HL_DUMP_STORE_QK : HL_DUMP_STORE_ATTENTION;
  else if (!cli_model_text_is_empty (&self.text) && self.open.tokenizer == NULL)
    self.store = HL_DUMP_STORE_ATTENTION;
  self.is_store_written = store != NULL;
  return run (&self, arguments[0], files[0]);
}

const CliCommand cli_convert = {
  "convert",
  N_ ("convert SOURCE --output FILE"),
  N_ ("a dump in another container"),
  run_convert,
};

static int
run_recompute (char **arguments)
{
  g_auto (Convert) self = { .store = HL_DUMP_STORE_ATTENTION };
  g_auto (GStrv) files = NULL;
  g_autofree char *store = NULL;
  g_autofree char *endings = hl_format_list_endings ();
  g_autofree char *about_output = g_strdup_printf (_ ("The file to write: %s"), endings);
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &self.output, about_output, N_ ("FILE") },
    { "store", 0, 0, G_OPTION_ARG_STRING, &store,
      N_ (
        "The weights; the queries, keys and values that they follow from; or these and all that they are made of. The "
        "weights otherwise"),
      "attention|qk|all" },
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);

  g_option_context_set_summary (context,
                                _ ("Computes the attention of the model SOURCE on a text and writes it to FILE."));
  cli_view_options_add_quantity (&self.view, context);
  cli_model_text_add_entries (&self.text, context);
  const int status = cli_parse_options (context, entries, arguments, &self.text.part, &files);
  if (status != 0)
    return status;
  if (store != NULL && !g_str_equal (store, "attention") && !g_str_equal (store, "qk") && !g_str_equal (store, "all"))
    return cli_print_misuse (_ ("--store cannot be “%s”; it is attention, qk or all"), store);
  if (cli_model_text_is_empty (&self.text))
    return cli_print_misuse (_ ("%s needs --text or --ids, or --image or --pixels"), arguments[0]);
  if (g_strcmp0 (store, "qk") == 0)
    self.store = HL_DUMP_STORE_QK;
  if (g_strcmp0 (store, "all") == 0)
    self.store = HL_DUMP_STORE_ALL;
  self.is_store_written = store != NULL;
  return run (&self, arguments[0], files[0]);
}

const CliCommand cli_recompute = {
  "recompute",
  N_ ("recompute MODEL --text TEXT -o FILE"),
  N_ ("the attention of a model on a text, as a dump"),
  run_recompute,
};
