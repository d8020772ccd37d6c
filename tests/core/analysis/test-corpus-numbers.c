/* SPDX-License-Identifier: MIT */
/* Numbers over texts: which texts are measured alone, that nothing of a text is kept, and little of those that are measured together. */
#include "core/analysis/corpus/hl-corpus-numbers.h"
#include "core/analysis/corpus/hl-corpus-work.h"
#include "core/analysis/corpus/hl-probe-run.h"
#include "core/source/make/hl-source-factory.h"
#include "test-dumps.h"

#include <malloc.h>
#include <omp.h>
#include <string.h>

#define N_TEXTS 20

/* What was seen of the attentions that were measured. */
typedef struct
{
  guint n;
  guint n_alone;
  gboolean first_is_alone;
  gint n_alive; /* atomic */
} Seen;

static void
on_gone (gpointer data,
         GObject *attention)
{
  Seen *self = data;

  g_atomic_int_add (&self->n_alive, -1);
}

static gboolean
derive (HlExample          *example,
        guint               index,
        HlAttention       **attention,
        HlAttentionSource **source,
        gpointer            data,
        GError            **error)
{
  Seen *self = data;

  *attention = g_object_ref (hl_example_get_attention (example, index));
  *source = hl_attention_make_source (*attention);
  g_atomic_int_inc (&self->n_alive);
  g_object_weak_ref (G_OBJECT (*attention), on_gone, self);
#pragma omp critical
  {
    self->first_is_alone |= self->n == 0 && !omp_in_parallel ();
    self->n_alone += !omp_in_parallel ();
    self->n++;
  }
  return TRUE;
}

static HlCorpusNumbers *
measure (HlCorpus *corpus,
         gboolean  distances,
         Seen     *seen)
{
  const HlCorpusRequest request = {
    .wanted = HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_ENTROPY), .distances = distances, .derive = derive, .data = seen
  };
  g_autoptr (GError) error = NULL;

  omp_set_num_threads (2);
  HlCorpusNumbers *numbers = hl_corpus_measure (corpus, &request, NULL, NULL, &error);
  g_assert_no_error (error);
  return numbers;
}

static void
write_tokenizer (const char *path)
{
  static const char tokenizer[] = "{\"version\": \"1.0\", \"added_tokens\": [], \"normalizer\": null, "
                                  "\"pre_tokenizer\": {\"type\": \"WhitespaceSplit\"}, \"post_processor\": null, "
                                  "\"decoder\": null, \"model\": {\"type\": \"WordLevel\", \"unk_token\": \"a\", "
                                  "\"vocab\": {\"a\": 0, \"b\": 1}}}";
  g_autofree char *file = g_build_filename (path, "tokenizer.json", NULL);

  g_assert_true (g_file_set_contents (file, tokenizer, -1, NULL));
}

/* A model that reads “a” and “b”. */
static HlModel *
make_model (const char *path)
{
  static const char *const names[] = { "config.json", "model.safetensors" };
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) source = test_get_file ("model/checkpoints/gpt2", names[i]);
      g_autoptr (GFile) target = g_file_get_child (folder, names[i]);
      g_assert_true (g_file_copy (source, target, G_FILE_COPY_NONE, NULL, NULL, NULL, &error));
    }
  write_tokenizer (path);
  HlModel *model = hl_model_load (folder, &error);
  g_assert_no_error (error);
  return model;
}

static HlCorpus *
make_texts (HlModel *model)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < N_TEXTS; i++)
    g_string_append (lines, "a b\n");
  g_autoptr (HlTextList) texts = hl_text_list_parse (lines->str, lines->len, &error);
  g_assert_no_error (error);
  HlCorpus *corpus = hl_corpus_new_for_texts (model, texts, &error);
  g_assert_no_error (error);
  return corpus;
}

/* How many heads a model has is known after its first text. */
static void
test_first_text (void)
{
  g_autoptr (TestFolder) path = test_make_folder ();
  g_autoptr (HlModel) model = make_model (path);
  g_autoptr (HlCorpus) corpus = make_texts (model);
  Seen seen = { 0 };

  HlCorpusNumbers *numbers = measure (corpus, TRUE, &seen);
  g_assert_cmpuint (hl_corpus_numbers_get_n_texts (numbers), ==, N_TEXTS);
  g_assert_cmpuint (seen.n, ==, N_TEXTS);
  g_assert_cmpuint (seen.n_alone, ==, 1);
  g_assert_true (seen.first_is_alone);
  hl_corpus_numbers_unref (numbers);

  /* Other numbers of a head take next to nothing. */
  seen = (Seen){ 0 };
  numbers = measure (corpus, FALSE, &seen);
  g_assert_cmpuint (seen.n, ==, N_TEXTS);
  g_assert_cmpuint (seen.n_alone, ==, 0);
  hl_corpus_numbers_unref (numbers);
}

