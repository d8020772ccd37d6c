/* SPDX-License-Identifier: MIT */
/* Queries, keys, values and results of tiny models are the products that the steps say they are: X · W + b, normalised and rotated where
 * that is said. */
#include "core/model/hl-model-run.h"
#include "core/source/make/hl-source-factory.h"
#include "core/source/save/hl-dump-writer.h"
#include "core/source/steps/hl-head-steps.h"

#include "test-dumps.h"

#include <math.h>

#define TOLERANCE 1e-5

static const guint32 ids[] = { 1, 5, 9, 3, 7, 2 };
static const guint32 decoder_ids[] = { 0, 4, 6 };

static HlDocument *
run_checkpoint (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "model", "checkpoints", name, NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = hl_model_load (folder, &error);

  g_assert_no_error (error);
  HlModelText text = { .ids = ids, .n_ids = G_N_ELEMENTS (ids) };
  if (hl_model_has_decoder (model))
    {
      text.decoder_ids = decoder_ids;
      text.n_decoder_ids = G_N_ELEMENTS (decoder_ids);
    }
  g_autoptr (HlModelRun) run = hl_model_run_new (model, &text, &error);
  g_assert_no_error (error);
  g_assert_true (hl_model_run_execute (run, NULL, NULL, &error));
  return g_object_ref (hl_model_run_get_document (run));
}

/* The same, written to a file with all that it has and read again. */
static HlDocument *
reopen (HlDocument *document,
        const char *file_name)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, file_name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  hl_dump_writer_save (document, HL_DUMP_STORE_ALL, NULL, NULL, file, NULL, NULL, &error);
  g_assert_no_error (error);
  HlDocument *read = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (HlExample) example = hl_document_get_example (read, 0, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < hl_example_get_checks (example)->len; i++)
    g_assert_cmpint (hl_check_get_severity (hl_example_get_checks (example)->pdata[i]), ==, HL_SEVERITY_INFO);
  test_remove_folder (folder);
  return read;
}

/* The sums of a row, with their bias. */
static double *
add_up (const HlHeadSteps *steps,
        HlStep             step,
        gsize              row,
        gsize              n)
{
  double *totals = g_new0 (double, n);

  for (gsize column = 0; column < n; column++)
    {
      HlStepSum sum;

      g_assert_true (hl_head_steps_get_sum (steps, step, row, column, &sum));
      totals[column] = sum.bias;
      for (gsize i = 0; i < sum.n; i++)
        totals[column] += sum.terms[i];
      g_free (sum.terms);
    }
  return totals;
}

static double
get_size (const double *numbers,
          gsize         n)
{
  double size = 0;

  for (gsize i = 0; i < n; i++)
    size += numbers[i] * numbers[i];
  return sqrt (size);
}

/* Of what is rotated the first token stays as it is, and others keep their length. Of what is normalised too, the first token is the product
 * over its length times the same weights for all heads: @weights are NaN until they are known. */
static void
check_row (const HlHeadSteps *steps,
           HlStep             step,
           gsize              row,
           HlFinish           finish,
           double            *weights)
{
  const gsize n = hl_head_steps_get_n_columns (steps, step);
  g_autofree float *numbers = g_new (float, n);
  g_autofree double *found = g_new (double, n);
  g_autofree double *totals = add_up (steps, step, row, n);

  g_assert_true (hl_head_steps_get_row (steps, step, row, numbers, NULL));
  for (gsize i = 0; i < n; i++)
    found[i] = numbers[i];
  const double size = get_size (found, n);
  g_assert_cmpfloat (size, >, 0);
  if (finish == HL_FINISH_NONE || (finish == HL_FINISH_ROTARY && row == 0))
    for (gsize i = 0; i < n; i++)
      g_assert_cmpfloat_with_epsilon (found[i], totals[i], TOLERANCE * MAX (size, 1));
  else if (finish == HL_FINISH_ROTARY)
    g_assert_cmpfloat_with_epsilon (size, get_size (totals, n), TOLERANCE * MAX (size, 1));
  else if (row == 0)
    for (gsize i = 0; i < n; i++)
      {
        const double weight = found[i] / (totals[i] * sqrt (n) / get_size (totals, n));
        if (isnan (weights[i]))
          weights[i] = weight;
        g_assert_cmpfloat_with_epsilon (weight, weights[i], 1e-3 * MAX (fabs (weight), 1));
      }
}

static void
check_step (const HlHeadSteps *steps,
            HlStep             step,
            HlFinish           finish,
            double            *weights)
{
  HlStepSum sum;

  for (gsize row = 0; row < hl_head_steps_get_n_rows (steps, step); row++)
    {
      /* Cross attention takes keys and values from what is not known here. */
      if (!hl_head_steps_find_factors (steps, step, row, &sum))
        {
          g_assert_cmpint (hl_attention_get_kind (steps->attention), ==, HL_ATTENTION_CROSS);
          continue;
        }
      check_row (steps, step, row, finish, weights);
    }
}

