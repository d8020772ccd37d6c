/* SPDX-License-Identifier: MIT */
/* What can be asked of a forward pass, and changed in it: the stream that goes from layer to layer, going on from any layer, and heads that
 * are other than they are. */
#include "core/base/hl-error.h"
#include "core/model/hl-model-run.h"

#include <math.h>
#include <string.h>

#define N_TOKENS 9
#define N_MEMORY 7

static const guint32 ids[N_TOKENS] = { 3, 14, 15, 9, 26, 5, 35, 8, 9 };
static const HlModelInput input = { .ids = ids, .n_ids = N_TOKENS };
static const HlModelInput pair = {
  .ids = ids + 2,
  .n_ids = N_MEMORY,
  .decoder_ids = ids,
  .n_decoder_ids = N_TOKENS,
};

static HlModel *
load (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "model", "checkpoints", name, NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  HlModel *model = hl_model_load (folder, &error);

  g_assert_no_error (error);
  return model;
}

/* All that is told of a pass. */
typedef struct
{
  GPtrArray *streams[4]; /* of GBytes, by kind of attention */
  GPtrArray *sums[4];    /* of GBytes: the stream and what a sublayer adds, before norms of it and without its bias */
  guint n_finals;
} Told;

static void
told_init (Told *self)
{
  *self = (Told){ 0 };
  for (guint i = 0; i < 4; i++)
    {
      self->streams[i] = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
      self->sums[i] = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
    }
}

static void
told_clear (Told *self)
{
  for (guint i = 0; i < 4; i++)
    {
      g_ptr_array_unref (self->streams[i]);
      g_ptr_array_unref (self->sums[i]);
    }
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Told, told_clear)

static void
keep_stream (const HlStream *stream,
             gpointer        data)
{
  Told *self = data;
  const gsize size = stream->n_streams * stream->n_tokens * stream->width * sizeof (float);

  g_assert_cmpuint (stream->n_layers + stream->final, ==, self->streams[stream->attention]->len);
  self->n_finals += stream->final;
  g_ptr_array_add (self->streams[stream->attention], g_bytes_new (stream->states, size));
}

static void
keep_result (const HlSublayerResult *result,
             gpointer                data)
{
  Told *self = data;
  const gsize n = result->n_streams * result->n_tokens * result->width;
  float *sum = g_new (float, n);

  g_assert_cmpint (result->heads == NULL, ==,
                   result->sublayer == HL_SUBLAYER_FEED_FORWARD || result->sublayer == HL_SUBLAYER_LINEAR);
  for (gsize i = 0; i < n; i++)
    sum[i] = result->before[i] + result->result[i];
  g_ptr_array_add (self->sums[result->attention], g_bytes_new_take (sum, n * sizeof (float)));
}

static void
forward (HlModel          *model,
         const HlHeadEdit *edits,
         gsize             n_edits,
         Told             *told)
{
  const HlModelHooks hooks = {
    .stream_func = keep_stream,
    .sublayer_func = keep_result,
    .data = told,
    .edits = edits,
    .n_edits = n_edits,
  };
  g_autoptr (GError) error = NULL;

  g_assert_true (
    hl_model_forward_with (model, hl_model_has_decoder (model) ? &pair : &input, &hooks, NULL, NULL, &error));
  g_assert_no_error (error);
}

static const float *
get_final (const Told     *told,
           HlAttentionKind attention)
{
  const GPtrArray *streams = told->streams[attention];

  return g_bytes_get_data (g_ptr_array_index (streams, streams->len - 1), NULL);
}

static double
get_distance (const float *a,
              const float *b,
              gsize        n)
{
  double worst = 0, largest = 0;

  for (gsize i = 0; i < n; i++)
    {
      worst = MAX (worst, fabs ((double) a[i] - b[i]));
      largest = MAX (largest, fabs ((double) a[i]));
    }
  return worst / largest;
}

/* The kinds of attention of the last stack of a model. */
static HlAttentionKind
get_last (HlModel *model)
{
  return hl_model_has_decoder (model) ? HL_ATTENTION_DECODER : HL_ATTENTION_SELF;
}

static void
assert_same (gconstpointer a,
             gconstpointer b,
             gsize         n)
{
  g_assert_cmpmem (a, n * sizeof (float), b, n * sizeof (float));
}

/* Going on from the stream before any layer ends where the whole pass did, to the bit. */
static void
test_start (gconstpointer name)
{
  g_autoptr (HlModel) model = load (name);
  const HlAttentionKind attention = get_last (model);
  const guint n_layers = hl_model_get_n_layers (model, attention);
  const gsize size = N_TOKENS * hl_model_get_width (model, attention);
  g_auto (Told) told;

  told_init (&told);
  forward (model, NULL, 0, &told);
  g_assert_cmpuint (told.streams[attention]->len, ==, n_layers + 2);
  g_assert_cmpuint (told.n_finals, ==, hl_model_has_decoder (model) ? 2 : 1);
  for (guint layer = 0; layer <= n_layers; layer++)
    {
      const HlStackRun run = {
        .ids = ids,
        .n_tokens = N_TOKENS,
        .attention = attention,
        .first_layer = layer,
        .start = g_bytes_get_data (g_ptr_array_index (told.streams[attention], layer), NULL),
        .memory = hl_model_has_decoder (model) ? get_final (&told, HL_ATTENTION_ENCODER) : NULL,
        .n_memory = N_MEMORY,
      };
      g_autofree float *output = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (hl_model_run_stack (model, &run, &output, NULL, &error));
      g_assert_no_error (error);
      assert_same (output, get_final (&told, attention), size);
    }
}

