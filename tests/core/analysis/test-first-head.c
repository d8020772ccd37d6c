/* SPDX-License-Identifier: MIT */
/* Which head is seen first: of maps that each do one thing, of the sample, and of maps too large to be read whole. */
#include "test-attentions.h"
#include "test-dumps.h"
#include "test-stats.h"

#include "core/analysis/hl-first-head.h"
#include "core/model/hl-model-run.h"
#include "core/source/make/hl-source-factory.h"
#include "core/source/save/hl-dump-writer.h"

#include <math.h>
#include <string.h>

#define N 10

enum
{
  BROAD,
  SINK,
  ITSELF,
  BLURRED,
  NEXT,
  LINKS,
  N_HEADS,
};

static const char *const tokens[] = { "[CLS]", "the", "cat", "that", "we", "saw", "was", "not", "ours", "[SEP]", NULL };

/* What is left of a row goes to all keys alike. */
static void
fill (float *maps,
      guint  head,
      gsize  query,
      gsize  key,
      float  weight)
{
  float *row = maps + ((gsize) head * N + query) * N;

  for (gsize i = 0; i < N; i++)
    row[i] = (1 - weight) / N;
  row[key] += weight;
}

static float *
make_maps (void)
{
  /* No one looks at a neighbour, at itself, or at the two special tokens. */
  static const gsize links[N] = { 2, 5, 6, 1, 8, 2, 2, 4, 4, 6 };
  float *maps = g_new (float, N_HEADS *N *N);

  for (gsize i = 0; i < N; i++)
    {
      fill (maps, BROAD, i, 0, 0);
      fill (maps, SINK, i, 0, 0.9f);
      fill (maps, ITSELF, i, i, 1);
      fill (maps, BLURRED, i, links[i], 0.3f);
      fill (maps, NEXT, i, MIN (i + 1, N - 1), 1);
      fill (maps, LINKS, i, links[i], 0.9f);
    }
  return maps;
}

static HlAttention *
make_attention (const float       *maps,
                guint              n_heads,
                const char *const *words)
{
  return test_make_attention_full (1, n_heads, N, N, maps, words, words, G_MAXSIZE, 0, (HlMask){ FALSE, 0 });
}

static HlFirstHead
choose (HlAttention *attention)
{
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (GError) error = NULL;
  HlFirstHead choice;

  g_assert_true (hl_first_head_choose (attention, source, NULL, &choice, NULL, &error));
  g_assert_no_error (error);
  return choice;
}

/* Each is worth more than those before it. */
static void
test_order (void)
{
  g_autofree float *maps = make_maps ();
  g_autoptr (HlAttention) attention = make_attention (maps, N_HEADS, tokens);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  double before = -1;

  for (guint head = 0; head < N_HEADS; head++)
    {
      HlHeadStats stats;
      g_assert_true (
        hl_head_stats_compute (attention, source, 0, head, 0, N, ~(HlHeadNumberSet) 0, &stats, NULL, NULL));
      const double worth = hl_first_head_get_worth (&stats);
      g_test_message ("%u %g", head, worth);
      if (head != ITSELF)
        g_assert_cmpfloat (worth, >, before);
      else
        g_assert_cmpfloat (worth, ==, 0);
      before = head == ITSELF ? before : worth;
    }
  const HlFirstHead choice = choose (attention);
  g_assert_true (choice.is_chosen);
  g_assert_cmpuint (choice.head, ==, LINKS);
  g_assert_null (choice.name);
  g_assert_cmpuint (choice.n_measured, ==, N_HEADS);
}

/* One row, as the formula has it. */
static void
test_formula (void)
{
  HlHeadStats stats;

  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    stats.values[stat] = NAN;
  g_assert_true (isnan (hl_first_head_get_worth (&stats)));
  stats.values[HL_HEAD_STAT_EVENNESS] = 0.25;
  stats.values[HL_HEAD_STAT_FIRST] = 0.2;
  g_assert_cmpfloat_with_epsilon (hl_first_head_get_worth (&stats), 0.75 * 0.8, 1e-12);
  stats.values[HL_HEAD_STAT_SPECIAL] = 0.1;
  stats.values[HL_HEAD_STAT_MASS_BARE_FIRST] = 0.2;
  stats.values[HL_HEAD_STAT_SELF] = 0.1;
  stats.values[HL_HEAD_STAT_PREVIOUS] = 0.3;
  stats.values[HL_HEAD_STAT_NEXT] = 0.1;
  g_assert_cmpfloat_with_epsilon (hl_first_head_get_worth (&stats), 0.75 * (0.2 + 0.2), 1e-12);
  stats.values[HL_HEAD_STAT_PREVIOUS] = 0.6;
  g_assert_cmpfloat_with_epsilon (hl_first_head_get_worth (&stats), 0.75 * 0.35, 1e-12);
}

