/* SPDX-License-Identifier: MIT */
/* headlight-cli generate: how a decoder goes on with a text, printed as it is written; and its attention as a dump. */
#include "core/base/hl-limits.h"
#include "cli/cli-commands.h"
#include "cli/base/cli-source.h"
#include "cli/base/cli-text.h"
#include "core/archive/format/hl-format.h"
#include "core/base/file/hl-file-argument.h"
#include "core/base/hl-error.h"
#include "core/predict/hl-generation.h"
#include "core/source/save/hl-dump-writer.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_TOKENS 50

typedef struct
{
  CliModelText text;
  HlGenerationOptions options;
  char *stop;
  char *output;
  HlGenerationEnd end;
  gboolean is_silent; /* whether what was written has no text */
} Generate;

static void
generate_clear (Generate *self)
{
  cli_model_text_clear (&self->text);
  g_free (self->stop);
  g_free (self->output);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Generate, generate_clear)

/* What the text begins with, as token numbers. */
static HlModelRun *
make_prompt (Generate *self,
             HlModel  *model,
             GError  **error)
{
  HlModelText text = self->text.value;
  guint32 start;

  if (text.target_text == NULL && text.decoder_ids == NULL && hl_model_has_decoder (model) &&
      hl_model_get_decoder_start (model, &start))
    {
      text.decoder_ids = &start;
      text.n_decoder_ids = 1;
    }
  return hl_model_run_new (model, &text, error);
}

/* Prints what was written since, or its number where there is no tokenizer. */
static void
print_new (HlGeneration *generation,
           HlModel      *model,
           guint32       id,
           gsize        *n_printed)
{
  if (hl_model_get_tokenizer (model) == NULL)
    g_print ("%s%u", hl_generation_get_n_new (generation) > 1 ? " " : "", id);
  else
    {
      /* A character that was broken may have become whole: what is printed stays. */
      const char *text = hl_generation_get_text (generation);
      const gsize length = strlen (text);
      if (length > *n_printed)
        {
          cli_print_text (text + *n_printed);
          *n_printed = length;
        }
    }
  fflush (stdout);
}

/* What was tokenized; NULL where that is no single text. Of two stacks what is written is no text of the encoder's. */
static char *
dup_text (Generate     *self,
          HlModel      *model,
          HlGeneration *generation)
{
  const HlModelText *text = &self->text.value;

  if (text->text == NULL || text->text_pair != NULL)
    return NULL;
  return g_strconcat (text->text, hl_model_has_decoder (model) ? "" : hl_generation_get_text (generation), NULL);
}

static gboolean
save (Generate     *self,
      HlModel      *model,
      HlGeneration *generation,
      CliJob       *job,
      GError      **error)
{
  g_autofree char *whole = dup_text (self, model, generation);
  g_autoptr (HlDocument) document = hl_generation_new_document (generation, whole, error);

  if (document == NULL)
    return FALSE;
  job->file = self->output;
  g_autoptr (GFile) target = hl_file_new_for_argument (self->output);
  return hl_dump_writer_save (document, HL_DUMP_STORE_ATTENTION, NULL, NULL, target, job->progress, job->cancellable,
                              error);
}

static gboolean
generate (CliJob  *job,
          GError **error)
{
  Generate *self = job->data;
  if (self->output != NULL && !cli_check_target (job, self->output, error))
    return FALSE;
  g_autoptr (GFile) folder = hl_file_new_for_argument (job->file);
  g_autoptr (HlModel) model = cli_model_part_load (&self->text.part, folder, error);
  g_autoptr (HlUnembedding) head = model != NULL ? hl_unembedding_load (model, error) : NULL;
  g_autoptr (HlModelRun) prompt = head != NULL ? make_prompt (self, model, error) : NULL;
  g_autoptr (HlGeneration) generation = NULL;
  g_autoptr (GError) local_error = NULL;
  gsize n_printed = 0;
  guint32 id;

  if (prompt == NULL)
    return FALSE;
  if (self->stop != NULL && hl_model_get_tokenizer (model) == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                   _ ("--stop needs a tokenizer: without one, what is written are numbers"));
      return FALSE;
    }
  cli_note_document (hl_model_run_get_document (prompt));
  generation =
    hl_generation_new (head, hl_model_call_get_input (hl_model_run_get_call (prompt)), &self->options, error);
  if (generation == NULL)
    return FALSE;
  while (hl_generation_next (generation, &id, job->cancellable, &local_error))
    print_new (generation, model, id, &n_printed);
  if (hl_generation_get_n_new (generation) > 0)
    g_print ("\n");
  self->is_silent = hl_generation_get_n_new (generation) > 0 && hl_model_get_tokenizer (model) != NULL &&
                    n_printed == 0;
  self->end = hl_generation_get_end (generation);
  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  return self->output == NULL || save (self, model, generation, job, error);
}

