/* SPDX-License-Identifier: MIT */
/* Texts that models write: against the whole pass, and against transformers. */
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/document/attention/hl-example.h"
#include "core/predict/hl-generation.h"
#include "core/predict/hl-token-decoder.h"

#include "test-dumps.h"
#include "test-predictions.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#define TOLERANCE 1e-5

/* The logits behind the last token of a text, by a pass over all of it. */
static float *
make_logits (HlUnembedding      *head,
             const HlModelInput *input)
{
  HlModel *model = hl_unembedding_get_model (head);
  const HlAttentionKind attention = hl_unembedding_get_attention (head);
  const gboolean two = attention == HL_ATTENTION_DECODER;
  const gsize n = two ? input->n_decoder_ids : input->n_ids;
  g_autoptr (GError) error = NULL;
  g_autofree float *memory = NULL;
  g_autofree float *states = NULL;
  const HlStackRun first = { .ids = input->ids, .n_tokens = input->n_ids, .attention = HL_ATTENTION_ENCODER };
  HlStackRun run = { .ids = two ? input->decoder_ids : input->ids, .n_tokens = n, .attention = attention };
  float *logits = g_new (float, hl_unembedding_get_n_tokens (head));

  if (two)
    g_assert_true (hl_model_run_stack (model, &first, &memory, NULL, &error));
  run.memory = memory;
  run.n_memory = two ? input->n_ids : 0;
  g_assert_true (hl_model_run_stack (model, &run, &states, NULL, &error));
  g_assert_true (hl_unembedding_logits (head, states + (n - 1) * hl_unembedding_get_width (head), 1, logits, &error));
  g_assert_no_error (error);
  return logits;
}

static void
assert_same_logits (HlUnembedding *head,
                    const float   *logits,
                    const float   *expected)
{
  double worst = 0, largest = 0;

  for (gsize i = 0; i < hl_unembedding_get_n_tokens (head); i++)
    {
      worst = MAX (worst, fabs ((double) logits[i] - expected[i]));
      largest = MAX (largest, fabs ((double) expected[i]));
    }
  g_assert_cmpfloat (worst, <=, TOLERANCE * largest);
}

/* The tokens of a text through the layers one by one, then in twos and threes: each step gives what all of it gives. */
static void
compare_steps (HlUnembedding      *head,
               const HlModelInput *input)
{
  HlModel *model = hl_unembedding_get_model (head);
  const HlAttentionKind attention = hl_unembedding_get_attention (head);
  const gboolean two = attention == HL_ATTENTION_DECODER;
  const gsize n = two ? input->n_decoder_ids : input->n_ids;
  const guint32 *ids = two ? input->decoder_ids : input->ids;
  g_autoptr (GError) error = NULL;
  g_autofree float *memory = NULL;
  g_autofree float *logits = g_new (float, hl_unembedding_get_n_tokens (head));
  const HlStackRun first = { .ids = input->ids, .n_tokens = input->n_ids, .attention = HL_ATTENTION_ENCODER };

  if (two)
    g_assert_true (hl_model_run_stack (model, &first, &memory, NULL, &error));
  for (gsize step = 1; step <= 3; step++)
    {
      g_autoptr (HlPast) past = hl_past_new (hl_model_get_stack (model, attention));

      for (gsize at = 0; at + step <= n; at += step)
        {
          const HlStackRun run = {
            .ids = ids + at,
            .n_tokens = step,
            .past = past,
            .memory = memory,
            .n_memory = two ? input->n_ids : 0,
            .attention = attention,
          };
          const HlModelInput part = {
            .ids = input->ids,
            .n_ids = two ? input->n_ids : at + step,
            .decoder_ids = input->decoder_ids,
            .n_decoder_ids = two ? at + step : 0,
          };
          g_autofree float *states = NULL;
          g_autofree float *expected = make_logits (head, &part);

          g_assert_true (hl_model_run_stack (model, &run, &states, NULL, &error));
          g_assert_no_error (error);
          g_assert_cmpuint (hl_past_get_n (past), ==, at + step);
          g_assert_true (
            hl_unembedding_logits (head, states + (step - 1) * hl_unembedding_get_width (head), 1, logits, &error));
          assert_same_logits (head, logits, expected);
        }
    }
}