static void
check_products (HlDocument *document,
                const char *name)
{
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
  const gboolean is_gemma = g_str_equal (name, "gemma3"), is_llama = g_str_equal (name, "llama");
  const HlFinish wanted = (is_gemma ? HL_FINISH_NORM : 0) | (is_gemma || is_llama ? HL_FINISH_ROTARY : 0);
  const HlFinish of_result = is_gemma ? HL_FINISH_RESULT_NORM : HL_FINISH_NONE;

  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    {
      HlAttention *attention = hl_example_get_attention (example, i);

      for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
        {
          g_assert_cmpint (hl_attention_get_finish (attention, layer), ==, wanted | of_result);
          const gsize n_features =
            hl_layer_tensor_get_n_columns (hl_attention_get_projection (attention, HL_QUERIES, layer));
          g_autofree double *query_weights = g_new (double, n_features);
          g_autofree double *key_weights = g_new (double, n_features);

          for (gsize k = 0; k < n_features; k++)
            query_weights[k] = key_weights[k] = NAN;
          for (guint head = 0; head < hl_attention_get_n_heads (attention, layer); head++)
            {
              g_autoptr (HlHeadSteps) steps = hl_head_steps_new (attention, layer, head, 1, TRUE);
              g_autoptr (GError) error = NULL;

              g_assert_true (hl_head_steps_read (steps, NULL, NULL, &error));
              g_assert_true (hl_head_steps_has (steps, HL_STEP_QUERY_WEIGHTS));
              g_assert_true (hl_head_steps_has (steps, HL_STEP_RESULT));
              check_step (steps, HL_STEP_QUERIES, wanted, query_weights);
              check_step (steps, HL_STEP_KEYS, wanted, key_weights);
              check_step (steps, HL_STEP_VALUES, HL_FINISH_NONE, NULL);
              check_step (steps, HL_STEP_OUTPUT, HL_FINISH_NONE, NULL);
              check_step (steps, HL_STEP_RESULT, HL_FINISH_NONE, NULL);
            }
        }
    }
}

static void
test_products (gconstpointer name)
{
  g_autoptr (HlDocument) document = run_checkpoint (name);

  check_products (document, name);
}

/* The last scores that are shown make the weights that are shown, and those are the head's. */
static void
test_scores (gconstpointer name)
{
  g_autoptr (HlDocument) document = run_checkpoint (name);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
  HlAttention *attention = hl_example_get_attention (example, 0);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  const gsize n = hl_attention_get_n (attention, HL_KEYS);
  g_autofree float *scores = g_new (float, n);
  g_autofree float *weights = g_new (float, n);
  g_autofree float *expected = g_new (float, n);
  double worst = 0;

  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    for (guint head = 0; head < hl_attention_get_n_heads (attention, layer); head++)
      {
        g_autoptr (HlHeadSteps) steps = hl_head_steps_new (attention, layer, head, 1, TRUE);
        g_autoptr (GError) error = NULL;

        g_assert_true (hl_head_steps_read (steps, NULL, NULL, &error));
        g_assert_true (hl_head_steps_has (steps, HL_STEP_BIASED));
        for (gsize query = 0; query < hl_attention_get_n (attention, HL_QUERIES); query++)
          {
            const HlAttentionRequest request = { .layer = layer,
                                                 .head = head,
                                                 .first_query = query,
                                                 .n_queries = 1,
                                                 .n_keys = n,
                                                 .n_rows = 1,
                                                 .n_columns = n };
            double sum = 0;

            g_assert_true (hl_attention_source_read (source, &request, expected, NULL, &error));
            g_assert_true (hl_head_steps_get_row (steps, HL_STEP_BIASED, query, scores, &error));
            g_assert_true (hl_head_steps_get_row (steps, HL_STEP_WEIGHTS, query, weights, &error));
            for (gsize key = 0; key < n; key++)
              sum += exp (scores[key]);
            for (gsize key = 0; key < n; key++)
              {
                worst = MAX (worst, fabs (exp (scores[key]) / sum - expected[key]));
                worst = MAX (worst, fabs ((double) weights[key] - expected[key]));
              }
          }
      }
  g_test_message ("%s: within %g", (const char *) name, worst);
  g_assert_cmpfloat (worst, <=, 1e-5);
}

/* A dump that holds what its queries, keys and values are made of tells the same, whatever the container. */
static void
test_dumped (gconstpointer name)
{
  g_autoptr (HlDocument) document = run_checkpoint (name);
  g_autoptr (HlDocument) dump = reopen (document, "dump.h5");
  g_autoptr (HlDocument) json = reopen (dump, "dump.json");

  check_products (dump, name);
  check_products (json, name);
}

int
main (int    argc,
      char **argv)
{
  static const char *const names[] = { "bert", "gpt2", "llama", "gemma3", "t5", "deberta-v3" };
  static const char *const with_distances[] = { "t5", "mpnet", "deberta-v3", "deberta-v2-parts", "deberta-v2-keys" };
  static const char *const with_one_rule[] = { "bert", "llama", "opt" };

  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_strconcat ("/model-steps/", names[i], NULL);
      g_test_add_data_func (path, names[i], test_products);
    }
  for (guint i = 0; i < G_N_ELEMENTS (with_distances); i++)
    {
      g_autofree char *path = g_strconcat ("/model-steps/scores/", with_distances[i], NULL);
      g_test_add_data_func (path, with_distances[i], test_scores);
    }
  for (guint i = 0; i < G_N_ELEMENTS (with_one_rule); i++)
    {
      g_autofree char *path = g_strconcat ("/model-steps/dumped/", with_one_rule[i], NULL);
      g_test_add_data_func (path, with_one_rule[i], test_dumped);
    }
  return g_test_run ();
}