static int
run_generate (char **arguments)
{
  g_auto (Generate) self = { 0 };
  g_auto (GStrv) files = NULL;
  g_autofree char *endings = hl_format_list_endings ();
  g_autofree char *about_output =
    g_strdup_printf (_ ("Also write the attention of the whole text to this file: %s"), endings);
  int max_tokens = DEFAULT_TOKENS;
  double temperature = 0;
  gint64 seed = -1;
  const GOptionEntry entries[] = {
    { "max-tokens", 0, 0, G_OPTION_ARG_INT, &max_tokens, N_ ("How many tokens at most; 50 otherwise"), "N" },
    { "temperature", 0, 0, G_OPTION_ARG_DOUBLE, &temperature,
      N_ ("Draw tokens from softmax (logits / T); the most likely otherwise"), "T" },
    { "seed", 0, 0, G_OPTION_ARG_INT64, &seed, N_ ("What is drawn depends on this number; on 0 otherwise"), "S" },
    { "stop", 0, 0, G_OPTION_ARG_STRING, &self.stop, N_ ("Stop when this text was written"), N_ ("TEXT") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &self.output, about_output, N_ ("FILE") },
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);

  g_option_context_set_summary (context, _ ("Prints how the decoder SOURCE goes on with a text, a token at a time; of "
                                            "an encoder–decoder model, what it makes of the text."));
  cli_model_text_add_unseen_entries (&self.text, context);
  int status = cli_parse_options (context, entries, arguments, &self.text.part, &files);
  if (status == 0)
    status = cli_model_text_parse (&self.text);
  if (status != 0)
    return status;
  if (cli_model_text_is_seen (&self.text))
    return cli_print_misuse (_ ("%s goes on with texts: it takes no --image and no --pixels"), arguments[0]);
  if (cli_model_text_is_empty (&self.text))
    return cli_print_misuse (_ ("%s needs --text or --ids"), arguments[0]);
  if (max_tokens < 1 || max_tokens > HL_LIMIT_GENERATED)
    return cli_print_misuse (_ ("--max-tokens is from 1 to %d"), HL_LIMIT_GENERATED);
  if (!(temperature >= 0))
    return cli_print_misuse (_ ("--temperature is 0 or above"));
  if (seed != -1 && (seed < 0 || temperature == 0))
    return cli_print_misuse (seed < -1 ? _ ("--seed is 0 or above") : _ ("--seed needs --temperature"));
  if (self.output != NULL && (status = cli_check_output (self.output)) != 0)
    return status;
  self.options = (HlGenerationOptions){
    .max_tokens = (guint) max_tokens,
    .temperature = temperature,
    .seed = (guint64) MAX (seed, 0),
    .stop = self.stop,
    .record = self.output != NULL,
  };

  if ((status = cli_check_model (files[0])) != 0)
    return status;
  CliJob job = { .work = generate, .file = files[0], .data = &self };
  status = cli_job_run (&job);
  if (status == 0 && self.end == HL_GENERATION_FULL)
    cli_print_note (_ ("the model takes no longer texts"));
  if (status == 0 && self.is_silent)
    cli_print_note (_ ("the new tokens are special ones, and have no text"));
  return status;
}

const CliCommand cli_generate = {
  "generate",
  N_ ("generate MODEL --text TEXT [--max-tokens N]"),
  N_ ("how a decoder goes on with a text"),
  run_generate,
};