static HlModelInput
get_prompt (HlUnembedding  *head,
            const TestText *text)
{
  return (HlModelInput){ .ids = text->prompt, .n_ids = text->n_prompt };
}

/* What follows greedily is what transformers writes, and each step's logits are those of the whole text. */
static void
compare_greedy (HlUnembedding  *head,
                const TestText *text)
{
  HlModel *model = hl_unembedding_get_model (head);
  g_autoptr (GError) error = NULL;
  const HlGenerationOptions options = { .max_tokens = 16 };
  gsize n_ids;
  guint32 id;

  const HlModelInput input = get_prompt (head, text);
  g_autoptr (HlGeneration) generation = hl_generation_new (head, &input, &options, &error);
  g_assert_no_error (error);
  while (hl_generation_next (generation, &id, NULL, &error))
    {
      const gboolean two = hl_model_has_decoder (model);
      const guint32 *ids = hl_generation_get_ids (generation, &n_ids);
      const HlModelInput whole = {
        .ids = two ? text->prompt : ids,
        .n_ids = two ? text->n_prompt : n_ids - 1,
        .decoder_ids = two ? ids : NULL,
        .n_decoder_ids = two ? n_ids - 1 : 0,
      };
      g_autofree float *expected = make_logits (head, &whole);
      assert_same_logits (head, hl_generation_get_logits (generation), expected);
      g_assert_cmpuint (ids[n_ids - 1], ==, id);
    }
  g_assert_no_error (error);
  const guint32 *ids = hl_generation_get_ids (generation, &n_ids);
  g_assert_cmpmem (ids, n_ids * sizeof *ids, text->generated, text->n_generated * sizeof *ids);
  g_assert_cmpint (hl_generation_get_end (generation), ==,
                   hl_generation_get_n_new (generation) == 16 ? HL_GENERATION_MAX_TOKENS : HL_GENERATION_ENDED);
}

