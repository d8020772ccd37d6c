/* SPDX-License-Identifier: MIT */
/* Runs of models as documents: their numbers against references, who waits for them, what goes in and what can be wrong with that. */
#include "core/archive/format/hl-format.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/tensor/hl-pending-tensor.h"
#include "core/model/hl-model-run.h"
#include "core/source/hl-attention-source.h"
#include "core/source/make/hl-source-factory.h"
#include "core/source/save/hl-dump-writer.h"

#include "test-dumps.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define TOLERANCE 1e-5

/* A vocabulary for the tiny models, whose tables have 60 rows. */
static const char vocabulary[] = "[PAD]\n[UNK]\n[CLS]\n[SEP]\ntime\nflies\nlike\nan\narrow\nfruit\na\nbanana\n";

static GFile *
get_checkpoint (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "model", "checkpoints", name, NULL);

  return g_file_new_for_path (path);
}

static HlModel *
load_checkpoint (const char *name)
{
  g_autoptr (GFile) folder = get_checkpoint (name);
  g_autoptr (GError) error = NULL;
  HlModel *model = hl_model_load (folder, &error);

  g_assert_no_error (error);
  return model;
}

/* A copy of a tiny model with a tokenizer. */
static HlModel *
load_with_vocabulary (const char *name,
                      const char *words,
                      char      **path)
{
  static const char *const names[] = { "config.json", "model.safetensors" };
  g_autoptr (GFile) from = get_checkpoint (name);
  g_autoptr (GError) error = NULL;

  *path = test_make_folder ();
  g_autoptr (GFile) to = g_file_new_for_path (*path);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) source = g_file_get_child (from, names[i]);
      g_autoptr (GFile) target = g_file_get_child (to, names[i]);
      g_file_copy (source, target, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &error);
      g_assert_no_error (error);
    }
  g_autofree char *vocab = g_build_filename (*path, "vocab.txt", NULL);
  g_assert_true (g_file_set_contents (vocab, words, -1, NULL));
  g_assert_true (hl_model_is_model (to));
  HlModel *model = hl_model_load (to, &error);
  g_assert_no_error (error);
  g_assert_nonnull (hl_model_get_tokenizer (model));
  return model;
}

static HlExample *
get_example (HlModelRun *run)
{
  return hl_document_get_example (hl_model_run_get_document (run), 0, NULL, NULL);
}

static gboolean
is_said (HlExample  *example,
         const char *text)
{
  GPtrArray *checks = hl_example_get_checks (example);

  for (guint i = 0; i < checks->len; i++)
    if (strstr (hl_check_get_message (g_ptr_array_index (checks, i)), text) != NULL)
      return TRUE;
  return FALSE;
}

static gpointer
execute (gpointer data)
{
  HlModelRun *run = data;
  GError *error = NULL;

  /* Readers are there first. */
  g_usleep (20000);
  hl_model_run_execute (run, NULL, NULL, &error);
  g_object_unref (run);
  return error;
}

static float *
read_numbers (HlArchive  *archive,
              const char *name,
              HlShape    *shape)
{
  const guint64 start[HL_LIMIT_RANK] = { 0 };
  g_autoptr (GError) error = NULL;
  guint64 n;

  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, name, &error);
  g_assert_no_error (error);
  *shape = *hl_tensor_get_shape (tensor);
  g_assert_true (hl_shape_get_n_elements (shape, &n));
  float *numbers = g_new (float, n);
  g_assert_true (hl_tensor_read_f32 (tensor, start, shape->dims, numbers, NULL, &error));
  return numbers;
}

static guint32 *
read_ids (HlArchive  *archive,
          const char *name,
          gsize      *n)
{
  HlShape shape;

  *n = 0;
  if (hl_archive_get_kind (archive, name) != HL_MEMBER_TENSOR)
    return NULL;
  g_autofree float *numbers = read_numbers (archive, name, &shape);
  guint32 *ids = g_new (guint32, shape.dims[0]);
  *n = shape.dims[0];
  for (gsize i = 0; i < *n; i++)
    ids[i] = (guint32) numbers[i];
  return ids;
}

/* All maps of an attention, asked for before they are there, the last layer first. */
static double
compare_attention (HlAttention *attention,
                   HlArchive   *reference)
{
  static const char *const names[] = { "attention", "encoder_attention", "decoder_attention", "cross_attention" };
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  HlShape shape;
  g_autofree float *expected = read_numbers (reference, names[hl_attention_get_kind (attention)], &shape);
  double worst = 0;

  g_assert_cmpuint (shape.dims[0], ==, hl_attention_get_n_layers (attention));
  g_assert_cmpuint (shape.dims[1], ==, hl_attention_get_max_heads (attention));
  g_assert_cmpuint (shape.dims[2], ==, hl_attention_get_n (attention, HL_QUERIES));
  g_assert_cmpuint (shape.dims[3], ==, hl_attention_get_n (attention, HL_KEYS));
  const gsize n = shape.dims[2] * shape.dims[3];
  for (guint layer = (guint) shape.dims[0]; layer-- > 0;)
    for (guint head = 0; head < hl_attention_get_n_heads (attention, layer); head++)
      {
        g_autoptr (GError) error = NULL;
        g_autofree float *map = hl_attention_source_read_head (source, layer, head, NULL, &error);
        g_assert_no_error (error);
        for (gsize i = 0; i < n; i++)
          worst = MAX (worst, fabs ((double) map[i] - expected[(layer * shape.dims[1] + head) * n + i]));
      }
  return worst;
}

