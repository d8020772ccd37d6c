/* SPDX-License-Identifier: MIT */
/* What models say of a text, layer by layer, against transformers in float64. */
#include "core/base/hl-error.h"
#include "core/predict/hl-streams.h"

#include "test-dumps.h"
#include "test-predictions.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define TOLERANCE 1e-5

/* What is compared of every stream of a pass. */
typedef struct
{
  HlUnembedding *head;
  const double *expected; /* [rows, n, tokens] */
  gsize n;
  gsize n_tokens;
  guint n_layers;
  double worst;
  double largest;
  guint n_seen;
} Comparison;

static void
compare_stream (const HlStream *stream,
                gpointer        data)
{
  Comparison *self = data;
  g_autoptr (GError) error = NULL;

  if (stream->attention != hl_unembedding_get_attention (self->head) ||
      (!stream->final && stream->n_layers == self->n_layers))
    return;
  g_autofree float *states = g_new (float, stream->n_tokens * stream->width);
  g_autofree float *logits = g_new (float, stream->n_tokens * self->n_tokens);
  if (stream->final)
    memcpy (states, stream->states, stream->n_tokens * stream->width * sizeof *states);
  else
    hl_unembedding_norm (self->head, stream->states, stream->n_tokens, states);
  g_assert_true (hl_unembedding_logits (self->head, states, stream->n_tokens, logits, &error));
  g_assert_no_error (error);
  const double *expected = self->expected + stream->n_layers * self->n * self->n_tokens;
  for (gsize i = 0; i < self->n * self->n_tokens; i++)
    {
      self->worst = MAX (self->worst, fabs (logits[i] - expected[i]));
      self->largest = MAX (self->largest, fabs (expected[i]));
    }
  self->n_seen++;
}