/* Without names of tokens the first is where heads park; a single head, next to no keys, or what is no weights, is no choice. */
static void
test_without (void)
{
  g_autofree float *maps = make_maps ();
  g_autoptr (HlAttention) bare = make_attention (maps, N_HEADS, NULL);
  g_autoptr (HlAttention) one = make_attention (maps, 1, tokens);
  const float small[2 * 9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0 };
  g_autoptr (HlAttention) few = test_make_attention (1, 2, 3, 3, small);

  g_assert_cmpuint (choose (bare).head, ==, LINKS);
  g_assert_false (choose (one).is_chosen);
  g_assert_false (choose (few).is_chosen);
  g_autoptr (HlAttention) norms = test_make_attention_of ("norm", N_HEADS, N, N, maps);
  g_assert_false (choose (norms).is_chosen);
}

/* The head of the sample that is the clearest: what a person sees is what is said of it. */
static void
test_sample (void)
{
  g_autoptr (GFile) file = test_get_file ("..", "data/samples/minilm-time-flies.h5");
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, &error);
  g_assert_no_error (error);
  const HlFirstHead choice = choose (hl_example_get_attention (example, 0));
  g_autofree char *sentence = hl_first_head_dup_sentence (&choice);
  g_assert_cmpstr (sentence, ==, "layer 0 · head 2, attends to the previous token");
  g_assert_cmpfloat (choice.value, >, 0.9);
  g_assert_cmpuint (choice.n_measured, ==, 72);
}

/* More than the budget has: some rows of some layers, the same every time. All layers have the same two maps. */
static void
test_large (void)
{
  enum
  {
    n = 2048,
    n_layers = 256,
  };
  const HlShape shape = { 3, { 2, n, n } };
  g_autofree float *maps = g_new0 (float, (gsize) 2 * n * n);
  g_autofree HlLayerTensor *layers = g_new (HlLayerTensor, n_layers);

  for (gsize i = 0; i < n; i++)
    {
      for (gsize j = 0; j < n; j++)
        maps[i * n + j] = 1.0f / n;
      maps[(n + i) * n + MIN (i + 3, n - 1)] = 1;
    }
  g_autoptr (HlTensor) tensor = test_make_tensor (&shape, maps);
  for (guint layer = 0; layer < n_layers; layer++)
    layers[layer] = (HlLayerTensor){
      .tensor = tensor, .layer_axis = -1, .batch_axis = -1, .head_axis = 0, .row_axis = 1, .column_axis = 2
    };
  const HlAttentionInit init = { .weights = layers, .n_layers = n_layers, .n_used = { n, n } };
  g_autoptr (HlAttention) attention = hl_attention_new (&init);
  const HlFirstHead choice = choose (attention), again = choose (attention);
  g_assert_true (choice.is_chosen);
  g_assert_cmpuint (choice.head, ==, 1);
  g_assert_cmpuint (choice.n_heads, ==, 2 * n_layers);
  g_assert_cmpuint (choice.n_measured, <, choice.n_heads);
  g_assert_cmpuint (choice.n_measured, >, 100);
  g_assert_cmpuint (again.layer, ==, choice.layer);
  g_assert_cmpuint (again.n_measured, ==, choice.n_measured);
  g_assert_cmpfloat (again.worth, ==, choice.worth);
}

/* Rows are from all over the text, which is not where a mask says that padding is. */
static void
test_padding (void)
{
  enum
  {
    n = 200,
    first = 150,
    n_layers = 500,
  };
  const HlShape shape = { 3, { 2, n, n } };
  g_autofree float *maps = g_new0 (float, (gsize) 2 * n * n);
  g_autofree HlLayerTensor *layers = g_new (HlLayerTensor, n_layers);

  for (gsize i = 0; i < n; i++)
    {
      for (gsize j = first; j < n; j++)
        maps[i * n + j] = 1.0f / (n - first);
      maps[(n + i) * n + MAX (i, first + 1) - 1] = 1;
    }
  g_autoptr (HlTensor) tensor = test_make_tensor (&shape, maps);
  for (guint layer = 0; layer < n_layers; layer++)
    layers[layer] = (HlLayerTensor){
      .tensor = tensor, .layer_axis = -1, .batch_axis = -1, .head_axis = 0, .row_axis = 1, .column_axis = 2
    };
  HlAttentionInit init = {
    .weights = layers, .n_layers = n_layers, .n_used = { n, n }, .rule = { .mask = { .first_key = first } }
  };
  g_autoptr (HlAttention) attention = hl_attention_new (&init);
  const HlFirstHead choice = choose (attention);
  g_assert_true (choice.is_chosen);
  g_assert_cmpuint (choice.head, ==, 1);
  g_assert_cmpuint (choice.first_query, ==, first);
  g_assert_cmpuint (choice.n_queries, ==, n - first);
  init.rule.mask.first_key = n - HL_FIRST_HEAD_LEAST_KEYS + 1;
  g_autoptr (HlAttention) few = hl_attention_new (&init);
  const HlFirstHead none = choose (few);
  g_assert_false (none.is_chosen);
}