/* Edits made in streams of their own give what a pass from the beginning gives with each of them, and both are something else than what
 * the model gives. */
static void
compare_edits (HlModel        *model,
               const Told     *intact,
               HlAttentionKind attention,
               HlHeadEditKind  kind)
{
  const HlAttentionKind last = attention == HL_ATTENTION_CROSS ? HL_ATTENTION_DECODER : attention;
  const guint n_heads = hl_model_get_shape (model, attention, 0)->n_heads;
  const gsize n_tokens = attention == HL_ATTENTION_ENCODER ? N_MEMORY : N_TOKENS;
  const gsize size = n_tokens * hl_model_get_width (model, attention);
  g_autofree HlHeadEdit *edits = g_new (HlHeadEdit, n_heads);

  for (guint layer = 0; layer < hl_model_get_n_layers (model, attention); layer++)
    {
      for (guint head = 0; head < n_heads; head++)
        edits[head] = (HlHeadEdit){ attention, layer, head, kind };
      const HlStackRun run = {
        .ids = ids,
        .n_tokens = n_tokens,
        .attention = last,
        .first_layer = layer,
        .start = g_bytes_get_data (g_ptr_array_index (intact->streams[last], layer), NULL),
        .memory = last == HL_ATTENTION_DECODER ? get_final (intact, HL_ATTENTION_ENCODER) : NULL,
        .n_memory = N_MEMORY,
        .edits = edits,
        .n_edits = n_heads,
        .apart = TRUE,
      };
      g_autofree float *output = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (hl_model_run_stack (model, &run, &output, NULL, &error));
      g_assert_no_error (error);
      for (guint head = 0; head < n_heads; head++)
        {
          g_auto (Told) told;

          told_init (&told);
          forward (model, &edits[head], 1, &told);
          g_assert_cmpfloat (get_distance (get_final (&told, last), output + head * size, size), <=, 1e-6);
          g_assert_cmpfloat (get_distance (get_final (intact, last), output + head * size, size), >, 1e-6);
        }
    }
}

static void
test_edits (gconstpointer name)
{
  g_autoptr (HlModel) model = load (name);
  g_auto (Told) intact;

  told_init (&intact);
  forward (model, NULL, 0, &intact);
  for (HlHeadEditKind kind = HL_HEAD_ZERO; kind <= HL_HEAD_UNIFORM; kind++)
    if (hl_model_has_decoder (model))
      for (HlAttentionKind attention = HL_ATTENTION_ENCODER; attention <= HL_ATTENTION_CROSS; attention++)
        compare_edits (model, &intact, attention, kind);
    else
      compare_edits (model, &intact, HL_ATTENTION_SELF, kind);
}

/* A decoder that is given two memories does with each what it does with that alone. */
static void
test_memories (void)
{
  g_autoptr (HlModel) model = load ("t5");
  const gsize size = N_TOKENS * hl_model_get_width (model, HL_ATTENTION_DECODER);
  const gsize memory_size = N_MEMORY * hl_model_get_width (model, HL_ATTENTION_ENCODER);
  g_autofree float *memories = g_new (float, 2 * memory_size);
  HlStackRun run = {
    .ids = ids,
    .n_tokens = N_TOKENS,
    .attention = HL_ATTENTION_DECODER,
    .n_streams = 2,
    .memory = memories,
    .n_memory = N_MEMORY,
  };
  g_autoptr (GError) error = NULL;
  g_autofree float *both = NULL;
  g_auto (Told) told;

  told_init (&told);
  forward (model, NULL, 0, &told);
  memcpy (memories, get_final (&told, HL_ATTENTION_ENCODER), memory_size * sizeof (float));
  for (gsize i = 0; i < memory_size; i++)
    memories[memory_size + i] = memories[memory_size - 1 - i];
  g_assert_true (hl_model_run_stack (model, &run, &both, NULL, &error));
  g_assert_no_error (error);
  assert_same (both, get_final (&told, HL_ATTENTION_DECODER), size);

  g_autofree float *second = NULL;
  run.n_streams = 1;
  run.memory = memories + memory_size;
  g_assert_true (hl_model_run_stack (model, &run, &second, NULL, &error));
  g_assert_no_error (error);
  assert_same (both + size, second, size);
}

