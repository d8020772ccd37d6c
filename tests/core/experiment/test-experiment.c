/* SPDX-License-Identifier: MIT */
/* Heads switched off and logits taken apart, against what PyTorch makes of them in float64, and the worked example. */
#include "core/archive/format/hl-format.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/experiment/hl-ablation.h"
#include "core/experiment/hl-attribution.h"

#include "test-dumps.h"

#include <math.h>
#include <string.h>

#define TOLERANCE 1e-5

static const char *const kind_names[] = { "attention", "encoder", "decoder", "cross" };

static GFile *
get_folder (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "model", "checkpoints", name, NULL);

  return g_file_new_for_path (path);
}

static HlModel *
load_model (GFile *folder)
{
  g_autoptr (GError) error = NULL;
  HlModel *model = hl_model_load (folder, &error);

  g_assert_no_error (error);
  return model;
}

/* A dataset as float32; NULL when there is no such. */
static float *
read_numbers (HlArchive  *archive,
              const char *name,
              gsize      *n)
{
  const guint64 start[HL_LIMIT_RANK] = { 0 };
  g_autoptr (GError) error = NULL;
  guint64 size;

  *n = 0;
  if (hl_archive_get_kind (archive, name) != HL_MEMBER_TENSOR)
    return NULL;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, name, &error);
  g_assert_no_error (error);
  g_assert_true (hl_shape_get_n_elements (hl_tensor_get_shape (tensor), &size));
  float *numbers = g_new (float, size);
  g_assert_true (hl_tensor_read_f32 (tensor, start, hl_tensor_get_shape (tensor)->dims, numbers, NULL, &error));
  *n = size;
  return numbers;
}

static double
read_number (HlArchive  *archive,
             const char *name)
{
  gsize n;
  g_autofree float *numbers = read_numbers (archive, name, &n);

  g_assert_cmpuint (n, ==, 1);
  return numbers[0];
}

static guint32 *
read_ids (HlArchive  *archive,
          const char *name,
          gsize      *n)
{
  g_autofree float *numbers = read_numbers (archive, name, n);
  guint32 *ids = numbers != NULL ? g_new (guint32, *n) : NULL;

  for (gsize i = 0; i < *n; i++)
    ids[i] = (guint32) numbers[i];
  return ids;
}

/* The model on the tokens of its reference. */
static HlModelCall *
load_call (const char *name)
{
  g_autoptr (GFile) folder = get_folder (name);
  g_autoptr (GFile) file = g_file_get_child (folder, "reference.h5");
  g_autoptr (HlModel) model = load_model (folder);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlArchive) reference = hl_archive_open (file, NULL, NULL, &error);
  HlModelInput input = { 0 };
  gsize n_segments;

  g_assert_no_error (error);
  g_autofree guint32 *ids = read_ids (reference, "ids", &input.n_ids);
  g_autofree guint32 *segments = read_ids (reference, "segments", &n_segments);
  g_autofree guint32 *decoder_ids = read_ids (reference, "decoder_ids", &input.n_decoder_ids);
  input.ids = ids;
  input.segments = segments;
  input.decoder_ids = decoder_ids;
  return hl_model_call_new (model, &input);
}

