/* SPDX-License-Identifier: MIT */
/* Which prediction an experiment is about: --position and --token, the same for all subcommands that have them. */
#include "cli/base/cli-aim.h"

#include "cli/base/cli-text.h"
#include "core/analysis/hl-prediction-aim.h"
#include "core/base/file/hl-file-argument.h"
#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>

void
cli_aim_add_entries (CliAim         *self,
                     GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "position", 0, 0, G_OPTION_ARG_STRING, &self->position,
      N_ ("Where the prediction stands; the last token, or the first that is masked, otherwise"), N_ ("N|WORD") },
    { "token", 0, 0, G_OPTION_ARG_STRING, &self->token, N_ ("Which token is predicted; the most likely otherwise"),
      N_ ("TOKEN") },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

/* An experiment runs a model again. Returns 0, or the exit status for wrong usage, which is said. */
int
cli_aim_check_model (const char *command,
                     const char *file)
{
  g_autoptr (GFile) source = hl_file_new_for_argument (file);

  if (hl_model_is_model (source))
    return 0;
  return cli_print_misuse (_ ("%s runs a model: “%s” is no folder of one"), command, file);
}

static gboolean
find (CliAim  *self,
      GError **error)
{
  g_autoptr (HlExample) example = hl_document_get_example (self->document, 0, NULL, error);
  guint32 token;

  if (example == NULL)
    return FALSE;
  self->unembedding = hl_unembedding_load (hl_model_call_get_model (self->call), error);
  if (self->unembedding == NULL)
    return FALSE;
  HlAttention *attention = hl_prediction_aim_find_attention (self->unembedding, example);
  if (attention == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("without a text for the decoder, the model predicts nothing"));
      return FALSE;
    }
  if (!hl_prediction_aim_find_position (self->unembedding, self->call, attention, self->position, &self->value.position,
                                        error))
    return FALSE;
  self->value.token = HL_ABLATION_TOP;
  if (self->token != NULL)
    {
      if (!hl_prediction_aim_find_token (self->unembedding, self->token, &token, error))
        return FALSE;
      self->value.token = token;
    }
  self->has_value = TRUE;
  return TRUE;
}

/* Makes tokens of the text and finds what is meant among them. That there is no prediction is no error unless one is @needed
 * or asked for. */
gboolean
cli_aim_load (CliAim       *self,
              CliJob       *job,
              CliModelText *text,
              gboolean      needed,
              GError      **error)
{
  g_autoptr (GFile) folder = hl_file_new_for_argument (job->file);
  g_autoptr (GError) reason = NULL;
  g_autoptr (HlModel) model = cli_model_text_load (text, job, error) ? cli_model_part_load (&text->part, folder, error)
                                                                     : NULL;
  g_autoptr (HlModelRun) run = model != NULL ? hl_model_run_new (model, &text->value, error) : NULL;

  if (run == NULL)
    return FALSE;
  self->document = g_object_ref (hl_model_run_get_document (run));
  cli_note_document (self->document);
  self->call = g_object_ref (hl_model_run_get_call (run));
  if (find (self, &reason))
    return TRUE;
  if (needed || self->position != NULL || self->token != NULL || !g_error_matches (reason, HL_ERROR, HL_ERROR_MISSING))
    {
      g_propagate_error (error, g_steal_pointer (&reason));
      return FALSE;
    }
  self->note = g_strdup_printf (_ ("only the change of the final states is told: %s"), reason->message);
  return TRUE;
}

void
cli_aim_clear (CliAim *self)
{
  g_free (self->position);
  g_free (self->token);
  g_free (self->note);
  g_clear_object (&self->unembedding);
  g_clear_object (&self->call);
  g_clear_object (&self->document);
}
