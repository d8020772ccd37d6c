/* SPDX-License-Identifier: MIT */
/* headlight-cli predict: the tokens that a model holds for most likely, at its end or after every layer. */
#include "core/base/file/hl-file-argument.h"
#include "core/base/hl-limits.h"
#include "cli/cli-commands.h"
#include "cli/base/cli-source.h"
#include "cli/base/cli-table.h"
#include "cli/base/cli-text.h"
#include "core/predict/hl-prediction.h"

#include <glib/gi18n-lib.h>

#define DEFAULT_TOP 5

typedef struct
{
  CliModelText text;
  HlPredictionRequest request;
  HlModel *model;
  HlModelRun *run;
  HlPrediction *prediction;
} Predict;

static void
predict_clear (Predict *self)
{
  cli_model_text_clear (&self->text);
  g_clear_object (&self->prediction);
  g_clear_object (&self->run);
  g_clear_object (&self->model);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Predict, predict_clear)

static gboolean
predict (CliJob  *job,
         GError **error)
{
  Predict *self = job->data;
  g_autoptr (GFile) folder = hl_file_new_for_argument (job->file);
  guint32 start;

  self->model = cli_model_text_load (&self->text, job, error) ? cli_model_part_load (&self->text.part, folder, error)
                                                              : NULL;
  if (self->model != NULL && cli_model_text_is_seen (&self->text))
    {
      g_autoptr (HlModel) whole = self->model;
      HlModel *vision = hl_model_require_vision (whole, error);
      self->model = vision != NULL ? g_object_ref (vision) : NULL;
    }
  g_autoptr (HlUnembedding) head = self->model != NULL ? hl_unembedding_load (self->model, error) : NULL;
  if (head == NULL)
    return FALSE;
  HlModelText text = self->text.value;
  /* Without a text for it, a decoder says what it begins with. */
  if (text.target_text == NULL && text.decoder_ids == NULL && hl_model_get_decoder_start (self->model, &start) &&
      hl_model_has_decoder (self->model))
    {
      text.decoder_ids = &start;
      text.n_decoder_ids = 1;
    }
  self->run = hl_model_run_new (self->model, &text, error);
  if (self->run == NULL)
    return FALSE;
  cli_note_document (hl_model_run_get_document (self->run));
  self->prediction = hl_prediction_new (head, hl_model_call_get_input (hl_model_run_get_call (self->run)),
                                        &self->request, job->progress, job->cancellable, error);
  return self->prediction != NULL;
}

/* The tokens of the side that is predicted. */
static HlAttention *
get_attention (Predict *self)
{
  g_autoptr (HlExample) example = hl_document_get_example (hl_model_run_get_document (self->run), 0, NULL, NULL);

  return hl_model_has_decoder (self->model) ? hl_example_find_attention (example, HL_ATTENTION_DECODER)
                                            : hl_example_get_attention (example, 0);
}

static CliTable *
make_table (Predict *self)
{
  HlPrediction *prediction = self->prediction;
  const char *const *tokens = hl_attention_get_tokens (get_attention (self), HL_QUERIES);
  const gsize first = hl_prediction_get_first (prediction);
  CliTable *table = cli_table_new ();

  cli_table_add_column (table, "position", NULL, 8, 0);
  cli_table_add_column (table, "token", NULL, -15, 0);
  cli_table_add_column (table, "layers", NULL, 6, 0);
  cli_table_add_column (table, "rank", NULL, 4, 0);
  cli_table_add_column (table, "probability", NULL, 11, 6);
  cli_table_add_column (table, "id", NULL, 7, 0);
  cli_table_add_column (table, "predicted", NULL, 0, 0);
  for (gsize position = first; position < first + hl_prediction_get_n_positions (prediction); position++)
    for (guint row = 0; row < hl_prediction_get_n_rows (prediction); row++)
      {
        const HlCandidate *candidates = hl_prediction_get_candidates (prediction, row, position);

        for (guint rank = 0; rank < hl_prediction_get_n_candidates (prediction); rank++)
          {
            g_autofree char *name = hl_model_dup_token_name (self->model, candidates[rank].id);

            cli_table_add_integer (table, position);
            cli_table_add_string (table, tokens[position]);
            cli_table_add_integer (table, hl_prediction_get_n_layers (prediction, row));
            cli_table_add_integer (table, rank + 1);
            cli_table_add_real (table, candidates[rank].probability);
            cli_table_add_integer (table, candidates[rank].id);
            cli_table_add_string (table, name);
          }
      }
  return table;
}

static int
run_predict (char **arguments)
{
  g_auto (Predict) self = { 0 };
  g_auto (GStrv) files = NULL;
  g_autofree char *written_format = NULL;
  g_autofree char *layers = NULL;
  int top = DEFAULT_TOP;
  gint64 position = -1;
  const GOptionEntry entries[] = {
    { "layers", 0, 0, G_OPTION_ARG_STRING, &layers,
      N_ (
        "Also what the stream before the first layer and after every layer says (the lens); the model’s end otherwise"),
      "last|all" },
    { "top", 0, 0, G_OPTION_ARG_INT, &top, N_ ("How many tokens, the most likely first; 5 otherwise"), "K" },
    { "position", 0, 0, G_OPTION_ARG_INT64, &position, N_ ("Only this position, from 0; all otherwise"), "N" },
    CLI_FORMAT_ENTRY (&written_format),
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);
  CliFormat format;

  g_option_context_set_summary (context, _ ("Prints the tokens that the model SOURCE holds for most likely at each "
                                            "position of a text: the next, or, of a masked language model, the one "
                                            "that stands there."));
  cli_model_text_add_entries (&self.text, context);
  int status = cli_parse_options (context, entries, arguments, &self.text.part, &files);
  if (status == 0)
    status = cli_format_parse (written_format, &format);
  if (status == 0)
    status = cli_model_text_parse (&self.text);
  if (status != 0)
    return status;
  if (cli_model_text_is_empty (&self.text))
    return cli_print_misuse (_ ("%s needs --text or --ids, or --image or --pixels"), arguments[0]);
  if (layers != NULL && !g_str_equal (layers, "last") && !g_str_equal (layers, "all"))
    return cli_print_misuse (_ ("--layers cannot be “%s”; it is last or all"), layers);
  if (top < 1 || top > HL_LIMIT_PREDICTED)
    return cli_print_misuse (_ ("--top is from 1 to %d"), HL_LIMIT_PREDICTED);
  if (position < -1)
    return cli_print_misuse (_ ("--position is from 0"));
  self.request = (HlPredictionRequest){ (guint) top, g_strcmp0 (layers, "all") == 0, position };

  if ((status = cli_check_model (files[0])) != 0)
    return status;
  CliJob job = { .work = predict, .file = files[0], .data = &self };
  status = cli_job_run (&job);
  if (status != 0)
    return status;
  g_autoptr (CliTable) table = make_table (&self);
  cli_table_print (table, format);
  return 0;
}

const CliCommand cli_predict = {
  "predict",
  N_ ("predict MODEL --text TEXT [--layers all]"),
  N_ ("the tokens that a model holds for likely"),
  run_predict,
};