static void
test_steps (gconstpointer name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = test_predictions_load (name);
  g_autoptr (HlArchive) reference = test_predictions_open (name);
  g_autoptr (HlUnembedding) head = hl_unembedding_load (model, &error);
  g_auto (TestText) text = { 0 };

  g_assert_no_error (error);
  test_text_read (&text, reference);
  if (text.prompt == NULL)
    {
      const HlGenerationOptions options = { .max_tokens = 1 };

      g_assert_null (hl_generation_new (head, &text.input, &options, &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED);
      test_assert_sentence (error);
      return;
    }
  compare_steps (head, &text.input);
  compare_greedy (head, &text);
}

/* Beyond the length of its training all keys of this model are turned otherwise; beyond the window of that one keys are out of sight. */
static void
test_long (gconstpointer name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = test_predictions_load (name);
  g_autoptr (HlUnembedding) head = hl_unembedding_load (model, &error);
  guint32 ids[] = { 7, 3, 11, 5 };
  const HlModelInput input = { .ids = ids, .n_ids = G_N_ELEMENTS (ids) };
  const HlGenerationOptions options = { .max_tokens = 40, .temperature = 5, .seed = 3, .record = TRUE };
  guint32 id;

  g_assert_no_error (error);
  g_autoptr (HlGeneration) generation = hl_generation_new (head, &input, &options, &error);
  g_assert_no_error (error);
  for (guint i = 0; hl_generation_next (generation, &id, NULL, &error); i++)
    {
      gsize n_ids;
      const guint32 *all = hl_generation_get_ids (generation, &n_ids);
      const HlModelInput whole = { .ids = all, .n_ids = n_ids - 1 };
      g_autofree float *expected = make_logits (head, &whole);

      assert_same_logits (head, hl_generation_get_logits (generation), expected);
    }
  g_assert_no_error (error);
  g_assert_cmpuint (hl_generation_get_n_new (generation), >, 6);
}

/* A model that has rules for what it writes: a checkpoint with other files beside its weights. */
static HlModel *
load_with_rules (JsonObject *rules,
                 const char *path)
{
  g_autoptr (GFile) from = test_predictions_get_folder (json_object_get_string_member (rules, "model"));
  g_autoptr (GFile) to = g_file_new_for_path (path);
  g_autoptr (GFile) weights = g_file_get_child (from, "model.safetensors");
  g_autoptr (GFile) weights_copy = g_file_get_child (to, "model.safetensors");
  g_autoptr (GFile) config = g_file_get_child (from, "config.json");
  g_autofree char *config_copy = g_build_filename (path, "config.json", NULL);
  g_autofree char *generation_config = g_build_filename (path, "generation_config.json", NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  JsonObjectIter iter;
  const char *key;
  JsonNode *value;

  g_file_copy (weights, weights_copy, G_FILE_COPY_NONE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  json_parser_load_from_file (parser, g_file_peek_path (config), &error);
  g_assert_no_error (error);
  json_object_iter_init (&iter, json_object_get_object_member (rules, "config"));
  while (json_object_iter_next (&iter, &key, &value))
    json_object_set_member (json_node_get_object (json_parser_get_root (parser)), key, json_node_copy (value));
  g_autofree char *config_text = json_to_string (json_parser_get_root (parser), FALSE);
  g_assert_true (g_file_set_contents (config_copy, config_text, -1, &error));
  g_autofree char *text = json_to_string (json_object_get_member (rules, "generation_config"), FALSE);
  if (!g_str_equal (text, "null"))
    g_assert_true (g_file_set_contents (generation_config, text, -1, &error));
  HlModel *model = hl_model_load (to, &error);
  g_assert_no_error (error);
  return model;
}

/* Models whose tokens see to both sides but where config.json says otherwise. Of one, a masked token changes how words are scaled. */
static void
test_encoder (gconstpointer name)
{
  const guint32 prompt[] = { 7, 32, 11, 5 };
  const HlModelInput input = { .ids = prompt, .n_ids = G_N_ELEMENTS (prompt) };
  const HlGenerationOptions options = { .max_tokens = 6 };
  g_autoptr (GError) error = NULL;
  g_autoptr (TestFolder) path = test_make_folder ();
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *text =
    g_strdup_printf ("{\"model\": \"%s\", \"config\": {\"is_decoder\": true}, \"generation_config\": null}",
                     (const char *) name);
  guint32 id;

  g_assert_true (json_parser_load_from_data (parser, text, -1, &error));
  g_autoptr (HlModel) model = load_with_rules (json_node_get_object (json_parser_get_root (parser)), path);
  g_autoptr (HlUnembedding) head = hl_unembedding_load (model, &error);
  g_assert_no_error (error);
  g_autoptr (HlGeneration) generation = hl_generation_new (head, &input, &options, &error);
  g_assert_no_error (error);
  while (hl_generation_next (generation, &id, NULL, &error))
    {
      gsize n_ids;
      const guint32 *all = hl_generation_get_ids (generation, &n_ids);
      const HlModelInput whole = { .ids = all, .n_ids = n_ids - 1 };
      g_autofree float *expected = make_logits (head, &whole);

      assert_same_logits (head, hl_generation_get_logits (generation), expected);
    }
  g_assert_no_error (error);
  g_assert_cmpuint (hl_generation_get_n_new (generation), >, 1);
}

static GArray *
get_ids (JsonObject *rules,
         const char *name)
{
  JsonArray *array = json_object_get_array_member (rules, name);
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      const guint32 id = (guint32) json_array_get_int_element (array, i);
      g_array_append_val (ids, id);
    }
  return ids;
}

/* What follows greedily is what transformers writes, where the files of the model have rules for it. */
static void
test_rules (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "model", "rule-references.json", NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;

  json_parser_load_from_file (parser, path, &error);
  g_assert_no_error (error);
  JsonArray *cases = json_node_get_array (json_parser_get_root (parser));
  g_assert_cmpuint (json_array_get_length (cases), >, 0);
  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      JsonObject *rules = json_array_get_object_element (cases, i);
      g_autofree char *text = json_to_string (json_array_get_element (cases, i), FALSE);
      g_autoptr (TestFolder) folder = test_make_folder ();
      g_autoptr (HlModel) model = load_with_rules (rules, folder);
      g_autoptr (HlUnembedding) head = hl_unembedding_load (model, &error);
      g_autoptr (GArray) prompt = get_ids (rules, "prompt");
      g_autoptr (GArray) written = get_ids (rules, "written");
      const HlModelInput input = { .ids = (const guint32 *) (const void *) prompt->data, .n_ids = prompt->len };
      const HlGenerationOptions options = { .max_tokens = 12 };
      gsize n_ids;
      guint32 id;

      g_test_message ("%s", text);
      g_autoptr (HlGeneration) generation = hl_generation_new (head, &input, &options, &error);
      g_assert_no_error (error);
      while (hl_generation_next (generation, &id, NULL, &error))
        ;
      g_assert_no_error (error);
      const guint32 *ids = hl_generation_get_ids (generation, &n_ids);
      g_assert_cmpmem (ids, n_ids * sizeof *ids, written->data, written->len * sizeof *ids);
      g_assert_cmpint (hl_generation_get_end (generation), ==,
                       hl_generation_get_n_new (generation) == 12 ? HL_GENERATION_MAX_TOKENS : HL_GENERATION_ENDED);
    }
}

/* Rules that are none, and tokens that the model does not have; of these only one that is to be written is an error. */
static void
test_odd_rules (void)
{
  static const char *const odd[] = {
    "{}",
    "{\"eos_token_id\":null,\"suppress_tokens\":null,\"bad_words_ids\":null,\"forced_bos_token_id\":null,\"min_"
    "length\":null}",
    "{\"eos_token_id\":[60,4294967295,-1,1e300],\"suppress_tokens\":[60,4294967296,-1,\"3\",[3],{}]}",
    "{\"bad_words_ids\":[3,[],[60],[-3],[[3]],[3,4],\"3\"],\"begin_suppress_tokens\":{\"3\":3},\"min_new_tokens\":-1}",
    "{\"forced_bos_token_id\":-1,\"decoder_start_token_id\":[3],\"min_length\":4294967295}",
  };
  static const char head_of_case[] = "{\"model\":\"bart\",\"config\":{},\"generation_config\":";
  guint32 ids[] = { 43, 10, 30 };
  const HlModelInput input = { .ids = ids, .n_ids = G_N_ELEMENTS (ids) };
  const HlGenerationOptions options = { .max_tokens = 3 };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i <= G_N_ELEMENTS (odd); i++)
    {
      g_autofree char *text =
        g_strconcat (head_of_case, i < G_N_ELEMENTS (odd) ? odd[i] : "{\"forced_bos_token_id\":60}", "}", NULL);
      g_autoptr (JsonNode) rules = json_from_string (text, &error);
      g_assert_no_error (error);
      g_autoptr (TestFolder) folder = test_make_folder ();
      g_autoptr (HlModel) model = load_with_rules (json_node_get_object (rules), folder);
      g_autoptr (HlUnembedding) head = hl_unembedding_load (model, &error);
      g_autoptr (HlGeneration) generation = hl_generation_new (head, &input, &options, &error);
      guint32 id;

      if (i == G_N_ELEMENTS (odd))
        break;
      g_assert_no_error (error);
      while (hl_generation_next (generation, &id, NULL, &error))
        ;
      g_assert_no_error (error);
      g_assert_cmpuint (hl_generation_get_n_new (generation), ==, 3);
    }
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  g_assert_true (g_str_has_prefix (error->message, "forced_bos_token_id: "));
  test_assert_sentence (error);
}