static void
test_lens (gconstpointer name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = test_predictions_load (name);
  g_autoptr (HlArchive) reference = test_predictions_open (name);
  g_autoptr (HlUnembedding) head = hl_unembedding_load (model, &error);
  g_auto (TestText) text = { 0 };
  HlShape shape;

  g_assert_no_error (error);
  test_text_read (&text, reference);
  g_autofree double *expected = test_predictions_read (reference, "lens", &shape);
  g_assert_cmpuint (shape.dims[2], ==, hl_unembedding_get_n_tokens (head));
  Comparison comparison = {
    .head = head,
    .expected = expected,
    .n = shape.dims[1],
    .n_tokens = shape.dims[2],
    .n_layers = hl_model_get_n_layers (model, hl_unembedding_get_attention (head)),
  };
  const HlModelHooks hooks = { .stream_func = compare_stream, .data = &comparison };
  g_assert_true (hl_model_forward_with (model, &text.input, &hooks, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (comparison.n_seen, ==, shape.dims[0]);
  g_test_message ("greatest difference %.2g of %.3g", comparison.worst, comparison.largest);
  g_assert_cmpfloat (comparison.worst, <=, TOLERANCE * comparison.largest);
}

/* Ranked candidates against softmax of the reference's logits. */
static void
test_candidates (gconstpointer name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = test_predictions_load (name);
  g_autoptr (HlArchive) reference = test_predictions_open (name);
  g_autoptr (HlUnembedding) head = hl_unembedding_load (model, &error);
  g_auto (TestText) text = { 0 };
  const HlPredictionRequest all = { .n_candidates = 3, .all_layers = TRUE, .position = -1 };
  const HlPredictionRequest one = { .n_candidates = 1000, .position = 4 };
  HlShape shape;

  test_text_read (&text, reference);
  g_autofree double *expected = test_predictions_read (reference, "lens", &shape);
  g_autoptr (HlPrediction) prediction = hl_prediction_new (head, &text.input, &all, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (hl_prediction_get_n_rows (prediction), ==, shape.dims[0]);
  g_assert_cmpuint (hl_prediction_get_n_positions (prediction), ==, shape.dims[1]);
  g_assert_cmpuint (hl_prediction_get_n_candidates (prediction), ==, 3);
  for (guint row = 0; row < shape.dims[0]; row++)
    for (gsize position = 0; position < shape.dims[1]; position++)
      {
        const double *logits = expected + (row * shape.dims[1] + position) * shape.dims[2];
        const HlCandidate *candidates = hl_prediction_get_candidates (prediction, row, position);
        double sum = 0;

        g_assert_cmpuint (hl_prediction_get_n_layers (prediction, row), ==, row);
        for (gsize i = 0; i < shape.dims[2]; i++)
          sum += exp (logits[i]);
        for (guint i = 0; i < 3; i++)
          {
            g_assert_cmpfloat (fabs (candidates[i].probability - exp (logits[candidates[i].id]) / sum), <=, 2e-5);
            g_assert_true (i == 0 || candidates[i].probability <= candidates[i - 1].probability);
          }
      }

  g_autoptr (HlPrediction) single = hl_prediction_new (head, &text.input, &one, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (hl_prediction_get_n_rows (single), ==, 1);
  g_assert_cmpuint (hl_prediction_get_first (single), ==, 4);
  g_assert_cmpuint (hl_prediction_get_n_candidates (single), ==, shape.dims[2]);
  g_assert_cmpuint (hl_prediction_get_n_layers (single, 0), ==, shape.dims[0] - 1);
  /* So does what was kept of one pass. */
  g_autoptr (HlStreams) streams = hl_streams_new (head, &text.input, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (hl_streams_get_n_layers (streams) + 1, ==, shape.dims[0]);
  g_autofree HlCandidate *kept = g_new (HlCandidate, shape.dims[0] * 3);
  g_assert_true (hl_streams_predict (streams, 4, 3, kept, &error));
  for (guint row = 0; row < shape.dims[0]; row++)
    {
      const HlCandidate *row_candidates = hl_prediction_get_candidates (prediction, row, 4);
      g_assert_cmpuint (kept[row * 3].id, ==, row_candidates[0].id);
      g_assert_cmpfloat (fabs (kept[row * 3].probability - row_candidates[0].probability), <=, 1e-5);
    }
  g_assert_false (hl_streams_predict (streams, shape.dims[1], 3, kept, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  test_assert_sentence (error);
  g_clear_error (&error);

  const HlCandidate *candidates = hl_prediction_get_candidates (single, 0, 4);
  double sum = 0;
  for (gsize i = 0; i < shape.dims[2]; i++)
    sum += candidates[i].probability;
  g_assert_cmpfloat (fabs (sum - 1), <=, 1e-12);
  /* The lens's last row is what the model says. */
  g_assert_cmpuint (candidates[0].id, ==,
                    hl_prediction_get_candidates (prediction, (guint) shape.dims[0] - 1, 4)[0].id);
}

/* A row times the state, plus the bias, is the logit: what attribution builds on. */
static void
test_rows (void)
{
  static const char *const names[] = { "llama", "gpt2", "phi", "opt-project", "t5", "bart" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (HlModel) model = test_predictions_load (names[i]);
      g_autoptr (HlUnembedding) head = hl_unembedding_load (model, &error);
      const gsize width = hl_unembedding_get_width (head);
      g_autofree float *state = g_new (float, width);
      g_autofree float *row = g_new (float, width);
      g_autofree float *logits = g_new (float, hl_unembedding_get_n_tokens (head));

      g_assert_no_error (error);
      g_assert_true (hl_unembedding_is_linear (head));
      for (gsize k = 0; k < width; k++)
        state[k] = (float) sin ((double) (k + 1));
      g_assert_true (hl_unembedding_logits (head, state, 1, logits, &error));
      for (guint32 token = 0; token < hl_unembedding_get_n_tokens (head); token += 7)
        {
          float bias;
          double sum;

          g_assert_true (hl_unembedding_read_row (head, token, row, &bias, &error));
          g_assert_no_error (error);
          sum = bias;
          for (gsize k = 0; k < width; k++)
            sum += (double) row[k] * state[k];
          g_assert_cmpfloat (fabs (sum - logits[token]), <=, 1e-5 * MAX (fabs (sum), 1));
        }
      float bias;
      g_assert_false (hl_unembedding_read_row (head, 100000, row, &bias, &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
      test_assert_sentence (error);
    }
}

/* A head with a transform has no row for a token. */
static void
test_transform (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = test_predictions_load ("bert-prefixed");
  g_autoptr (HlUnembedding) head = hl_unembedding_load (model, &error);
  float row[24], bias;

  g_assert_no_error (error);
  g_assert_true (hl_unembedding_is_masked (head));
  g_assert_false (hl_unembedding_is_linear (head));
  g_assert_false (hl_unembedding_read_row (head, 0, row, &bias, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED);
  test_assert_sentence (error);
}

static void
test_no_head (gconstpointer name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = test_predictions_load (name);
  g_autoptr (HlUnembedding) head = hl_unembedding_load (model, &error);

  g_assert_null (head);
  g_assert_error (error, HL_ERROR, HL_ERROR_MISSING);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, strstr (name, "discriminator") ? "discriminator" : "no head"));
  test_assert_sentence (error);
}

static void
test_bad_input (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = test_predictions_load ("gpt2");
  g_autoptr (HlModel) two = test_predictions_load ("t5");
  g_autoptr (HlUnembedding) head = hl_unembedding_load (model, &error);
  g_autoptr (HlUnembedding) two_head = hl_unembedding_load (two, &error);
  g_autofree guint32 *ids = g_new0 (guint32, 40);
  HlModelInput input = { .ids = ids, .n_ids = 3 };
  HlPredictionRequest request = { .n_candidates = 1, .position = 3 };

  g_assert_null (hl_prediction_new (head, &input, &request, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  g_assert_nonnull (strstr (error->message, "position 3: the text has 3 tokens"));
  test_assert_sentence (error);
  g_clear_error (&error);

  request.position = -1;
  g_assert_null (hl_prediction_new (two_head, &input, &request, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  test_assert_sentence (error);
  g_clear_error (&error);

  input.n_ids = 0;
  g_assert_null (hl_prediction_new (head, &input, &request, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  test_assert_sentence (error);
  g_clear_error (&error);

  input.n_ids = 40;
  g_assert_null (hl_prediction_new (head, &input, &request, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  test_assert_sentence (error);
  g_clear_error (&error);

  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  input.n_ids = 3;
  g_assert_null (hl_prediction_new (head, &input, &request, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Logits that exp() of would overflow, equal ones, and such as cannot be. */
static void
test_rank (void)
{
  const float logits[] = { 1000, 1001, -INFINITY, 1001 };
  HlCandidate candidates[4];
  const double sum = 2 + exp (-1);

  g_assert_cmpuint (hl_candidates_rank (logits, 4, 4, candidates), ==, 4);
  g_assert_cmpuint (candidates[0].id, ==, 1);
  g_assert_cmpuint (candidates[1].id, ==, 3);
  g_assert_cmpuint (candidates[2].id, ==, 0);
  g_assert_cmpuint (candidates[3].id, ==, 2);
  g_assert_cmpfloat (fabs (candidates[0].probability - 1 / sum), <=, 1e-15);
  g_assert_cmpfloat (fabs (candidates[2].probability - exp (-1) / sum), <=, 1e-15);
  g_assert_cmpfloat (candidates[3].probability, ==, 0);
  g_assert_cmpuint (hl_candidates_rank (logits, 4, 2, candidates), ==, 2);
  g_assert_cmpuint (candidates[1].id, ==, 3);
}

int
main (int    argc,
      char **argv)
{
  static const char *const without[] = { "bert",
                                         "roberta",
                                         "distilbert",
                                         "modernbert",
                                         "gpt-neox-serial",
                                         "llama-bias",
                                         "electra-discriminator",
                                         "embedding-gemma",
                                         "llama-both-ways" };

  g_test_init (&argc, &argv, NULL);
  test_predictions_add ("/prediction/lens", test_lens);
  test_predictions_add ("/prediction/candidates", test_candidates);
  for (guint i = 0; i < G_N_ELEMENTS (without); i++)
    {
      g_autofree char *test = g_strdup_printf ("/prediction/no-head/%s", without[i]);
      g_test_add_data_func (test, without[i], test_no_head);
    }
  g_test_add_func ("/prediction/rows", test_rows);
  g_test_add_func ("/prediction/transform", test_transform);
  g_test_add_func ("/prediction/bad-input", test_bad_input);
  g_test_add_func ("/prediction/rank", test_rank);
  return g_test_run ();
}