static HlDocument *
load (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = g_path_is_absolute (path) ? g_file_new_for_path (path) : test_get_file ("..", path);
  HlDocument *document = hl_document_load (file, NULL, NULL, &error);

  g_assert_no_error (error);
  return document;
}

/* What is chosen in the time that there is, and the best of all heads with all of their rows. */
static void
assert_best (HlDocument *document,
             double      least)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, &error);
  g_assert_no_error (error);
  HlAttention *attention = hl_example_get_attention (example, 0);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  const HlFirstHead choice = choose (attention);
  static const HlHeadNumberSet wanted =
    HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_EVENNESS) | HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_FIRST) |
    HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_SPECIAL) | HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_MASS_BARE_FIRST) |
    HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_SELF) | HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_PREVIOUS) |
    HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_NEXT);
  g_autofree HlHeadStats *stats =
    test_compute_stats (attention, source, hl_attention_get_n_used (attention, HL_QUERIES), wanted, NULL, &error);
  g_assert_no_error (error);
  const guint n_heads = hl_attention_source_get_n_heads (source, 0);
  double best = 0;

  for (guint i = 0; i < choice.n_heads; i++)
    best = MAX (best, hl_first_head_get_worth (&stats[i]));
  const double worth = hl_first_head_get_worth (&stats[choice.layer * n_heads + choice.head]);
  g_test_message ("%zu tokens: %u·%u of %u, worth %.4f, of all rows %.4f, the best %.4f",
                  hl_attention_get_n_used (attention, HL_KEYS), choice.layer, choice.head, choice.n_measured,
                  choice.worth, worth, best);
  g_assert_cmpuint (choice.n_measured, ==, choice.n_heads);
  g_assert_cmpfloat (worth, >=, least * best);
}

/* A text of the model that comes along. */
static HlModelRun *
run_text (HlModel *model,
          gsize    n_words)
{
  static const char words[] = "when the old miller had walked along the river to the town , he saw that the house "
                              "where his brother used to live was "
                              "empty and that the dog which had always slept before its door was gone ; nobody could "
                              "tell him who had taken it , so "
                              "he sat down on the stone , ate the bread that he had brought , and thought about what "
                              "they had said to each other in "
                              "the year before the war";
  g_auto (GStrv) list = g_strsplit (words, " ", -1);
  const guint n = g_strv_length (list);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  /* Every time round some words are left out, so that no two stretches are the same. */
  for (gsize i = 0, at = 0; i < n_words; i++, at += 1 + (i / n) * (i % 7 == 0))
    g_string_append_printf (text, "%s ", list[at % n]);
  const HlModelText input = { .text = text->str };
  HlModelRun *run = hl_model_run_new (model, &input, &error);
  g_assert_no_error (error);
  g_assert_true (hl_model_run_execute (run, NULL, NULL, &error));
  return run;
}

/* As a file in which each map is packed on its own. */
static HlDocument *
pack (HlModelRun *run,
      const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (folder, "packed.h5", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (hl_dump_writer_save (hl_model_run_get_document (run), HL_DUMP_STORE_ATTENTION, NULL, NULL, file, NULL,
                                      NULL, &error));
  g_assert_no_error (error);
  return load (path);
}

/* Texts short and long, and the samples: all heads are measured, of long texts by some of their rows, and the head is as good as the best. */
static void
test_texts (void)
{
  g_autoptr (GFile) file = test_get_file ("..", "data/samples/minilm-l6-v2.gguf");
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = hl_model_load (file, &error);
  g_assert_no_error (error);
  g_autofree char *folder = test_make_folder ();
  static const char *const samples[] = { "minilm-cup.h5", "minilm-street.h5", "minilm-time-flies.h5" };

  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_autofree char *path = g_build_filename ("data/samples", samples[i], NULL);
      g_autoptr (HlDocument) document = load (path);

      assert_best (document, 1);
    }
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (HlModelRun) run = run_text (model, (const gsize[]){ 10, 58, 198, 358 }[i]);
      g_autoptr (HlDocument) document = pack (run, folder);

      assert_best (document, i < 2 ? 1 : 0.97);
    }
  g_autoptr (HlModelRun) run = run_text (model, 498);
  assert_best (hl_model_run_get_document (run), 0.97);
  test_remove_folder (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/first-head/order", test_order);
  g_test_add_func ("/first-head/formula", test_formula);
  g_test_add_func ("/first-head/without", test_without);
  g_test_add_func ("/first-head/sample", test_sample);
  g_test_add_func ("/first-head/large", test_large);
  g_test_add_func ("/first-head/padding", test_padding);
  g_test_add_func ("/first-head/texts", test_texts);
  return g_test_run ();
}