/* Rules of another model than that which was loaded. */
static void
test_replaced_rules (void)
{
  guint32 ids[] = { 43, 10, 30 };
  const HlModelInput input = { .ids = ids, .n_ids = G_N_ELEMENTS (ids) };
  const HlGenerationOptions options = { .max_tokens = 3 };
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) rules = json_from_string ("{\"model\":\"bart\",\"config\":{},\"generation_config\":{}}", &error);
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "generation_config.json", NULL);
  g_autoptr (HlModel) model = load_with_rules (json_node_get_object (rules), folder);
  g_autoptr (HlUnembedding) head = hl_unembedding_load (model, &error);

  g_assert_true (g_file_set_contents (path, "{\"suppress_tokens\":[3]}", -1, &error));
  g_assert_no_error (error);
  g_assert_null (hl_generation_new (head, &input, &options, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_IO);
  test_assert_sentence (error);
}

static GArray *
write_some (HlUnembedding *head,
            double         temperature,
            guint64        seed)
{
  guint32 ids[] = { 7, 3, 11, 5 };
  const HlModelInput input = { .ids = ids, .n_ids = G_N_ELEMENTS (ids) };
  const HlGenerationOptions options = { .max_tokens = 20, .temperature = temperature, .seed = seed };
  g_autoptr (GError) error = NULL;
  g_autoptr (HlGeneration) generation = hl_generation_new (head, &input, &options, &error);
  GArray *written = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 id;

  g_assert_no_error (error);
  while (hl_generation_next (generation, &id, NULL, &error))
    g_array_append_val (written, id);
  g_assert_no_error (error);
  return written;
}