/* Without norms of what comes out, a stream is the one before and what the sublayer adds. */
static void
test_results (void)
{
  g_autoptr (HlModel) model = load ("llama");
  const guint n_layers = hl_model_get_n_layers (model, HL_ATTENTION_SELF);
  const gsize size = N_TOKENS * hl_model_get_width (model, HL_ATTENTION_SELF);
  g_auto (Told) told;

  told_init (&told);
  forward (model, NULL, 0, &told);
  g_assert_cmpuint (told.sums[HL_ATTENTION_SELF]->len, ==, 2 * n_layers);
  for (guint layer = 0; layer < n_layers; layer++)
    assert_same (g_bytes_get_data (g_ptr_array_index (told.streams[HL_ATTENTION_SELF], layer + 1), NULL),
                 g_bytes_get_data (g_ptr_array_index (told.sums[HL_ATTENTION_SELF], 2 * layer + 1), NULL), size);
}

/* A run's document knows what it came of; one that was read does not. */
static void
test_call (void)
{
  g_autoptr (HlModel) model = load ("t5");
  const HlModelText text = {
    .ids = pair.ids,
    .n_ids = pair.n_ids,
    .decoder_ids = pair.decoder_ids,
    .n_decoder_ids = pair.n_decoder_ids,
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModelRun) run = hl_model_run_new (model, &text, &error);
  g_assert_no_error (error);
  g_autoptr (HlDocument) document = g_object_ref (hl_model_run_get_document (run));
  HlModelCall *call = hl_model_call_of (document);

  g_assert_true (call == hl_model_run_get_call (run));
  g_clear_object (&run);
  g_assert_true (hl_model_call_get_model (call) == model);
  const HlModelInput *kept = hl_model_call_get_input (call);
  g_assert_cmpmem (kept->ids, kept->n_ids * sizeof *ids, pair.ids, N_MEMORY * sizeof *ids);
  g_assert_cmpmem (kept->decoder_ids, kept->n_decoder_ids * sizeof *ids, ids, sizeof ids);
  g_assert_null (kept->segments);
  g_assert_true (hl_model_call_has (call, HL_ATTENTION_CROSS));
  g_assert_false (hl_model_call_has (call, HL_ATTENTION_SELF));

  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "..", "model", "checkpoints", "bert", "reference.h5", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (HlDocument) read = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (hl_model_call_of (read));
}

static void
append_keys (const HlLayerProjections *projections,
             gpointer                  data)
{
  const gsize size = projections->n_key_heads * projections->n_keys * projections->head_size;

  g_ptr_array_add (data, g_bytes_new (projections->keys, size * sizeof (float)));
}

/* Without its last layers a model computes those before them as with them, and nothing that comes behind all. */
static void
test_stop (gconstpointer name)
{
  g_autoptr (HlModel) model = load (name);
  g_autoptr (GPtrArray) whole = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GError) error = NULL;
  const HlModelInput *text = hl_model_has_decoder (model) ? &pair : &input;
  guint n_layers;

  g_assert_true (hl_model_forward (model, text, append_keys, whole, NULL, NULL, &error));
  g_assert_cmpuint (hl_model_get_last_layer (model, &n_layers), ==, n_layers - 1);
  g_assert_cmpuint (hl_model_get_n_layers (model, get_last (model)), ==, n_layers);
  g_assert_true (hl_model_check_whole (model, &error));
  g_assert_false (hl_model_stop_after (model, n_layers, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  g_clear_error (&error);
  for (guint last = 0; last < n_layers; last++)
    {
      g_autoptr (GPtrArray) part = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
      guint n_all;

      g_assert_true (hl_model_stop_after (model, last, &error));
      g_assert_cmpuint (hl_model_get_last_layer (model, &n_all), ==, last);
      g_assert_cmpuint (n_all, ==, n_layers);
      g_assert_cmpuint (hl_model_get_n_layers (model, get_last (model)), ==, last + 1);
      g_assert_true (hl_model_forward (model, text, append_keys, part, NULL, NULL, &error));
      const guint n_after = (n_layers - 1 - last) * (hl_model_has_decoder (model) ? 2 : 1);
      g_assert_cmpuint (part->len, ==, whole->len - n_after);
      for (guint i = 0; i < part->len; i++)
        g_assert_true (g_bytes_equal (part->pdata[i], whole->pdata[i]));
      g_assert_cmpint (hl_model_check_whole (model, NULL), ==, last == n_layers - 1);
    }
}

int
main (int   argc,
      char *argv[])
{
  static const char *const names[] = { "albert", "bert",       "gemma2", "gemma3", "gpt-neox", "gpt2",
                                       "llama",  "modernbert", "opt",    "phi",    "t5",       "bart" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *start = g_strconcat ("/model-hooks/start/", names[i], NULL);
      g_autofree char *edits = g_strconcat ("/model-hooks/edits/", names[i], NULL);
      g_autofree char *stop = g_strconcat ("/model-hooks/stop/", names[i], NULL);
      g_test_add_data_func (stop, names[i], test_stop);
      g_test_add_data_func (start, names[i], test_start);
      g_test_add_data_func (edits, names[i], test_edits);
    }
  g_test_add_func ("/model-hooks/memories", test_memories);
  g_test_add_func ("/model-hooks/results", test_results);
  g_test_add_func ("/model-hooks/call", test_call);
  return g_test_run ();
}