static void
test_family (gconstpointer name)
{
  g_autoptr (HlModel) model = load_checkpoint (name);
  g_autoptr (GFile) folder = get_checkpoint (name);
  g_autoptr (GFile) file = g_file_get_child (folder, "reference.h5");
  g_autoptr (GError) error = NULL;
  g_autoptr (HlArchive) reference = hl_archive_open (file, NULL, NULL, &error);
  HlModelText text = { 0 };
  gsize n_segments;

  g_assert_no_error (error);
  g_autofree guint32 *ids = read_ids (reference, "ids", &text.n_ids);
  g_autofree guint32 *decoder_ids = read_ids (reference, "decoder_ids", &text.n_decoder_ids);
  g_autofree guint32 *segments = read_ids (reference, "segments", &n_segments);
  if (segments != NULL)
    {
      g_test_skip ("the reference has two segments, which token numbers alone do not tell");
      return;
    }
  text.ids = ids;
  text.decoder_ids = decoder_ids;
  g_autoptr (HlModelRun) run = hl_model_run_new (model, &text, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (hl_document_get_container (hl_model_run_get_document (run)), ==, "model");
  g_assert_cmpstr (hl_document_get_model (hl_model_run_get_document (run)), ==, name);
  g_autoptr (HlExample) example = get_example (run);
  g_assert_cmpuint (hl_example_get_n_attentions (example), ==, decoder_ids != NULL ? 3 : 1);

  GThread *thread = g_thread_new ("run", execute, g_object_ref (run));
  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    g_assert_cmpfloat (compare_attention (hl_example_get_attention (example, i), reference), <=, TOLERANCE);
  g_assert_null (g_thread_join (thread));
}

static HlModelRun *
start_run (HlModel       *model,
           const guint32 *ids,
           gsize          n,
           const guint32 *decoder_ids,
           gsize          n_decoder)
{
  const HlModelText text = { .ids = ids, .n_ids = n, .decoder_ids = decoder_ids, .n_decoder_ids = n_decoder };
  g_autoptr (GError) error = NULL;
  HlModelRun *run = hl_model_run_new (model, &text, &error);

  g_assert_no_error (error);
  return run;
}

/* Of few rows and of many, products add up in another order: some 16 units in the last place where layers pass a state on, as Qwen 3.5 does. */
#define SAME 2e-6

static void
compare_tensors (const HlLayerTensor *a,
                 const HlLayerTensor *b)
{
  const guint64 start[HL_LIMIT_RANK] = { 0 };
  const HlShape *shape = hl_tensor_get_shape (a->tensor);
  g_autoptr (GError) error = NULL;
  double largest = 0;
  guint64 n;

  g_assert_cmpmem (shape->dims, shape->rank * sizeof *shape->dims, hl_tensor_get_shape (b->tensor)->dims,
                   hl_tensor_get_shape (b->tensor)->rank * sizeof *shape->dims);
  g_assert_true (hl_shape_get_n_elements (shape, &n));
  g_autofree float *own = g_new (float, n), *other = g_new (float, n);
  g_assert_true (hl_tensor_read_f32 (a->tensor, start, shape->dims, own, NULL, &error));
  g_assert_true (hl_tensor_read_f32 (b->tensor, start, shape->dims, other, NULL, &error));
  for (guint64 i = 0; i < n; i++)
    largest = MAX (largest, fabs ((double) own[i]));
  for (guint64 i = 0; i < n; i++)
    g_assert_cmpfloat (fabs ((double) own[i] - other[i]), <=, SAME * largest);
}

static void
compare_runs (HlModelRun *a,
              HlModelRun *b)
{
  g_autoptr (HlExample) own = get_example (a), other = get_example (b);

  g_assert_cmpuint (hl_example_get_n_attentions (own), ==, hl_example_get_n_attentions (other));
  for (guint i = 0; i < hl_example_get_n_attentions (own); i++)
    {
      HlAttention *x = hl_example_get_attention (own, i), *y = hl_example_get_attention (other, i);

      for (guint layer = 0; layer < hl_attention_get_n_layers (x); layer++)
        {
          for (HlSide side = 0; side <= HL_KEYS; side++)
            compare_tensors (hl_attention_get_projection (x, side, layer),
                             hl_attention_get_projection (y, side, layer));
          compare_tensors (hl_attention_get_values (x, layer), hl_attention_get_values (y, layer));
          compare_tensors (hl_attention_get_inputs (x, layer), hl_attention_get_inputs (y, layer));
          compare_tensors (hl_attention_get_stream (x, layer), hl_attention_get_stream (y, layer));
        }
    }
}

/* Texts of different lengths, some without anything for the decoder, are what each is alone. */
static void
test_together (gconstpointer name)
{
  const guint32 ids[] = { 5, 9, 33, 7, 12, 40, 3, 28, 19, 8, 11, 21 };
  const gsize lengths[] = { 6, 1, 9, 4 }, targets[] = { 3, 0, 5, 1 };
  g_autoptr (HlModel) model = load_checkpoint (name);
  g_autoptr (GPtrArray) together = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      const gsize n_target = hl_model_has_decoder (model) ? targets[i] : 0;
      const guint32 *target = n_target > 0 ? ids + 2 : NULL;

      g_ptr_array_add (together, start_run (model, ids + i, lengths[i], target, n_target));
    }
  g_assert_true (hl_model_run_execute_together ((HlModelRun **) together->pdata, together->len, NULL, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < together->len; i++)
    {
      const HlModelInput *input = hl_model_call_get_input (hl_model_run_get_call (together->pdata[i]));
      g_autoptr (HlModelRun)
        alone = start_run (model, input->ids, input->n_ids, input->decoder_ids, input->n_decoder_ids);

      g_assert_true (hl_model_run_execute (alone, NULL, NULL, &error));
      compare_runs (alone, together->pdata[i]);
    }
}

/* Whoever waits for any of the texts is told that it will not come. */
static void
test_together_given_up (void)
{
  const guint32 ids[] = { 5, 9, 33, 7 };
  g_autoptr (HlModel) model = load_checkpoint ("bert");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  HlModelRun *runs[] = { start_run (model, ids, 4, NULL, 0), start_run (model, ids, 2, NULL, 0) };
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (hl_model_run_execute_together (runs, 2, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (HlExample) example = get_example (runs[i]);
      g_autoptr (HlAttentionSource) source = hl_attention_make_source (hl_example_get_attention (example, 0));
      g_autoptr (GError) said = NULL;

      g_assert_null (hl_attention_source_read_head (source, 0, 0, NULL, &said));
      g_assert_error (said, HL_ERROR, HL_ERROR_NOT_COMPUTED);
      g_object_unref (runs[i]);
    }
}

/* What a linear layer of a file makes of a row. */
static void
apply_linear (HlArchive   *weights,
              const char  *name,
              const float *row,
              float       *target)
{
  HlShape shape, bias_shape;
  g_autofree char *weight_name = g_strconcat (name, ".weight", NULL);
  g_autofree char *bias_name = g_strconcat (name, ".bias", NULL);
  g_autofree float *weight = read_numbers (weights, weight_name, &shape);
  g_autofree float *bias = read_numbers (weights, bias_name, &bias_shape);

  for (gsize i = 0; i < shape.dims[0]; i++)
    {
      double sum = bias[i];
      for (gsize j = 0; j < shape.dims[1]; j++)
        sum += (double) weight[i * shape.dims[1] + j] * row[j];
      target[i] = (float) sum;
    }
}

/* Queries and values follow from the inputs by the weights in the file. */
static void
test_inputs (void)
{
  const guint32 ids[] = { 5, 9, 33, 7 };
  const HlModelText text = { .ids = ids, .n_ids = G_N_ELEMENTS (ids) };
  g_autoptr (HlModel) model = load_checkpoint ("bert");
  g_autoptr (GFile) folder = get_checkpoint ("bert");
  g_autoptr (GFile) file = g_file_get_child (folder, "model.safetensors");
  g_autoptr (GError) error = NULL;
  g_autoptr (HlArchive) weights = hl_archive_open (file, NULL, NULL, &error);
  g_autoptr (HlModelRun) run = hl_model_run_new (model, &text, &error);

  g_assert_no_error (error);
  g_assert_true (hl_model_run_execute (run, NULL, NULL, &error));
  g_autoptr (HlExample) example = get_example (run);
  HlAttention *attention = hl_example_get_attention (example, 0);
  for (guint layer = 0; layer < 2; layer++)
    for (guint token = 0; token < text.n_ids; token++)
      {
        float input[24], found[8], expected[24];

        g_assert_cmpuint (hl_layer_tensor_get_n_columns (hl_attention_get_inputs (attention, layer)), ==, 24);
        g_assert_true (
          hl_layer_tensor_read (hl_attention_get_inputs (attention, layer), 0, token, 1, 0, 24, input, NULL, &error));
        for (guint which = 0; which < 3; which++)
          {
            static const char *const parts[] = { "query", "key", "value" };
            const HlLayerTensor *const tensors[] = { hl_attention_get_projection (attention, HL_QUERIES, layer),
                                                     hl_attention_get_projection (attention, HL_KEYS, layer),
                                                     hl_attention_get_values (attention, layer) };
            g_autofree char *name = g_strdup_printf ("encoder.layer.%u.attention.self.%s", layer, parts[which]);

            apply_linear (weights, name, input, expected);
            for (guint head = 0; head < 3; head++)
              {
                g_assert_true (hl_layer_tensor_read (tensors[which], head, token, 1, 0, 8, found, NULL, &error));
                for (guint i = 0; i < 8; i++)
                  g_assert_cmpfloat_with_epsilon (found[i], expected[head * 8 + i], 1e-4);
              }
          }
      }
}

/* The rows of the output projection, however they are stored. */
static void
test_output_rows (void)
{
  static const struct
  {
    const char *model;
    const char *tensor;
    HlAttentionKind attention;
    guint layer;
    gboolean transposed;
  } cases[] = {
    { "bert", "encoder.layer.1.attention.output.dense.weight", HL_ATTENTION_SELF, 1, FALSE },
    { "gpt2", "transformer.h.1.attn.c_proj.weight", HL_ATTENTION_SELF, 1, TRUE },
    { "llama", "model.layers.1.self_attn.o_proj.weight", HL_ATTENTION_SELF, 1, FALSE },
    { "albert", "encoder.albert_layer_groups.1.albert_layers.0.attention.dense.weight", HL_ATTENTION_SELF, 3, FALSE },
    { "bart", "model.decoder.layers.1.encoder_attn.out_proj.weight", HL_ATTENTION_CROSS, 1, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HlModel) model = load_checkpoint (cases[i].model);
      g_autoptr (GFile) folder = get_checkpoint (cases[i].model);
      g_autoptr (GFile) file = g_file_get_child (folder, "model.safetensors");
      g_autoptr (GError) error = NULL;
      g_autoptr (HlArchive) weights = hl_archive_open (file, NULL, NULL, &error);
      HlShape shape;
      g_autofree float *all = read_numbers (weights, cases[i].tensor, &shape);
      const gsize size = hl_model_get_shape (model, cases[i].attention, 0)->value_size,
                  width = hl_model_get_width (model, cases[i].attention);
      const guint32 ids[] = { 5, 7, 11 };
      const HlModelText text = { .ids = ids,
                                 .n_ids = 3,
                                 .decoder_ids = hl_model_has_decoder (model) ? ids : NULL,
                                 .n_decoder_ids = hl_model_has_decoder (model) ? 2 : 0 };
      g_autofree float *rows = g_new (float, size *width);

      g_autoptr (HlModelRun) run = hl_model_run_new (model, &text, &error);
      g_assert_no_error (error);
      g_autoptr (HlExample) example = get_example (run);
      const HlLayerTensor *output =
        hl_attention_get_output (hl_example_find_attention (example, cases[i].attention), cases[i].layer);
      g_assert_cmpuint (hl_layer_tensor_get_n_heads (output), ==,
                        hl_model_get_shape (model, cases[i].attention, 0)->n_heads);
      g_assert_cmpuint (hl_layer_tensor_get_n_rows (output), ==, size);
      g_assert_cmpuint (hl_layer_tensor_get_n_columns (output), ==, width);
      g_assert_true (hl_layer_tensor_read (output, 1, 0, size, 0, width, rows, NULL, &error));
      for (gsize row = 0; row < size; row++)
        for (gsize column = 0; column < width; column++)
          g_assert_cmpfloat (rows[row * width + column], ==,
                             cases[i].transposed ? all[(size + row) * width + column]
                                                 : all[column * shape.dims[1] + size + row]);
      /* Some features of some rows. */
      g_assert_true (hl_layer_tensor_read (output, 1, 2, 3, 1, 5, rows, NULL, &error));
      for (gsize row = 0; row < 3; row++)
        for (gsize column = 0; column < 5; column++)
          g_assert_cmpfloat (rows[row * 5 + column], ==,
                             cases[i].transposed ? all[(size + row + 2) * width + column + 1]
                                                 : all[(column + 1) * shape.dims[1] + size + row + 2]);
    }
}

/* What the result of attention is added to: of BERT what queries are made of, elsewhere that before its norm. */
static void
test_stream (void)
{
  static const struct
  {
    const char *model;
    HlAttentionKind attention;
    gboolean has_norm_before;
  } cases[] = {
    { "bert", HL_ATTENTION_SELF, FALSE },  { "gpt2", HL_ATTENTION_SELF, TRUE },
    { "gemma3", HL_ATTENTION_SELF, TRUE }, { "bart", HL_ATTENTION_DECODER, FALSE },
    { "t5", HL_ATTENTION_ENCODER, TRUE },
  };
  const guint32 ids[] = { 5, 7, 11 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HlModel) model = load_checkpoint (cases[i].model);
      const HlModelText text = { .ids = ids,
                                 .n_ids = 3,
                                 .decoder_ids = hl_model_has_decoder (model) ? ids : NULL,
                                 .n_decoder_ids = hl_model_has_decoder (model) ? 2 : 0 };
      g_autoptr (GError) error = NULL;
      g_autoptr (HlModelRun) run = hl_model_run_new (model, &text, &error);
      g_assert_no_error (error);
      g_autoptr (HlExample) example = get_example (run);
      HlAttention *attention = hl_example_find_attention (example, cases[i].attention);
      const HlLayerTensor *inputs = hl_attention_get_inputs (attention, 1);
      const HlLayerTensor *stream = hl_attention_get_stream (attention, 1);
      const gsize width = hl_layer_tensor_get_n_columns (inputs);
      g_autofree float *a = g_new (float, width);
      g_autofree float *b = g_new (float, width);

      g_assert_true (hl_model_run_execute (run, NULL, NULL, &error));
      g_assert_cmpuint (hl_layer_tensor_get_n_columns (stream), ==, width);
      g_assert_true (hl_layer_tensor_read (inputs, 0, 1, 1, 0, width, a, NULL, &error));
      g_assert_true (hl_layer_tensor_read (stream, 0, 1, 1, 0, width, b, NULL, &error));
      g_assert_cmpint (memcmp (a, b, width * sizeof *a) != 0, ==, cases[i].has_norm_before);
      g_assert_cmpint (hl_attention_get_output_norm (attention) == NULL, ==, cases[i].has_norm_before);
    }
}

static void
test_text (void)
{
  g_autofree char *path = NULL;
  g_autoptr (HlModel) model = load_with_vocabulary ("bert", vocabulary, &path);
  g_autoptr (GError) error = NULL;
  const HlModelText text = { .text = "Time flies like an arrow", .text_pair = "fruit flies like a banana" };
  static const char *const tokens[] = { "[CLS]", "time",  "flies", "like", "an",     "arrow", "[SEP]",
                                        "fruit", "flies", "like",  "a",    "banana", "[SEP]", NULL };

  g_autoptr (HlModelRun) run = hl_model_run_new (model, &text, &error);
  g_assert_no_error (error);
  g_autoptr (HlExample) example = get_example (run);
  HlAttention *attention = hl_example_get_attention (example, 0);
  g_assert_true (g_strv_equal (hl_attention_get_tokens (attention, HL_QUERIES), tokens));
  g_assert_cmpuint (hl_attention_get_sentence_b_start (attention), ==, 7);
  g_assert_cmpstr (hl_example_get_text (example), ==, text.text);
  g_assert_cmpstr (hl_example_get_text_pair (example), ==, text.text_pair);
  g_assert_cmpuint (hl_example_get_checks (example)->len, ==, 0);
  test_remove_folder (path);
}

/* A text over the model's length is cut, which is said; token numbers over it are an error. */
static void
test_length (void)
{
  g_autofree char *path = NULL;
  g_autoptr (HlModel) model = load_with_vocabulary ("bert", vocabulary, &path);
  g_autoptr (GString) words = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  const guint32 ids[33] = { 0 };

  for (guint i = 0; i < 50; i++)
    g_string_append (words, "time ");
  g_autoptr (HlModelRun) run = hl_model_run_new (model, &(HlModelText){ .text = words->str }, &error);
  g_assert_no_error (error);
  g_autoptr (HlExample) example = get_example (run);
  g_assert_cmpuint (hl_attention_get_n (hl_example_get_attention (example, 0), HL_QUERIES), ==, 32);
  g_assert_true (is_said (example, "at most 32 tokens: 20 tokens of the text are left out"));

  g_assert_null (hl_model_run_new (model, &(HlModelText){ .ids = ids, .n_ids = G_N_ELEMENTS (ids) }, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  test_assert_sentence (error);
  g_clear_error (&error);

  /* More than any machine has; the numbers are not looked at. */
  g_assert_null (hl_model_run_new (model, &(HlModelText){ .ids = ids, .n_ids = G_MAXSSIZE }, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "of memory"));
  test_assert_sentence (error);
  test_remove_folder (path);
}

/* A tokenizer of another model, or none. */
static void
test_tokenizer (void)
{
  g_autofree char *path = NULL;
  g_autoptr (GString) words = g_string_new ("[PAD]\n[UNK]\n[CLS]\n[SEP]\n");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 80; i++)
    g_string_append_printf (words, "word%u\n", i);
  g_autoptr (HlModel) model = load_with_vocabulary ("bert", words->str, &path);
  g_assert_null (hl_model_run_new (model, &(HlModelText){ .text = "word3 word70" }, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  g_assert_nonnull (strstr (error->message, "token 74 is none of the 60"));
  test_assert_sentence (error);
  g_clear_error (&error);
  test_remove_folder (path);

  g_autoptr (HlModel) bare = load_checkpoint ("bert");
  g_assert_null (hl_model_get_tokenizer (bare));
  g_assert_null (hl_model_run_new (bare, &(HlModelText){ .text = "time" }, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_MISSING);
  g_assert_nonnull (strstr (error->message, "tokenizer.json"));
  test_assert_sentence (error);
  g_clear_error (&error);
  g_assert_null (hl_model_run_new (bare, &(HlModelText){ 0 }, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  g_clear_error (&error);

  /* Token numbers need none; they stand for themselves then. */
  const guint32 ids[] = { 7, 8 };
  g_autoptr (HlModelRun) run = hl_model_run_new (bare, &(HlModelText){ .ids = ids, .n_ids = 2 }, &error);
  g_autoptr (HlExample) example = get_example (run);
  g_assert_cmpstr (hl_attention_get_tokens (hl_example_get_attention (example, 0), HL_QUERIES)[1], ==, "8");
}

/* The decoder sees its text one place later, behind its first token. */
static void
test_target (void)
{
  g_autofree char *path = NULL;
  g_autoptr (HlModel) model = load_with_vocabulary ("bart", vocabulary, &path);
  g_autoptr (HlModel) encoder_only = load_checkpoint ("bert");
  g_autoptr (GError) error = NULL;
  static const char *const tokens[] = { "[CLS]", "[CLS]", "time", "flies", NULL };
  const guint32 ids[] = { 7, 8 };

  g_autoptr (HlModelRun)
    run = hl_model_run_new (model, &(HlModelText){ .text = "a banana", .target_text = "time flies" }, &error);
  g_assert_no_error (error);
  g_autoptr (HlExample) example = get_example (run);
  HlAttention *cross = hl_example_find_attention (example, HL_ATTENTION_CROSS);
  g_assert_true (g_strv_equal (hl_attention_get_tokens (cross, HL_QUERIES), tokens));
  g_assert_cmpstr (hl_attention_get_tokens (cross, HL_KEYS)[2], ==, "banana");
  g_assert_true (hl_attention_get_rule (hl_example_find_attention (example, HL_ATTENTION_DECODER), 0)->mask.causal);
  g_assert_false (hl_attention_get_rule (cross, 0)->mask.causal);

  g_autoptr (HlModelRun) half = hl_model_run_new (model, &(HlModelText){ .text = "a banana" }, &error);
  g_assert_no_error (error);
  g_autoptr (HlExample) half_example = get_example (half);
  g_assert_cmpuint (hl_example_get_n_attentions (half_example), ==, 1);
  g_assert_true (is_said (half_example, "no text for the decoder"));

  g_assert_null (
    hl_model_run_new (encoder_only, &(HlModelText){ .ids = ids, .n_ids = 2, .target_text = "time" }, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  g_assert_nonnull (strstr (error->message, "no decoder"));
  test_remove_folder (path);
}

static gpointer
read_last_layer (gpointer data)
{
  g_autoptr (HlExample) example = data;
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (hl_example_get_attention (example, 0));
  GError *error = NULL;

  g_free (hl_attention_source_read_head (source, 1, 0, NULL, &error));
  return error;
}

/* Those who wait are told when nothing will come: the run is dropped, is cancelled, or fails. It is not they who cancelled. */
static void
test_given_up (void)
{
  const guint32 ids[] = { 7, 8 };
  const HlModelText text = { .ids = ids, .n_ids = 2 };
  g_autoptr (HlModel) model = load_checkpoint ("bert");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;
      HlModelRun *run = hl_model_run_new (model, &text, NULL);
      GThread *thread = g_thread_new ("reader", read_last_layer, get_example (run));

      g_usleep (20000);
      if (i == 1)
        {
          g_cancellable_cancel (cancellable);
          g_assert_false (hl_model_run_execute (run, NULL, cancellable, &error));
          g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
        }
      g_object_unref (run);
      g_autoptr (GError) told = g_thread_join (thread);
      g_assert_error (told, HL_ERROR, HL_ERROR_NOT_COMPUTED);
      g_assert_cmpstr (told->message, ==, "layer 1 was not computed");
    }
}

/* Nor is a part of it saved. */
static void
test_given_up_saved (void)
{
  const guint32 ids[] = { 7, 8 };
  g_autoptr (HlModel) model = load_checkpoint ("bert");
  HlModelRun *run = start_run (model, ids, 2, NULL, 0);
  g_autoptr (HlDocument) document = g_object_ref (hl_model_run_get_document (run));
  g_autofree char *path = test_make_folder ();
  g_autoptr (GFile) target = g_file_new_build_filename (path, "saved.h5", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_object_unref (run);
  g_assert_false (
    hl_dump_writer_save (document, HL_DUMP_STORE_ATTENTION, NULL, NULL, target, NULL, cancellable, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_NOT_COMPUTED);
  g_assert_cmpstr (error->message, ==, "layer 0 was not computed");
  g_assert_false (g_file_query_exists (target, NULL));
  test_remove_folder (path);
}

static void
test_nan (void)
{
  const guint32 ids[] = { 7, 8 };
  static const char name[] = "\"encoder.layer.1.attention.self.query.weight\":{";
  g_autofree char *path = NULL;
  g_autoptr (HlModel) unused = load_with_vocabulary ("bert", vocabulary, &path);
  g_autofree char *file = g_build_filename (path, "model.safetensors", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = NULL;
  guint64 length;
  gsize size;

  g_assert_true (g_file_get_contents (file, &bytes, &size, NULL));
  memcpy (&length, bytes, sizeof length);
  length = GUINT64_FROM_LE (length);
  const char *offsets = strstr (g_strstr_len (bytes + 8, (gssize) length, name), "\"data_offsets\":[");
  memcpy (bytes + 8 + length + g_ascii_strtoull (strchr (offsets, '[') + 1, NULL, 10), &(float){ NAN }, sizeof (float));
  g_assert_true (g_file_set_contents (file, bytes, (gssize) size, NULL));

  g_autoptr (HlModel) model = hl_model_load (folder, &error);
  g_assert_no_error (error);
  g_autoptr (HlModelRun) run = hl_model_run_new (model, &(HlModelText){ .ids = ids, .n_ids = 2 }, NULL);
  GThread *thread = g_thread_new ("reader", read_last_layer, get_example (run));
  g_assert_false (hl_model_run_execute (run, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  g_assert_nonnull (strstr (error->message, "“encoder.layer.1.attention.self.query.weight”"));
  g_autoptr (GError) told = g_thread_join (thread);
  g_assert_cmpstr (told->message, ==, error->message);

  /* The first layer is good and stays. */
  g_autoptr (HlExample) example = get_example (run);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (hl_example_get_attention (example, 0));
  g_autofree float *map = hl_attention_source_read_head (source, 0, 0, NULL, NULL);
  g_assert_nonnull (map);
  test_remove_folder (path);
}

/* What a small file has, zeros all of it: [rows, columns], or [rows] with no columns. */
typedef struct
{
  const char *name;
  guint64 n_rows;
  guint64 n_columns;
} Zeros;

/* A model of two bytes a number. The file has a hole where they are. */
static HlModel *
load_zeros (const char  *path,
            const char  *config,
            const Zeros *tensors,
            guint        n_tensors,
            GError     **error)
{
  g_autofree char *config_file = g_build_filename (path, "config.json", NULL);
  g_autofree char *file = g_build_filename (path, "model.safetensors", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GString) header = g_string_new ("{");
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint64 end = 0;

  for (guint i = 0; i < n_tensors; i++)
    {
      const Zeros *zeros = &tensors[i];
      g_autofree char *columns = zeros->n_columns > 0 ? g_strdup_printf (",%" G_GUINT64_FORMAT, zeros->n_columns)
                                                      : g_strdup ("");
      const guint64 size = 2 * zeros->n_rows * MAX (zeros->n_columns, 1);

      g_string_append_printf (header,
                              "%s\"%s\":{\"dtype\":\"F16\",\"shape\":[%" G_GUINT64_FORMAT
                              "%s],\"data_offsets\":[%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT "]}",
                              i > 0 ? "," : "", zeros->name, zeros->n_rows, columns, end, end + size);
      end += size;
    }
  g_string_append_c (header, '}');
  const guint64 length = GUINT64_TO_LE (header->len);
  g_byte_array_append (bytes, (const guint8 *) &length, sizeof length);
  g_byte_array_append (bytes, (const guint8 *) header->str, (guint) header->len);
  g_assert_true (g_file_set_contents (config_file, config, -1, NULL));
  g_assert_true (g_file_set_contents (file, (const char *) bytes->data, bytes->len, NULL));
  g_assert_cmpint (truncate (file, (off_t) (bytes->len + end)), ==, 0);
  return hl_model_load (folder, error);
}

/* How many tables there are is not believed before they are found: 4096 of them would take 137 GB. */
static void
test_many_tables (void)
{
  static const char config[] = "{\"model_type\":\"umt5\",\"d_model\":8,\"num_layers\":4096,\"num_heads\":16,\"d_kv\":2,"
                               "\"d_ff\":8,\"vocab_size\":4,\"relative_attention_num_buckets\":524288,"
                               "\"relative_attention_max_distance\":268435456,\"decoder_start_token_id\":0}";
  static const Zeros tensors[] = {
    { "shared.weight", 4, 8 },
    { "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 1 << 19, 16 },
  };
  g_autofree char *path = test_make_folder ();
  g_autoptr (GError) error = NULL;

  g_assert_null (load_zeros (path, config, tensors, G_N_ELEMENTS (tensors), &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_MISSING);
  g_assert_nonnull (strstr (error->message, "block.1.layer.0.SelfAttention.relative_attention_bias"));
  test_remove_folder (path);
}

/* What is between two products of a pass counts, and not only what of it is shown: a terabyte here. */
static void
test_wide (void)
{
  static const char config[] = "{\"model_type\":\"llama\",\"hidden_size\":1,\"num_hidden_layers\":1,"
                               "\"num_attention_heads\":1,\"num_key_value_heads\":1,\"head_dim\":2,"
                               "\"intermediate_size\":1048576,\"vocab_size\":4,\"max_position_embeddings\":131072}";
  static const Zeros tensors[] = {
    { "model.embed_tokens.weight", 4, 1 },
    { "model.norm.weight", 1, 0 },
    { "model.layers.0.input_layernorm.weight", 1, 0 },
    { "model.layers.0.post_attention_layernorm.weight", 1, 0 },
    { "model.layers.0.self_attn.q_proj.weight", 2, 1 },
    { "model.layers.0.self_attn.k_proj.weight", 2, 1 },
    { "model.layers.0.self_attn.v_proj.weight", 2, 1 },
    { "model.layers.0.self_attn.o_proj.weight", 1, 2 },
    { "model.layers.0.mlp.gate_proj.weight", 1 << 20, 1 },
    { "model.layers.0.mlp.up_proj.weight", 1 << 20, 1 },
    { "model.layers.0.mlp.down_proj.weight", 1, 1 << 20 },
  };
  const gsize n = 131072;
  g_autofree guint32 *ids = g_new0 (guint32, n);
  g_autofree char *path = test_make_folder ();
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = load_zeros (path, config, tensors, G_N_ELEMENTS (tensors), &error);
  g_assert_no_error (error);

  g_autoptr (HlModelRun) run = hl_model_run_new (model, &(HlModelText){ .ids = ids, .n_ids = n }, &error);
  g_assert_no_error (error);
  g_assert_false (hl_model_run_execute (run, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  test_remove_folder (path);
}

static gpointer
cancel_later (gpointer data)
{
  g_usleep (20000);
  g_cancellable_cancel (data);
  return NULL;
}

static gpointer
fill_later (gpointer data)
{
  const float numbers[] = { 1, 2, 3, 4, 5, 6 };

  g_usleep (20000);
  hl_pending_tensor_fill (data, numbers, NULL);
  return NULL;
}

static void
test_pending (void)
{
  const HlShape shape = { 2, { 2, 3 } };
  const guint64 start[] = { 1, 1 }, count[] = { 1, 2 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (HlPendingTensor) tensor = hl_pending_tensor_new (&shape, NULL);
  g_autoptr (HlPendingTensor) failed = hl_pending_tensor_new (&shape, NULL);
  g_autoptr (GError) reason = g_error_new_literal (HL_ERROR, HL_ERROR_VALUE, "no reason");
  g_autoptr (GError) error = NULL;
  float numbers[2];

  /* The reader gives up, the tensor does not. */
  GThread *thread = g_thread_new ("cancel", cancel_later, cancellable);
  g_assert_false (hl_tensor_read_f32 (HL_TENSOR (tensor), start, count, numbers, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_thread_join (thread);
  g_assert_false (hl_tensor_read_f32 (HL_TENSOR (tensor), start, count, numbers, cancellable, NULL));
  g_assert_false (hl_pending_tensor_is_ready (tensor));

  thread = g_thread_new ("fill", fill_later, tensor);
  g_assert_true (hl_tensor_read_f32 (HL_TENSOR (tensor), start, count, numbers, NULL, &error));
  g_thread_join (thread);
  g_assert_cmpfloat (numbers[0], ==, 5);
  g_assert_cmpfloat (numbers[1], ==, 6);
  hl_pending_tensor_fail (tensor, reason);
  g_assert_true (hl_tensor_read_f32 (HL_TENSOR (tensor), start, count, numbers, NULL, &error));

  hl_pending_tensor_fail (failed, reason);
  g_assert_true (hl_pending_tensor_is_ready (failed));
  g_assert_false (hl_tensor_read_f32 (HL_TENSOR (failed), start, count, numbers, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "model", "checkpoints", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (path, 0, &error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  g_assert_no_error (error);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *test = g_strdup_printf ("/model-run/family/%s", name);
      g_ptr_array_add (names, g_strdup (name));
      g_test_add_data_func (test, names->pdata[names->len - 1], test_family);
      g_autofree char *together = g_strdup_printf ("/model-run/together/%s", name);
      g_test_add_data_func (together, names->pdata[names->len - 1], test_together);
    }
  g_test_add_func ("/model-run/together-given-up", test_together_given_up);
  g_test_add_func ("/model-run/inputs", test_inputs);
  g_test_add_func ("/model-run/output-rows", test_output_rows);
  g_test_add_func ("/model-run/stream", test_stream);
  g_test_add_func ("/model-run/text", test_text);
  g_test_add_func ("/model-run/length", test_length);
  g_test_add_func ("/model-run/tokenizer", test_tokenizer);
  g_test_add_func ("/model-run/target", test_target);
  g_test_add_func ("/model-run/given-up", test_given_up);
  g_test_add_func ("/model-run/given-up-saved", test_given_up_saved);
  g_test_add_func ("/model-run/nan", test_nan);
  g_test_add_func ("/model-run/many-tables", test_many_tables);
  g_test_add_func ("/model-run/wide", test_wide);
  g_test_add_func ("/model-run/pending", test_pending);
  return g_test_run ();
}