static gboolean
are_equal (GArray *a,
           GArray *b)
{
  return a->len == b->len && memcmp (a->data, b->data, a->len * sizeof (guint32)) == 0;
}

/* A seed gives the same text always, another one another; with next to no temperature it is the greedy one. */
static void
test_seed (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = test_predictions_load ("mistral");
  g_autoptr (HlUnembedding) head = hl_unembedding_load (model, &error);
  g_autoptr (GArray) one = write_some (head, 2, 1);
  g_autoptr (GArray) again = write_some (head, 2, 1);
  g_autoptr (GArray) other = write_some (head, 2, 2);
  g_autoptr (GArray) greedy = write_some (head, 0, 0);
  g_autoptr (GArray) cold = write_some (head, 1e-4, 9);

  g_assert_true (are_equal (one, again));
  g_assert_false (are_equal (one, other));
  g_assert_true (are_equal (greedy, cold));
}

/* How often tokens are drawn is what softmax says: of 500 draws of one step. */
static void
test_temperature (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = test_predictions_load ("gpt2");
  g_autoptr (HlUnembedding) head = hl_unembedding_load (model, &error);
  const gsize n_tokens = hl_unembedding_get_n_tokens (head);
  guint32 ids[] = { 7, 3, 11, 5 };
  const HlModelInput input = { .ids = ids, .n_ids = G_N_ELEMENTS (ids) };
  g_autofree float *logits = make_logits (head, &input);
  g_autofree guint *counts = g_new0 (guint, n_tokens);
  double sum = 0;

  for (guint seed = 0; seed < 500; seed++)
    {
      const HlGenerationOptions options = { .max_tokens = 1, .temperature = 3, .seed = seed };
      g_autoptr (HlGeneration) generation = hl_generation_new (head, &input, &options, &error);
      guint32 id;

      g_assert_true (hl_generation_next (generation, &id, NULL, &error));
      counts[id]++;
    }
  for (gsize i = 0; i < n_tokens; i++)
    sum += exp (logits[i] / 3);
  for (gsize i = 0; i < n_tokens; i++)
    {
      const double p = exp (logits[i] / 3) / sum;

      g_assert_cmpfloat (fabs (counts[i] - 500 * p), <=, 5 * sqrt (500 * p * (1 - p)) + 1);
    }
}

/* All numbers of an attention of a document. */
static void
compare_tensors (const HlLayerTensor *a,
                 const HlLayerTensor *b)
{
  const HlShape *shape = hl_tensor_get_shape (a->tensor);
  const guint64 start[HL_LIMIT_RANK] = { 0 };
  g_autoptr (GError) error = NULL;
  guint64 n;

  g_assert_cmpmem (shape->dims, shape->rank * sizeof *shape->dims, hl_tensor_get_shape (b->tensor)->dims,
                   hl_tensor_get_shape (b->tensor)->rank * sizeof *shape->dims);
  g_assert_true (hl_shape_get_n_elements (shape, &n));
  g_autofree float *left = g_new (float, n);
  g_autofree float *right = g_new (float, n);
  g_assert_true (hl_tensor_read_f32 (a->tensor, start, shape->dims, left, NULL, &error));
  g_assert_true (hl_tensor_read_f32 (b->tensor, start, shape->dims, right, NULL, &error));
  g_assert_no_error (error);
  double worst = 0, largest = 0;
  for (guint64 i = 0; i < n; i++)
    {
      worst = MAX (worst, fabs ((double) left[i] - right[i]));
      largest = MAX (largest, fabs ((double) right[i]));
    }
  g_assert_cmpfloat (worst, <=, TOLERANCE * largest);
}