/* Of one token. */
static void
append_example (GString    *text,
                const char *name,
                guint       n_layers,
                guint       n_heads)
{
  g_string_append_printf (text, "{\"%s\": [", name);
  for (guint layer = 0; layer < n_layers; layer++)
    {
      g_string_append (text, layer > 0 ? ", [" : "[");
      for (guint head = 0; head < n_heads; head++)
        g_string_append (text, head > 0 ? ", [[1]]" : "[[1]]");
      g_string_append_c (text, ']');
    }
  g_string_append (text, "]}");
}

/* Examples of many heads are measured alone, whatever the others have, and only these. */
static void
test_examples (void)
{
  g_autoptr (TestFolder) path = test_make_folder ();
  g_autofree char *name = g_build_filename (path, "examples.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (name);
  g_autoptr (GString) text = g_string_new ("{\"examples\": [");
  g_autoptr (GError) error = NULL;
  Seen seen = { 0 };

  append_example (text, "encoder_attention", 1, 2);
  for (guint i = 0; i < 3; i++)
    {
      g_string_append (text, ", ");
      append_example (text, "attention", 33, 32);
      g_string_append (text, ", ");
      append_example (text, "encoder_attention", 1, 2);
    }
  g_string_append (text, "]}");
  g_assert_true (g_file_set_contents (name, text->str, (gssize) text->len, &error));
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (HlCorpus) corpus = hl_corpus_new_for_examples (document, NULL, 0);

  HlCorpusNumbers *numbers = measure (corpus, TRUE, &seen);
  g_assert_cmpuint (seen.n, ==, 7);
  g_assert_cmpuint (seen.n_alone, ==, 3);
  g_assert_false (seen.first_is_alone);
  hl_corpus_numbers_unref (numbers);
}

/* What is known of a text holds neither its tensors nor its tokens. */
static void
test_held (void)
{
  g_autoptr (TestFolder) path = test_make_folder ();
  g_autoptr (HlModel) model = make_model (path);
  g_autoptr (HlCorpus) corpus = make_texts (model);
  Seen seen = { 0 };

  HlCorpusNumbers *numbers = measure (corpus, FALSE, &seen);
  g_assert_cmpint (seen.n_alive, ==, 0);
  HlAttention *attention = hl_corpus_numbers_get_attention (numbers, 0);
  g_assert_cmpint (hl_attention_get_kind (attention), ==, HL_ATTENTION_SELF);
  g_assert_cmpuint (hl_attention_get_n_layers (attention), ==, hl_model_get_n_layers (model, HL_ATTENTION_SELF));
  g_assert_cmpuint (hl_attention_get_n_heads (attention, 0), >, 0);
  g_assert_false (hl_attention_has_tokens (attention, HL_KEYS));
  hl_corpus_numbers_unref (numbers);
}

enum
{
  WIDE_LAYERS = 8,
  WIDE_HEADS = 32, /* of one number each */
  WIDE_ALL = WIDE_LAYERS * WIDE_HEADS,
};

/* A tensor of zeros more, in the head of a file; a matrix where it has columns. */
static void
append_tensor (GString    *head,
               gsize      *end,
               const char *prefix,
               const char *name,
               gsize       n_rows,
               gsize       n_columns)
{
  const gsize first = *end;

  *end += n_rows * MAX (n_columns, 1) * 2;
  g_string_append_printf (head, "%s\"%s%s\":{\"dtype\":\"F16\",\"shape\":[%" G_GSIZE_FORMAT, first > 0 ? "," : "{",
                          prefix, name, n_rows);
  if (n_columns > 0)
    g_string_append_printf (head, ",%" G_GSIZE_FORMAT, n_columns);
  g_string_append_printf (head, "],\"data_offsets\":[%" G_GSIZE_FORMAT ",%" G_GSIZE_FORMAT "]}", first, *end);
}

/* A model of many heads, which is a small file. */
static HlModel *
make_wide_model (const char *path)
{
  static const struct
  {
    const char *name;
    guint rows;
    guint columns;
  } tensors[] = {
    { "ln_1.weight", 1, 0 },      { "ln_1.bias", 1, 0 },          { "attn.c_attn.weight", 1, 3 },
    { "attn.c_attn.bias", 3, 0 }, { "attn.c_proj.weight", 1, 1 }, { "attn.c_proj.bias", 1, 0 },
    { "ln_2.weight", 1, 0 },      { "ln_2.bias", 1, 0 },          { "mlp.c_fc.weight", 1, 4 },
    { "mlp.c_fc.bias", 4, 0 },    { "mlp.c_proj.weight", 4, 1 },  { "mlp.c_proj.bias", 1, 0 },
  };
  g_autofree char *config = g_strdup_printf ("{\"model_type\": \"gpt2\", \"n_layer\": %d, \"n_head\": %d, \"n_embd\": "
                                             "%d, \"n_positions\": 8, \"vocab_size\": 2}",
                                             WIDE_LAYERS, WIDE_HEADS, WIDE_HEADS);
  g_autofree char *config_path = g_build_filename (path, "config.json", NULL);
  g_autofree char *weights_path = g_build_filename (path, "model.safetensors", NULL);
  g_autoptr (GString) head = g_string_new (NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  gsize size = 0;

  append_tensor (head, &size, "", "wte.weight", 2, WIDE_HEADS);
  append_tensor (head, &size, "", "wpe.weight", 8, WIDE_HEADS);
  append_tensor (head, &size, "", "ln_f.weight", WIDE_HEADS, 0);
  append_tensor (head, &size, "", "ln_f.bias", WIDE_HEADS, 0);
  for (guint layer = 0; layer < WIDE_LAYERS; layer++)
    for (guint i = 0; i < G_N_ELEMENTS (tensors); i++)
      {
        g_autofree char *prefix = g_strdup_printf ("h.%u.", layer);
        append_tensor (head, &size, prefix, tensors[i].name, tensors[i].rows * WIDE_HEADS,
                       tensors[i].columns * WIDE_HEADS);
      }
  g_string_append_c (head, '}');
  while (head->len % 8 > 0)
    g_string_append_c (head, ' ');
  const guint64 n = GUINT64_TO_LE (head->len);
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_byte_array_append (file, (const guint8 *) &n, sizeof n);
  g_byte_array_append (file, (const guint8 *) head->str, (guint) head->len);
  g_byte_array_set_size (file, (guint) (file->len + size));
  memset (file->data + file->len - size, 0, size);
  g_assert_true (g_file_set_contents (weights_path, (const char *) file->data, file->len, &error));
  g_assert_true (g_file_set_contents (config_path, config, -1, &error));
  write_tokenizer (path);
  HlModel *model = hl_model_load (folder, &error);
  g_assert_no_error (error);
  return model;
}

/* How much was held when attentions were measured; of as many as the last group has. */
typedef struct
{
  guint n;
  gsize held[N_TEXTS + 1];
} Held;

static gboolean
derive_and_weigh (HlExample          *example,
                  guint               index,
                  HlAttention       **attention,
                  HlAttentionSource **source,
                  gpointer            data,
                  GError            **error)
{
  Held *self = data;
  const struct mallinfo2 info = mallinfo2 ();

  *attention = g_object_ref (hl_example_get_attention (example, index));
  *source = hl_attention_make_source (*attention);
  self->held[self->n++] = info.uordblks + info.hblkhd;
  return TRUE;
}

/* Texts that are measured together hold one set of distances. */
static void
test_distances_together (void)
{
  g_autoptr (TestFolder) path = test_make_folder ();
  g_autoptr (HlModel) model = make_wide_model (path);
  g_autoptr (HlCorpus) corpus = make_texts (model);
  Held held = { 0 };
  const HlCorpusRequest request = { .distances = TRUE, .derive = derive_and_weigh, .data = &held };
  const gsize distances = WIDE_ALL * (WIDE_ALL + 1) / 2 * (sizeof (double) + sizeof (guint));
  g_autoptr (GError) error = NULL;

  omp_set_num_threads (1);
  HlCorpusNumbers *numbers = hl_corpus_measure (corpus, &request, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (held.n, ==, N_TEXTS);
  for (guint i = 0; i < held.n; i++)
    g_test_message ("%u: %zu", i, held.held[i]);
  /* The first text is a group of its own. */
  g_assert_cmpuint (held.held[HL_CORPUS_WORK_MAX_GROUP], <, held.held[1] + 2 * distances);
  hl_corpus_numbers_unref (numbers);
}

/* So do those that are held against annotations. */
static void
test_probes_together (void)
{
  g_autoptr (TestFolder) path = test_make_folder ();
  g_autoptr (HlModel) model = make_wide_model (path);
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  Held held = { 0 };

  for (guint i = 0; i < N_TEXTS; i++)
    g_string_append (lines, "1\ta\t_\t_\t_\t_\t2\tnsubj\t_\t_\n2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n");
  g_autoptr (HlConllu) sentences = hl_conllu_parse (lines->str, lines->len, &error);
  g_assert_no_error (error);
  omp_set_num_threads (1);
  HlProbe *probe = hl_probe_run_model (model, sentences, NULL, derive_and_weigh, NULL, &held, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (hl_probe_get_n_texts (probe), ==, N_TEXTS);
  g_assert_cmpuint (hl_probe_get_n (probe, HL_PROBE_ALL), ==, N_TEXTS);
  g_assert_cmpuint (held.n, ==, N_TEXTS);
  for (guint i = 0; i < held.n; i++)
    g_test_message ("%u: %zu", i, held.held[i]);
  g_assert_cmpuint (held.held[HL_CORPUS_WORK_MAX_GROUP - 1], <, held.held[0] + 4 * hl_probe_get_size (probe));
  hl_probe_free (probe);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/corpus-numbers/first-text", test_first_text);
  g_test_add_func ("/corpus-numbers/examples", test_examples);
  g_test_add_func ("/corpus-numbers/held", test_held);
  g_test_add_func ("/corpus-numbers/distances-together", test_distances_together);
  g_test_add_func ("/corpus-numbers/probes-together", test_probes_together);
  return g_test_run ();
}