static HlArchive *
open_reference (const char *name)
{
  g_autofree char *file_name = g_strconcat (name, ".h5", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "model", "experiments", file_name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  HlArchive *archive = hl_archive_open (file, NULL, NULL, &error);

  g_assert_no_error (error);
  return archive;
}

static HlUnembedding *
load_unembedding (HlModelCall *call)
{
  g_autoptr (GError) error = NULL;
  HlUnembedding *unembedding = hl_unembedding_load (hl_model_call_get_model (call), &error);

  g_assert_no_error (error);
  return unembedding;
}

/* With the aim of the reference, if it has one. */
static HlAblation *
new_ablation (HlModelCall *call,
              HlArchive   *reference)
{
  const gboolean aims = hl_archive_get_kind (reference, "position") == HL_MEMBER_TENSOR;
  g_autoptr (HlUnembedding) unembedding = aims ? load_unembedding (call) : NULL;
  const HlAblationAim aim = { aims ? (gsize) read_number (reference, "position") : 0, HL_ABLATION_TOP };
  g_autoptr (GError) error = NULL;
  HlAblation *ablation = hl_ablation_new (call, unembedding, aims ? &aim : NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (hl_ablation_has_aim (ablation), ==, aims);
  return ablation;
}

/* What is found of heads beside what is expected, number by number. */
typedef struct
{
  const float *expected; /* [heads, 4] */
  gsize n_told;
  double worst[4];
  double largest[4];
} Comparison;

static void
compare_effect (const HlHeadEdit       *edit,
                const HlAblationEffect *effect,
                gpointer                data)
{
  Comparison *self = data;
  const double found[4] = { effect->state_change, effect->divergence, effect->probability, effect->log_change };

  for (guint i = 0; i < G_N_ELEMENTS (found); i++)
    {
      const double expected = self->expected[self->n_told * 4 + i];

      g_assert_cmpint (isnan (found[i]), ==, isnan (expected));
      if (isnan (expected))
        continue;
      self->worst[i] = MAX (self->worst[i], fabs (found[i] - expected));
      self->largest[i] = MAX (self->largest[i], fabs (expected));
    }
  self->n_told++;
}

static void
test_ablation (gconstpointer name)
{
  g_autoptr (HlModelCall) call = load_call (name);
  g_autoptr (HlArchive) reference = open_reference (name);
  g_autoptr (HlAblation) ablation = new_ablation (call, reference);
  Comparison comparison = { 0 };
  guint n_compared = 0;

  if (hl_ablation_has_aim (ablation))
    {
      g_assert_cmpuint (hl_ablation_get_token (ablation), ==, (guint) read_number (reference, "token"));
      g_assert_cmpfloat_with_epsilon (hl_ablation_get_probability (ablation), read_number (reference, "probability"),
                                      1e-5);
    }
  for (HlAttentionKind attention = HL_ATTENTION_SELF; attention <= HL_ATTENTION_CROSS; attention++)
    for (HlHeadEditKind kind = HL_HEAD_ZERO; kind <= HL_HEAD_UNIFORM; kind++)
      {
        g_autofree char *member =
          g_strconcat (kind == HL_HEAD_ZERO ? "zero" : "uniform", "_", kind_names[attention], NULL);
        gsize n, n_edits;
        g_autofree float *expected = read_numbers (reference, member, &n);
        g_autoptr (GError) error = NULL;

        g_assert_cmpint (expected != NULL, ==, hl_model_call_has (call, attention));
        if (expected == NULL)
          continue;
        g_autofree HlHeadEdit *edits = hl_ablation_list_heads (call, attention, kind, &n_edits);
        g_assert_cmpuint (n, ==, 4 * n_edits);
        comparison.expected = expected;
        comparison.n_told = 0;
        g_assert_true (hl_ablation_run (ablation, edits, n_edits, compare_effect, &comparison, NULL, NULL, &error));
        g_assert_no_error (error);
        g_assert_cmpuint (comparison.n_told, ==, n_edits);
        n_compared++;
      }
  /* Of the largest value that a number takes in the model. */
  for (guint i = 0; i < 4; i++)
    {
      g_test_message ("%s: greatest difference %.2g of %.2g", (const char *) name, comparison.worst[i],
                      comparison.largest[i]);
      g_assert_cmpfloat (comparison.worst[i], <=, TOLERANCE * comparison.largest[i]);
    }
  g_assert_cmpuint (n_compared, ==, hl_model_has_decoder (hl_model_call_get_model (call)) ? 6 : 2);
}

/* The logit of the model itself, before a cap. */
static double
get_logit (HlModelCall   *call,
           HlUnembedding *unembedding,
           gsize          position,
           guint32        token)
{
  const HlAblationAim aim = { position, token };
  g_autoptr (GError) error = NULL;
  g_autoptr (HlAblation) ablation = hl_ablation_new (call, unembedding, &aim, NULL, &error);

  g_assert_no_error (error);
  return log (hl_ablation_get_probability (ablation));
}

static double
sum_items (const HlAttribution *attribution)
{
  double sum = 0;

  for (gsize i = 0; i < attribution->n_items; i++)
    sum += attribution->items[i].value;
  return sum;
}

static double
find_expected (HlArchive               *reference,
               const HlAttributionItem *item,
               guint                    n_heads)
{
  g_autofree char *heads = g_strconcat ("heads_", kind_names[item->attention], NULL);
  gsize n;

  if (item->part == HL_ATTRIBUTION_EMBEDDING)
    return read_number (reference, "embedding");
  const gboolean is_head = item->part == HL_ATTRIBUTION_HEAD;
  g_autofree float *numbers = read_numbers (reference, is_head ? heads : "feed_forward", &n);
  const gsize index = is_head ? item->layer * n_heads + item->head : item->layer;
  g_assert_cmpuint (index, <, n);
  return numbers[index];
}

/* Each term is that of PyTorch, and all of them add up to the logit: of one token, and of one against another. */
static void
test_attribution (gconstpointer name)
{
  g_autoptr (HlModelCall) call = load_call (name);
  g_autoptr (HlArchive) reference = open_reference (name);
  g_autoptr (HlUnembedding) unembedding = load_unembedding (call);
  HlModel *model = hl_model_call_get_model (call);
  const gsize position = (gsize) read_number (reference, "position");
  const guint32 token = (guint32) read_number (reference, "token"), other = (guint32) read_number (reference, "other");
  const HlAttentionKind attention = hl_unembedding_get_attention (unembedding);
  const guint n_sublayers = hl_model_has_decoder (model) ? 2 : 1;
  const guint n_heads = hl_model_get_shape (model, attention, 0)->n_heads,
              n_layers = hl_model_get_n_layers (model, attention);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlAttribution)
    against = hl_attribution_compute (call, unembedding, position, HL_ABLATION_TOP, other, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (HlAttribution) alone = hl_attribution_compute (call, unembedding, position, token, -1, NULL, &error);
  g_assert_no_error (error);
  double worst = 0, largest = 0;

  g_assert_cmpuint (against->token, ==, token);
  g_assert_cmpuint (against->n_items, ==, 2 + n_layers * (n_sublayers * n_heads + 1));
  for (gsize i = 0; i < against->n_items - 1; i++)
    {
      const double expected = find_expected (reference, &against->items[i], n_heads);

      worst = MAX (worst, fabs (against->items[i].value - expected));
      largest = MAX (largest, fabs (expected));
    }
  g_test_message ("%s: greatest difference %.2g of %.2g, sum %.2g", (const char *) name, worst, largest,
                  fabs (sum_items (alone) - alone->logit));
  g_assert_cmpfloat (worst, <=, TOLERANCE * largest);
  g_assert_cmpint (against->items[0].part, ==, HL_ATTRIBUTION_EMBEDDING);
  g_assert_cmpint (against->items[against->n_items - 1].part, ==, HL_ATTRIBUTION_BIAS);
  g_assert_cmpfloat (fabs (sum_items (against) - read_number (reference, "logit")), <=, 1e-4);
  g_assert_cmpfloat (fabs (sum_items (against) - against->logit), <=, 1e-4);
  g_assert_cmpfloat (fabs (sum_items (alone) - alone->logit), <=, 1e-4);
  /* Differences of logits are those of log-probabilities. */
  g_assert_cmpfloat (fabs (get_logit (call, unembedding, position, token) -
                           get_logit (call, unembedding, position, other) - against->logit),
                     <=, 1e-4);
  g_assert_cmpint (against->is_frozen, ==, g_str_has_prefix (name, "bert") || g_str_has_prefix (name, "gemma"));
}

/* The sum is the logit in every family that predicts, with what each of them has of its own. */
static void
test_sum (gconstpointer name)
{
  g_autoptr (HlModelCall) call = load_call (name);
  g_autoptr (HlUnembedding) unembedding = load_unembedding (call);

  for (gsize position = 0; position < 11; position += 5)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (HlAttribution) alone = hl_attribution_compute (call, unembedding, position, 9, 5, NULL, &error);
      g_assert_no_error (error);
      const double expected = get_logit (call, unembedding, position, 9) - get_logit (call, unembedding, position, 5);

      g_assert_cmpfloat (fabs (sum_items (alone) - alone->logit), <=, 1e-4);
      if (!alone->is_capped)
        g_assert_cmpfloat (fabs (alone->logit - expected), <=, 1e-4);
    }
}

static void
keep_effect (const HlHeadEdit       *edit,
             const HlAblationEffect *effect,
             gpointer                data)
{
  g_array_append_vals (data, effect, 1);
}

/* Several heads at once: none changes nothing, one is that head alone, and encoder and decoder go together. */
static void
test_together (gconstpointer name)
{
  g_autoptr (HlModelCall) call = load_call (name);
  g_autoptr (HlArchive) reference = open_reference (name);
  g_autoptr (HlAblation) ablation = new_ablation (call, reference);
  const gboolean two = hl_model_has_decoder (hl_model_call_get_model (call));
  g_autoptr (GError) error = NULL;
  HlAblationEffect effect;

  g_assert_true (hl_ablation_run_together (ablation, NULL, 0, &effect, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (effect.state_change, <=, 1e-15);
  g_assert_cmpfloat (effect.divergence, ==, 0);
  g_assert_cmpfloat (effect.log_change, ==, 0);
  g_assert_cmpfloat (effect.probability, ==, hl_ablation_get_probability (ablation));

  const HlHeadEdit edits[3] = {
    { two ? HL_ATTENTION_CROSS : HL_ATTENTION_SELF, 1, 2, HL_HEAD_ZERO },
    { two ? HL_ATTENTION_ENCODER : HL_ATTENTION_SELF, 1, 0, HL_HEAD_UNIFORM },
    { two ? HL_ATTENTION_DECODER : HL_ATTENTION_SELF, 0, 1, HL_HEAD_ZERO },
  };
  g_autoptr (GArray) apart = g_array_new (FALSE, FALSE, sizeof (HlAblationEffect));
  g_assert_true (hl_ablation_run (ablation, edits, G_N_ELEMENTS (edits), keep_effect, apart, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (apart->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      const HlAblationEffect *expected = &g_array_index (apart, HlAblationEffect, i);

      g_assert_true (hl_ablation_run_together (ablation, &edits[i], 1, &effect, NULL, &error));
      g_assert_cmpfloat (fabs (effect.state_change - expected->state_change), <=,
                         1e-6 * expected->state_change + 1e-12);
      g_assert_cmpfloat (fabs (effect.probability - expected->probability), <=, 1e-6);
    }

  g_assert_true (hl_ablation_run_together (ablation, edits, 3, &effect, NULL, &error));
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat (fabs (effect.state_change - g_array_index (apart, HlAblationEffect, i).state_change), >, 1e-4);
}

static void
ignore_effect (const HlHeadEdit       *edit,
               const HlAblationEffect *effect,
               gpointer                data)
{
}

static void
assert_refused (GError    **error,
                int         code,
                const char *part)
{
  g_assert_error (*error, HL_ERROR, code);
  g_test_message ("%s", (*error)->message);
  test_assert_sentence (*error);
  g_assert_nonnull (strstr ((*error)->message, part));
  g_clear_error (error);
}

static void
test_errors (void)
{
  g_autoptr (HlModelCall) call = load_call ("gpt2");
  g_autoptr (HlUnembedding) unembedding = load_unembedding (call);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  const HlAblationAim late = { 23, HL_ABLATION_TOP }, unknown = { 0, 60 };
  const HlHeadEdit layer = { HL_ATTENTION_SELF, 2, 0, HL_HEAD_ZERO }, head = { HL_ATTENTION_SELF, 0, 3, HL_HEAD_ZERO };
  const HlHeadEdit cross = { HL_ATTENTION_CROSS, 0, 0, HL_HEAD_ZERO }, good = { HL_ATTENTION_SELF, 0, 0, HL_HEAD_ZERO };

  g_assert_null (hl_ablation_new (call, unembedding, &late, NULL, &error));
  assert_refused (&error, HL_ERROR_VALUE, "no token 23; the last is 22");
  g_assert_null (hl_ablation_new (call, unembedding, &unknown, NULL, &error));
  assert_refused (&error, HL_ERROR_VALUE, "no token 60; the model predicts 60");
  g_assert_null (hl_attribution_compute (call, unembedding, 23, 0, -1, NULL, &error));
  assert_refused (&error, HL_ERROR_VALUE, "no token 23");
  g_assert_null (hl_attribution_compute (call, unembedding, 0, 0, 60, NULL, &error));
  assert_refused (&error, HL_ERROR_VALUE, "no token 60");

  g_autoptr (HlAblation) ablation = hl_ablation_new (call, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  const HlHeadEdit *const wrong[] = { &layer, &head, &cross };
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_assert_false (hl_ablation_run (ablation, wrong[i], 1, ignore_effect, NULL, NULL, NULL, &error));
      assert_refused (&error, HL_ERROR_VALUE, "has no head");
    }
  g_cancellable_cancel (cancellable);
  g_assert_false (hl_ablation_run (ablation, &good, 1, ignore_effect, NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Without a text for the decoder there is an encoder's change of states, and no prediction. */
static void
test_encoder_only (void)
{
  g_autoptr (GFile) folder = get_folder ("t5");
  g_autoptr (HlModel) model = load_model (folder);
  const guint32 ids[] = { 4, 5, 6, 7 };
  const HlModelInput input = { .ids = ids, .n_ids = G_N_ELEMENTS (ids) };
  g_autoptr (HlModelCall) call = hl_model_call_new (model, &input);
  g_autoptr (HlUnembedding) unembedding = load_unembedding (call);
  g_autoptr (GArray) effects = g_array_new (FALSE, FALSE, sizeof (HlAblationEffect));
  g_autoptr (GError) error = NULL;
  const HlAblationAim aim = { 0, HL_ABLATION_TOP };
  const HlHeadEdit edit = { HL_ATTENTION_ENCODER, 0, 1, HL_HEAD_ZERO };

  g_assert_null (hl_ablation_new (call, unembedding, &aim, NULL, &error));
  assert_refused (&error, HL_ERROR_MISSING, "decoder");
  g_assert_null (hl_attribution_compute (call, unembedding, 0, 0, -1, NULL, &error));
  assert_refused (&error, HL_ERROR_MISSING, "decoder");
  g_autoptr (HlAblation) ablation = hl_ablation_new (call, NULL, NULL, NULL, &error);
  g_assert_true (hl_ablation_run (ablation, &edit, 1, keep_effect, effects, NULL, NULL, &error));
  g_assert_cmpfloat (g_array_index (effects, HlAblationEffect, 0).state_change, >, 1e-3);
  g_assert_true (isnan (g_array_index (effects, HlAblationEffect, 0).probability));
}

/* The example of the definitions: α = I, v = [2, 4], W_O = 1, as the first of two heads of a BERT of two features, whose embeddings are
 * (1, −1) and (−1, 1) behind their norm. */

typedef struct
{
  const char *name;
  gsize n_rows; /* 0 for a vector */
  float numbers[4];
} Weight;

#define LAYER "encoder.layer.0."
static const Weight weights[] = {
  { "embeddings.word_embeddings.weight", 2, { -1, 1, 1, -1 } },
  { "embeddings.position_embeddings.weight", 2, { 0 } },
  { "embeddings.token_type_embeddings.weight", 2, { 0 } },
  { "embeddings.LayerNorm.weight", 0, { 1, 1 } },
  { "embeddings.LayerNorm.bias", 0, { 0 } },
  { LAYER "attention.self.query.weight", 2, { 20, 0, 0, 0 } },
  { LAYER "attention.self.query.bias", 0, { 0 } },
  { LAYER "attention.self.key.weight", 2, { 20, 0, 0, 0 } },
  { LAYER "attention.self.key.bias", 0, { 0 } },
  { LAYER "attention.self.value.weight", 2, { 1, 0, 0, 0 } },
  { LAYER "attention.self.value.bias", 0, { 3, 0 } },
  { LAYER "attention.output.dense.weight", 2, { 1, 0, 0, 1 } },
  { LAYER "attention.output.dense.bias", 0, { 0 } },
  { LAYER "attention.output.LayerNorm.weight", 0, { 1, 1 } },
  { LAYER "attention.output.LayerNorm.bias", 0, { 0 } },
  { LAYER "intermediate.dense.weight", 2, { 0 } },
  { LAYER "intermediate.dense.bias", 0, { 0 } },
  { LAYER "output.dense.weight", 2, { 0 } },
  { LAYER "output.dense.bias", 0, { 0 } },
  { LAYER "output.LayerNorm.weight", 0, { 1, 1 } },
  { LAYER "output.LayerNorm.bias", 0, { 0 } },
};

static const char config[] = "{\"model_type\":\"bert\",\"vocab_size\":2,\"hidden_size\":2,\"num_hidden_layers\":1,"
                             "\"num_attention_heads\":2,\"intermediate_size\":2,\"max_position_embeddings\":2,"
                             "\"type_vocab_size\":2,\"layer_norm_eps\":1e-12,\"hidden_act\":\"gelu\"}";

/* With NaN in place of the numbers of a weight, if one is named. */
static GFile *
write_example (const char *path,
               const char *broken)
{
  static const float no_numbers[4] = { NAN, NAN, NAN, NAN };
  g_autoptr (GString) header = g_string_new ("{");
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree char *config_path = g_build_filename (path, "config.json", NULL);
  g_autofree char *weights_path = g_build_filename (path, "model.safetensors", NULL);
  g_autoptr (GError) error = NULL;
  gsize end = 0;

  for (guint i = 0; i < G_N_ELEMENTS (weights); i++)
    {
      const gsize begin = end;

      end += (weights[i].n_rows > 0 ? 4 : 2) * sizeof (float);
      g_string_append_printf (header, "%s\"%s\":{\"dtype\":\"F32\",\"shape\":[2%s],\"data_offsets\":[%zu,%zu]}",
                              i > 0 ? "," : "", weights[i].name, weights[i].n_rows > 0 ? ",2" : "", begin, end);
    }
  g_string_append_c (header, '}');
  while (header->len % 8 != 0)
    g_string_append_c (header, ' ');
  const guint64 length = GUINT64_TO_LE (header->len);
  g_byte_array_append (bytes, (const guint8 *) &length, sizeof length);
  g_byte_array_append (bytes, (const guint8 *) header->str, (guint) header->len);
  for (guint i = 0; i < G_N_ELEMENTS (weights); i++)
    {
      const float *numbers = g_strcmp0 (weights[i].name, broken) == 0 ? no_numbers : weights[i].numbers;
      g_byte_array_append (bytes, (const guint8 *) numbers, (weights[i].n_rows > 0 ? 4 : 2) * sizeof (float));
    }
  g_assert_true (g_file_set_contents (config_path, config, -1, &error));
  g_assert_true (g_file_set_contents (weights_path, (const char *) bytes->data, bytes->len, &error));
  return g_file_new_for_path (path);
}

static void
keep_result (const HlSublayerResult *result,
             gpointer                data)
{
  float *kept = data;

  if (result->sublayer == HL_SUBLAYER_ATTENTION)
    for (gsize i = 0; i < 2; i++)
      kept[i] = result->result[i * result->width];
}

static void
check_result (HlModel          *model,
              const HlHeadEdit *edit,
              float             first,
              float             second)
{
  const guint32 ids[] = { 0, 1 };
  const HlModelInput input = { .ids = ids, .n_ids = 2 };
  float kept[2];
  const HlModelHooks hooks = { .sublayer_func = keep_result, .data = kept, .edits = edit, .n_edits = edit != NULL };
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_model_forward_with (model, &input, &hooks, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (kept[0], first, 1e-6);
  g_assert_cmpfloat_with_epsilon (kept[1], second, 1e-6);
}

static void
test_example (void)
{
  g_autofree char *path = test_make_folder ();
  g_autoptr (GFile) folder = write_example (path, NULL);
  g_autoptr (HlModel) model = load_model (folder);
  const HlHeadEdit uniform = { HL_ATTENTION_SELF, 0, 0, HL_HEAD_UNIFORM },
                   zero = { HL_ATTENTION_SELF, 0, 0, HL_HEAD_ZERO };

  check_result (model, NULL, 2, 4);
  check_result (model, &uniform, 3, 3);
  check_result (model, &zero, 0, 0);
  test_remove_folder (path);
}

/* Where a model comes to nothing that is a number, no head is said to be without effect. */
static void
test_not_a_number (void)
{
  static const guint32 ids[] = { 0, 1 };
  const HlModelInput input = { .ids = ids, .n_ids = 2 };
  g_autofree char *path = test_make_folder ();
  g_autoptr (GFile) folder = write_example (path, LAYER "output.LayerNorm.weight");
  g_autoptr (HlModel) model = load_model (folder);
  g_autoptr (HlModelCall) call = hl_model_call_new (model, &input);
  g_autoptr (GError) error = NULL;

  g_assert_null (hl_ablation_new (call, NULL, NULL, NULL, &error));
  assert_refused (&error, HL_ERROR_VALUE, "NaN");
  test_remove_folder (path);
}

/* A decoder with fewer layers than the encoder. */
static void
test_short_decoder (void)
{
  static const guint32 ids[] = { 3, 14, 15 }, decoder_ids[] = { 0, 9 };
  const HlModelInput input = { .ids = ids, .n_ids = 3, .decoder_ids = decoder_ids, .n_decoder_ids = 2 };
  g_autoptr (TestFolder) path = test_make_folder ();
  g_autoptr (GFile) from = get_folder ("t5");
  g_autofree char *config_path = g_build_filename (g_file_peek_path (from), "config.json", NULL);
  g_autofree char *short_path = g_build_filename (path, "config.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GFile) numbers = g_file_get_child (from, "model.safetensors");
  g_autoptr (GFile) copy = g_file_get_child (folder, "model.safetensors");
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_copy (numbers, copy, G_FILE_COPY_NONE, NULL, NULL, NULL, NULL));
  g_assert_true (g_file_get_contents (config_path, &text, NULL, NULL));
  g_autoptr (GString) changed = g_string_new (text);
  g_assert_cmpuint (g_string_replace (changed, "\"num_decoder_layers\": 2", "\"num_decoder_layers\": 1", 0), ==, 1);
  g_assert_true (g_file_set_contents (short_path, changed->str, -1, NULL));

  g_autoptr (HlModel) model = load_model (folder);
  g_autoptr (HlModelCall) call = hl_model_call_new (model, &input);
  g_autoptr (HlUnembedding) unembedding = load_unembedding (call);
  g_assert_cmpuint (hl_model_get_n_layers (model, HL_ATTENTION_ENCODER), ==, 2);
  g_assert_cmpuint (hl_model_get_n_layers (model, HL_ATTENTION_DECODER), ==, 1);
  g_autoptr (HlAttribution) alone = hl_attribution_compute (call, unembedding, 1, 9, -1, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (fabs (sum_items (alone) - alone->logit), <=, 1e-4);
}

int
main (int   argc,
      char *argv[])
{
  static const char *const references[] = { "bert", "bert-prefixed", "gpt2", "llama", "gemma3", "gemma3-bias", "t5" };
  static const char *const families[] = { "bart",           "xlm-roberta", "marian", "gemma2",       "gpt-neox",
                                          "modernbert-old", "opt",         "phi",    "qwen3",        "qwen2-moe",
                                          "gpt-oss",        "deepseek-v3", "gemma4", "gemma4-dense", "llama4",
                                          "qwen35-moe",     "olmo2-bias" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (references); i++)
    {
      g_autofree char *ablation = g_strconcat ("/experiment/ablation/", references[i], NULL);
      g_autofree char *attribution = g_strconcat ("/experiment/attribution/", references[i], NULL);
      g_autofree char *together = g_strconcat ("/experiment/together/", references[i], NULL);

      g_test_add_data_func (ablation, references[i], test_ablation);
      if (!g_str_equal (references[i], "bert"))
        {
          g_test_add_data_func (attribution, references[i], test_attribution);
          g_test_add_data_func (together, references[i], test_together);
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    {
      g_autofree char *sum = g_strconcat ("/experiment/sum/", families[i], NULL);
      g_test_add_data_func (sum, families[i], test_sum);
    }
  g_test_add_func ("/experiment/errors", test_errors);
  g_test_add_func ("/experiment/encoder-only", test_encoder_only);
  g_test_add_func ("/experiment/example", test_example);
  g_test_add_func ("/experiment/not-a-number", test_not_a_number);
  g_test_add_func ("/experiment/short-decoder", test_short_decoder);
  return g_test_run ();
}