/* A document of what was kept is that of a run on the whole text. */
static void
test_document (gconstpointer name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = test_predictions_load (name);
  g_autoptr (HlArchive) reference = test_predictions_open (name);
  g_autoptr (HlUnembedding) head = hl_unembedding_load (model, &error);
  g_auto (TestText) text = { 0 };
  const HlGenerationOptions options = { .max_tokens = 12, .record = TRUE };
  const gboolean two = hl_model_has_decoder (model);
  guint32 id;

  test_text_read (&text, reference);
  const HlModelInput input = get_prompt (head, &text);
  g_autoptr (HlGeneration) generation = hl_generation_new (head, &input, &options, &error);
  for (guint i = 0; hl_generation_next (generation, &id, NULL, &error); i++)
    {
      gsize n_ids;
      const guint32 *ids = hl_generation_get_ids (generation, &n_ids);
      const HlModelText all = {
        .ids = two ? text.prompt : ids,
        .n_ids = two ? text.n_prompt : n_ids,
        .decoder_ids = two ? ids : NULL,
        .n_decoder_ids = two ? n_ids : 0,
      };

      if (i % 5 != 0)
        continue;
      g_autoptr (HlDocument) document = hl_generation_new_document (generation, "x", &error);
      g_assert_no_error (error);
      g_autoptr (HlModelRun) run = hl_model_run_new (model, &all, &error);
      g_assert_true (hl_model_run_execute (run, NULL, NULL, &error));
      g_autoptr (HlExample) one = hl_document_get_example (document, 0, NULL, NULL);
      g_autoptr (HlExample) other = hl_document_get_example (hl_model_run_get_document (run), 0, NULL, NULL);
      g_assert_cmpuint (hl_example_get_n_attentions (one), ==, two ? 3 : 1);
      for (guint j = 0; j < hl_example_get_n_attentions (one); j++)
        {
          HlAttention *a = hl_example_get_attention (one, j), *b = hl_example_get_attention (other, j);

          g_assert_cmpint (hl_attention_get_kind (a), ==, hl_attention_get_kind (b));
          for (guint layer = 0; layer < hl_attention_get_n_layers (a); layer++)
            {
              compare_tensors (hl_attention_get_projection (a, HL_QUERIES, layer),
                               hl_attention_get_projection (b, HL_QUERIES, layer));
              compare_tensors (hl_attention_get_projection (a, HL_KEYS, layer),
                               hl_attention_get_projection (b, HL_KEYS, layer));
              compare_tensors (hl_attention_get_values (a, layer), hl_attention_get_values (b, layer));
              compare_tensors (hl_attention_get_inputs (a, layer), hl_attention_get_inputs (b, layer));
              /* Behind a norm it is not the inputs. */
              compare_tensors (hl_attention_get_stream (a, layer), hl_attention_get_stream (b, layer));
            }
        }
    }
  g_assert_no_error (error);
}

/* Cancelled in the middle, a text goes on as if it had not been. */
static void
test_cancel (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = test_predictions_load ("llama");
  g_autoptr (HlUnembedding) head = hl_unembedding_load (model, &error);
  guint32 ids[] = { 7, 3, 11, 5 };
  const HlModelInput input = { .ids = ids, .n_ids = G_N_ELEMENTS (ids) };
  const HlGenerationOptions options = { .max_tokens = 4, .record = TRUE };
  g_autoptr (HlGeneration) generation = hl_generation_new (head, &input, &options, &error);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  guint32 first, second;

  g_cancellable_cancel (cancellable);
  g_assert_false (hl_generation_next (generation, &first, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_cmpint (hl_generation_get_end (generation), ==, HL_GENERATION_GOES_ON);
  g_assert_true (hl_generation_next (generation, &first, NULL, &error));
  g_autoptr (GArray) whole = write_some (head, 0, 0);
  g_assert_cmpuint (first, ==, g_array_index (whole, guint32, 0));
  g_assert_true (hl_generation_next (generation, &second, NULL, &error));
  g_assert_cmpuint (second, ==, g_array_index (whole, guint32, 1));
}

/* Where a pass is stopped. */
typedef struct
{
  guint n_layers;
  GCancellable *cancellable;
} Stop;

static void
stop_behind (const HlStream *stream,
             gpointer        data)
{
  const Stop *stop = data;

  if (stream->n_layers == stop->n_layers)
    g_cancellable_cancel (stop->cancellable);
}

/* Cancelled behind any of its layers, a pass that is made again gives what it would have given at first. */
static void
test_stop (gconstpointer name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = test_predictions_load (name);
  g_autoptr (HlUnembedding) head = hl_unembedding_load (model, &error);
  const HlAttentionKind attention = hl_unembedding_get_attention (head);
  const guint n_layers = hl_model_get_n_layers (model, attention);
  g_autofree float *memory = NULL;
  g_autofree float *logits = g_new (float, hl_unembedding_get_n_tokens (head));
  guint32 ids[] = { 7, 3, 11, 5, 9, 4 };
  const gboolean two = attention == HL_ATTENTION_DECODER;
  const HlModelInput input = {
    .ids = ids,
    .n_ids = G_N_ELEMENTS (ids),
    .decoder_ids = two ? ids : NULL,
    .n_decoder_ids = two ? G_N_ELEMENTS (ids) : 0,
  };
  const HlStackRun first = { .ids = ids, .n_tokens = G_N_ELEMENTS (ids), .attention = HL_ATTENTION_ENCODER };
  g_autofree float *expected = make_logits (head, &input);

  g_assert_cmpuint (n_layers, >, 1);
  if (two)
    g_assert_true (hl_model_run_stack (model, &first, &memory, NULL, &error));
  for (guint layer = 1; layer < n_layers; layer++)
    {
      g_autoptr (HlPast) past = hl_past_new (hl_model_get_stack (model, attention));
      HlStackRun run = {
        .past = past,
        .memory = memory,
        .n_memory = two ? G_N_ELEMENTS (ids) : 0,
        .attention = attention,
        .stream_func = stop_behind,
      };

      for (guint at = 0; at < G_N_ELEMENTS (ids); at += 3)
        {
          g_autoptr (GCancellable) cancellable = g_cancellable_new ();
          Stop stop = { layer, cancellable };
          g_autofree float *states = NULL;

          run.ids = ids + at;
          run.n_tokens = 3;
          run.data = &stop;
          g_assert_false (hl_model_run_stack (model, &run, &states, cancellable, &error));
          g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
          g_clear_error (&error);
          g_assert_cmpuint (hl_past_get_n (past), ==, at);
          g_assert_true (hl_model_run_stack (model, &run, &states, NULL, &error));
          g_assert_no_error (error);
          g_assert_true (hl_unembedding_logits (head, states + 2 * hl_unembedding_get_width (head), 1, logits, &error));
        }
      assert_same_logits (head, logits, expected);
    }
}

/* A text as long as the model takes is where it ends; a longer one is refused. */
static void
test_full (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = test_predictions_load ("gpt2");
  g_autoptr (HlUnembedding) head = hl_unembedding_load (model, &error);
  guint32 ids[40];
  HlModelInput input = { .ids = ids, .n_ids = 30 };
  const HlGenerationOptions options = { .max_tokens = 10 };
  const HlGenerationOptions hot = { .max_tokens = 1, .temperature = -1 };
  guint32 id;

  for (guint i = 0; i < 40; i++)
    ids[i] = 3 + i % 20;
  g_autoptr (HlGeneration) generation = hl_generation_new (head, &input, &options, &error);
  while (hl_generation_next (generation, &id, NULL, &error))
    ;
  g_assert_no_error (error);
  g_assert_cmpint (hl_generation_get_end (generation), ==, HL_GENERATION_FULL);
  g_assert_cmpuint (hl_generation_get_n_new (generation), ==, 3);

  /* A document has the last token too. */
  const HlGenerationOptions recorded = { .max_tokens = 10, .record = TRUE };
  g_autoptr (HlGeneration) shown = hl_generation_new (head, &input, &recorded, &error);
  while (hl_generation_next (shown, &id, NULL, &error))
    ;
  g_assert_no_error (error);
  g_assert_cmpint (hl_generation_get_end (shown), ==, HL_GENERATION_FULL);
  g_assert_cmpuint (hl_generation_get_n_new (shown), ==, 2);
  g_autoptr (HlDocument) document = hl_generation_new_document (shown, NULL, &error);
  g_assert_no_error (error);

  input.n_ids = 40;
  g_assert_null (hl_generation_new (head, &input, &options, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  test_assert_sentence (error);
  g_clear_error (&error);

  input.n_ids = 0;
  g_assert_null (hl_generation_new (head, &input, &options, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  test_assert_sentence (error);
  g_clear_error (&error);

  input.n_ids = 3;
  g_assert_null (hl_generation_new (head, &input, &hot, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  test_assert_sentence (error);
}

/* Characters of several tokens wait until they are whole. */
static void
test_decoder (void)
{
  static const char json[] = "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"Ġthe\":0,\"Ġcat\":1,\"Ã\":2,\"¼\":3,\"ber\":4,"
                             "\"<|end|>\":5,\"ĊĠ\":6},\"merges\":[]},"
                             "\"pre_tokenizer\":{\"type\":\"ByteLevel\"}}";
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTokenizer) tokenizer = hl_tokenizer_new_from_json (json, strlen (json), &error);
  g_assert_no_error (error);
  g_autoptr (HlTokenDecoder) decoder = hl_token_decoder_new (tokenizer, FALSE);

  g_assert_cmpstr (hl_token_decoder_get_text (decoder), ==, "");
  hl_token_decoder_append (decoder, 0);
  g_assert_cmpstr (hl_token_decoder_get_text (decoder), ==, " the");
  hl_token_decoder_append (decoder, 2);
  g_assert_cmpstr (hl_token_decoder_get_text (decoder), ==, " the");
  hl_token_decoder_append (decoder, 3);
  hl_token_decoder_append (decoder, 4);
  hl_token_decoder_append (decoder, 5);
  g_assert_cmpstr (hl_token_decoder_get_text (decoder), ==, " theüber");

  g_autofree char *word = hl_token_decoder_dup_label (decoder, 1);
  g_autofree char *special = hl_token_decoder_dup_label (decoder, 5);
  g_autofree char *line = hl_token_decoder_dup_label (decoder, 6);
  g_autofree char *unknown = hl_token_decoder_dup_label (decoder, 77);
  g_assert_cmpstr (word, ==, "cat");
  g_assert_cmpstr (special, ==, "<|end|>");
  g_assert_cmpstr (line, ==, "\n ");
  g_assert_cmpstr (unknown, ==, "77");

  g_autoptr (HlTokenDecoder) beginning = hl_token_decoder_new (tokenizer, TRUE);
  hl_token_decoder_append (beginning, 1);
  hl_token_decoder_append (beginning, 0);
  g_assert_cmpstr (hl_token_decoder_get_text (beginning), ==, "cat the");
}

int
main (int    argc,
      char **argv)
{
  static const char *const documents[] = { "llama", "gemma3", "t5", "bart", "mistral" };
  static const char *const stops[] = { "llama", "bart", "gemma4", "qwen3-next", "qwen35" };
  static const char *const encoders[] = { "bert-untied", "roberta-untied", "xlm-roberta-xl", "esm" };
  static const char *const lengths[] = { "mistral", "gemma2-capped", "gemma3", "llama-dynamic-lm" };

  g_test_init (&argc, &argv, NULL);
  test_predictions_add ("/generation/steps", test_steps);
  for (guint i = 0; i < G_N_ELEMENTS (documents); i++)
    {
      g_autofree char *test = g_strdup_printf ("/generation/document/%s", documents[i]);
      g_test_add_data_func (test, documents[i], test_document);
    }
  for (guint i = 0; i < G_N_ELEMENTS (stops); i++)
    {
      g_autofree char *test = g_strdup_printf ("/generation/stop/%s", stops[i]);
      g_test_add_data_func (test, stops[i], test_stop);
    }
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autofree char *test = g_strdup_printf ("/generation/long/%s", lengths[i]);
      g_test_add_data_func (test, lengths[i], test_long);
    }
  for (guint i = 0; i < G_N_ELEMENTS (encoders); i++)
    {
      g_autofree char *test = g_strdup_printf ("/generation/encoder/%s", encoders[i]);
      g_test_add_data_func (test, encoders[i], test_encoder);
    }
  g_test_add_func ("/generation/rules", test_rules);
  g_test_add_func ("/generation/odd-rules", test_odd_rules);
  g_test_add_func ("/generation/replaced-rules", test_replaced_rules);
  g_test_add_func ("/generation/seed", test_seed);
  g_test_add_func ("/generation/temperature", test_temperature);
  g_test_add_func ("/generation/cancel", test_cancel);
  g_test_add_func ("/generation/full", test_full);
  g_test_add_func ("/generation/decoder", test_decoder);
  return g_test_run ();
}
