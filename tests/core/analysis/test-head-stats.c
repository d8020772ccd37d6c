/* SPDX-License-Identifier: MIT */
/* The numbers of heads: against NumPy's, over bands, of one head and of all, and stopped halfway. */
#include "test-attentions.h"
#include "test-dumps.h"
#include "test-stats.h"

#include "core/analysis/hl-head-stats-csv.h"
#include "core/base/hl-error.h"
#include "core/document/tokens/hl-token-text.h"
#include "core/source/derive/hl-combine-source.h"
#include "core/source/derive/hl-filter-source.h"
#include "core/source/derive/hl-lens.h"
#include "core/source/make/hl-source-factory.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#define ALL (~(HlHeadNumberSet) 0)

static HlAttention *
load_attention (const char *name,
                const char *attention_name)
{
  g_autoptr (GFile) file = test_get_file ("fixtures", name);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  HlAttentionKind kind;

  g_assert_no_error (error);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (hl_attention_kind_from_name (attention_name, &kind));
  return g_object_ref (hl_example_find_attention (example, kind));
}

static void
assert_values (const HlHeadStats *stats,
               JsonArray         *expected)
{
  const HlHeadNumberSet usual = hl_head_number_get_usual ();
  guint i = 0;

  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    {
      if (!(usual & HL_HEAD_NUMBER_BIT (stat)))
        {
          g_assert_true (isnan (stats->values[stat]));
          continue;
        }
      g_test_message ("%s %g", hl_head_number_get (stat)->nick, stats->values[stat]);
      if (json_array_get_null_element (expected, i))
        g_assert_true (isnan (stats->values[stat]));
      else
        g_assert_cmpfloat_with_epsilon (stats->values[stat], json_array_get_double_element (expected, i), 1e-5);
      i++;
    }
  g_assert_cmpuint (json_array_get_length (expected), ==, i);
}

static void
test_numpy (void)
{
  g_autoptr (GFile) file = test_get_file ("fixtures", "head-stats.json");
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (HlAttention) attention = NULL;
  g_autofree HlHeadStats *all = NULL;
  const char *loaded = "", *loaded_attention = "";
  guint index = 0;

  g_assert_true (json_parser_load_from_file (parser, g_file_peek_path (file), NULL));
  JsonArray *cases = json_node_get_array (json_parser_get_root (parser));
  g_assert_cmpuint (json_array_get_length (cases), >, 50);
  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      JsonObject *one = json_array_get_object_element (cases, i);
      const char *name = json_object_get_string_member (one, "file");
      const char *attention_name = json_object_get_string_member (one, "block");
      const guint layer = (guint) json_object_get_int_member (one, "layer");
      const guint head = (guint) json_object_get_int_member (one, "head");
      const gsize n_queries = (gsize) json_object_get_int_member (one, "queries");
      g_autoptr (GError) error = NULL;
      HlHeadStats stats;

      g_test_message ("%s %s, layer %u, head %u", name, attention_name, layer, head);
      if (!g_str_equal (name, loaded) || !g_str_equal (attention_name, loaded_attention))
        {
          g_clear_object (&attention);
          g_clear_pointer (&all, g_free);
          attention = load_attention (name, attention_name);
          g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
          all = test_compute_stats (attention, source, n_queries, hl_head_number_get_usual (), NULL, &error);
          g_assert_no_error (error);
          index = 0;
        }
      loaded = name;
      loaded_attention = attention_name;
      g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
      g_assert_true (hl_head_stats_compute (attention, source, layer, head, 0, n_queries, hl_head_number_get_usual (),
                                            &stats, NULL, &error));
      g_assert_no_error (error);
      assert_values (&stats, json_object_get_array_member (one, "values"));
      assert_values (&all[index++], json_object_get_array_member (one, "values"));
    }
}

/* A map of more than one band, of which each query looks at one key alone. */
static void
test_bands (void)
{
  const gsize n = 900;
  g_autofree float *weights = g_new0 (float, n *n);
  HlHeadStats stats;

  for (gsize i = 0; i < n; i++)
    weights[i * n + (i + n - 3) % n] = 1;
  g_autoptr (HlAttention) attention = test_make_attention (1, 1, n, n, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_assert_true (hl_head_stats_compute (attention, source, 0, 0, 3, n - 3, ALL, &stats, NULL, NULL));
  g_assert_cmpfloat (stats.values[HL_HEAD_STAT_ENTROPY], ==, 0);
  g_assert_cmpfloat (stats.values[HL_HEAD_STAT_DISTANCE], ==, 3);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_FIRST], 1.0 / (n - 3), 1e-12);
  g_assert_cmpfloat (stats.values[HL_HEAD_STAT_SELF], ==, 0);

  g_assert_true (hl_head_stats_compute (attention, source, 0, 0, 0, 0, ALL, &stats, NULL, NULL));
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    g_assert_true (isnan (stats.values[stat]));
}

static void
test_cancelled (void)
{
  g_autofree float *weights = test_make_weights (1, 6, 20, 20);
  g_autoptr (HlAttention) attention = test_make_attention (2, 3, 20, 20, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (test_compute_stats (attention, source, 20, ALL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Weights of a row by hand, and the file to the byte. */
static void
test_csv (void)
{
  const float weights[] = { 1, 0, 0.5f, 0.5f, 0.25f, 0.75f, 1, 0 };
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "heads.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (HlAttention) attention = test_make_attention (1, 2, 2, 2, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlProgress) progress = hl_progress_new ();
  g_autofree char *text = NULL;

  const HlHeadNumberRequest request = { .attention = attention, .source = source, .n_queries = 2 };
  g_assert_true (
    hl_head_stats_csv_save (&request, NULL, hl_head_number_get_usual (), NULL, file, progress, NULL, &error));
  g_assert_cmpfloat (hl_progress_get_fraction (progress), ==, 1);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==,
                   "block,layer,head,entropy,distance,first,special,previous,next,self,sink\r\n"
                   "attention,0,0,0.346574,0.25,0.75,,0.25,0,0.75,0.75\r\n"
                   "attention,0,1,0.281168,0.875,0.625,,0.5,0.375,0.125,0.625\r\n");
  test_remove_folder (folder);
}

/* One number of two sides, where the second head has no partner. */
static void
test_csv_of_difference (void)
{
  const float weights[] = { 1, 0, 0.5f, 0.5f, 0.25f, 0.75f, 1, 0 };
  const double others[] = { 0.25, NAN };
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "heads.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (HlAttention) attention = test_make_attention (1, 2, 2, 2, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlHeadNumbers) known = hl_head_numbers_new (attention, 0, 2);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  const HlHeadNumberRequest request = { .attention = attention, .source = source, .n_queries = 2 };
  g_assert_true (hl_head_stats_csv_save_difference (&request, known, HL_HEAD_MEASURE_STATS + HL_HEAD_STAT_FIRST, others,
                                                    file, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==,
                   "block,layer,head,first-a,first-b,first-difference\r\n"
                   "attention,0,0,0.75,0.25,-0.5\r\n"
                   "attention,0,1,0.625,,\r\n");
  test_remove_folder (folder);
}

/* The mean of the first column: (1 + 1/4) / 2, and (1/4 + 1/8) / 2 where rows leave something of 1, which is in no sink that the
 * file speaks of. */
static void
test_sink (void)
{
  const float weights[] = { 1, 0, 0.25f, 0.75f, 0.25f, 0.25f, 0.125f, 0.125f };
  g_autoptr (HlAttention) attention = test_make_attention (1, 2, 2, 2, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autofree HlHeadStats *stats = test_compute_stats (attention, source, 2, ALL, NULL, NULL);

  g_assert_cmpfloat (stats[0].values[HL_HEAD_STAT_SINK], ==, 0.625);
  g_assert_cmpfloat (stats[1].values[HL_HEAD_STAT_SINK], ==, 0.1875);

  /* Of heads with a learned sink it is what rows leave: nothing, and (1/2 + 3/4) / 2. */
  const float sinks[] = { -30, 1 };
  const HlAttentionInit init = {
    .weights = hl_attention_get_weights (attention, 0), .n_layers = 1, .n_used = { 2, 2 }, .rule.sinks = sinks
  };
  g_autoptr (HlAttention) learned = hl_attention_new (&init);
  g_autoptr (HlAttentionSource) learned_source = hl_attention_make_source (learned);
  g_autofree HlHeadStats *sunk = test_compute_stats (learned, learned_source, 2, ALL, NULL, NULL);
  g_assert_cmpfloat_with_epsilon (sunk[0].values[HL_HEAD_STAT_SINK], 0, 1e-12);
  g_assert_cmpfloat (sunk[0].values[HL_HEAD_STAT_FIRST], ==, 0.625);
  g_assert_cmpfloat (sunk[1].values[HL_HEAD_STAT_SINK], ==, 0.625);

  /* Weights that a filter leaves out went into no sink. */
  g_autoptr (HlAttentionSource) filtered = hl_filter_source_new (source, 0.25, 1);
  g_autofree HlHeadStats *left = test_compute_stats (attention, filtered, 2, ALL, NULL, NULL);
  g_assert_cmpfloat (left[1].values[HL_HEAD_STAT_SINK], ==, 0.25);
}

/* Rows of norms sum to anything: how evenly and how far they reach is told of the keys' shares, here 4/5 and 1/5, 1/2 and 1/2. */
static void
test_shares (void)
{
  const float weights[] = { 1, 0, 0.5f, 0.5f, 7, 2, 0.5f, 0.5f };
  g_autoptr (HlAttention) attention = test_make_attention (1, 2, 2, 2, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  HlHeadSet heads = { 0 };
  HlLayerSet layers = { 0 };
  hl_head_set_add (&heads, 0);
  hl_head_set_add (&heads, 1);
  hl_layer_set_add (&layers, 0);
  g_autoptr (HlAttentionSource)
    combined = hl_combine_source_new (source, HL_COMBINE_SUM, HL_COMBINE_OVER_HEADS, &heads, &layers);
  HlHeadStats stats;

  g_assert_true (hl_head_stats_compute (attention, combined, 0, 0, 0, 2, ALL, &stats, NULL, NULL));
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_ENTROPY], (0.5004024235 + G_LN2) / 2, 1e-6);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_DISTANCE], (0.2 + 0.5) / 2, 1e-6);

  /* So of a file that holds them in place of weights. */
  const float sums[] = { 8, 2, 1, 1 };
  g_autoptr (HlAttention) of_sums = test_make_attention_of ("norm · sum over heads", 1, 2, 2, sums);
  g_autoptr (HlAttentionSource) saved = hl_attention_make_source (of_sums);
  g_assert_true (hl_head_stats_compute (of_sums, saved, 0, 0, 0, 2, ALL, &stats, NULL, NULL));
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_ENTROPY], (0.5004024235 + G_LN2) / 2, 1e-6);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_EVENNESS], (0.5004024235 / G_LN2 + 1) / 2, 1e-6);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_DISTANCE], (0.2 + 0.5) / 2, 1e-6);
}

/* Every token attends to itself, and so says the number, or nothing: with others hidden, a query may stand beside another. Nor is
 * there an A − Aᵀ then. */
static void
test_hidden (void)
{
  enum
  {
    N = 6
  };
  static const char *const tokens[N + 1] = { "a", "a", "a", "a", "a", "a", NULL };
  const struct
  {
    gsize n;
    gboolean causal;
    gint64 shift;
    gsize first_query, n_queries; /* those that are left out */
    gsize first_key, n_keys;
    gboolean stand_beside;
  } cases[] = {
    { N, FALSE, 0, 1, 1, 1, 1, TRUE },  { N, FALSE, 0, 5, 1, 0, 1, FALSE }, { N, FALSE, 0, 0, 0, 1, 1, FALSE },
    { N, FALSE, 0, 2, 2, 2, 2, TRUE },  { N, TRUE, 0, 1, 1, 1, 1, TRUE },   { N, TRUE, 0, 5, 1, 0, 1, FALSE },
    { N, TRUE, 0, 1, 1, 2, 1, FALSE },  { N, TRUE, 0, 0, 2, 0, 0, TRUE },   { N, TRUE, 0, 0, 2, 2, 1, FALSE },
    { N, TRUE, 0, 0, 2, 0, 1, TRUE },   { N, FALSE, 2, 0, 1, 0, 1, FALSE }, { 3, TRUE, 0, 0, 0, 3, 3, FALSE },
    { 3, TRUE, 0, 0, 0, 0, 3, TRUE },   { 3, TRUE, 0, 0, 1, 2, 2, TRUE },   { 3, TRUE, 0, 0, 0, 5, 1, FALSE },
    { 4, FALSE, 2, 0, 0, 4, 2, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const HlMask mask = { .causal = cases[i].causal, .shift = cases[i].shift };
      const gsize own = (gsize) hl_mask_get_position (&mask, cases[i].n, N, 0);
      float weights[N * N] = { 0 };

      for (gsize query = 0; query < cases[i].n && query + own < N; query++)
        weights[query * N + query + own] = 1;
      g_autoptr (HlAttention) attention =
        test_make_attention_full (1, 1, cases[i].n, N, weights, tokens + N - cases[i].n, tokens, N, 0, mask);
      g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
      g_autoptr (HlTokenSet) queries = hl_token_set_change (NULL, cases[i].first_query, cases[i].n_queries, TRUE);
      g_autoptr (HlTokenSet) keys = hl_token_set_change (NULL, cases[i].first_key, cases[i].n_keys, TRUE);
      const HlLens lens = { .hidden = { queries, keys } };
      g_autoptr (HlAttention) left = NULL;
      g_autoptr (HlAttentionSource) made = NULL;
      g_autoptr (GError) error = NULL;

      g_test_message ("%u", i);
      hl_lens_apply (&lens, attention, source, &left, &made);
      const gsize n = hl_attention_get_n (left, HL_QUERIES);
      const HlHeadNumberRequest request = { .attention = left, .source = made, .n_queries = n };
      g_autofree HlHeadStats *stats = test_compute_stats (left, made, n, ALL, NULL, NULL);
      g_assert_cmpint (hl_lens_has_asymmetry (left), ==,
                       cases[i].stand_beside && n == hl_attention_get_n (left, HL_KEYS));
      if (cases[i].stand_beside)
        {
          g_assert_true (hl_head_number_check (HL_HEAD_STAT_SELF, &request, NULL));
          g_assert_cmpfloat (stats[0].values[HL_HEAD_STAT_SELF], ==, 1);
          continue;
        }
      g_assert_false (hl_head_number_check (HL_HEAD_STAT_SELF, &request, &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_MISSING);
      g_assert_true (isnan (stats[0].values[HL_HEAD_STAT_SELF]));
    }
}

/* Queries that are other tokens than keys do not attend to themselves, however many there are; what is not known to be another may. */
static void
test_other_text (void)
{
  enum
  {
    N = 5
  };
  static const char *const text[] = { "the", "cat", "is", "here", ".", NULL };
  static const char *const same[] = { "the", "cat", "is", "here", ".", NULL };
  static const char *const padded[] = { "the", "cat", "is", "here", "[PAD]", NULL };
  static const char *const other[] = { "le", "chat", "est", "la", ".", NULL };
  static const char *const one[] = { "the", "cat", "est", "here", ".", NULL };
  static const char *const few[] = { "the", "cat", "is", NULL };
  static const char *const few_others[] = { "the", "chat", "is", NULL };
  static const char *const end[] = { "is", "here", ".", NULL };
  static const char *const other_end[] = { "est", "la", ".", NULL };
  const struct
  {
    const char *const *queries;
    const char *const *keys;
    gsize n_used;
    gsize n;
    HlMask mask;
    gboolean is_same;
  } cases[] = {
    { text, text, N, N, { 0 }, TRUE },
    { text, same, N, N, { 0 }, TRUE },
    { text, same, N, N, { .causal = TRUE }, TRUE },
    { text, NULL, N, N, { 0 }, TRUE },
    { NULL, NULL, N, N, { 0 }, TRUE },
    { text, padded, N - 1, N, { 0 }, TRUE },
    { few, text, N, N, { 0 }, TRUE },
    { text, few, N, N, { .causal = TRUE }, TRUE },
    { few_others, text, N, N, { 0 }, FALSE },
    { end, text, N, 3, { .causal = TRUE }, TRUE },
    { end, text, N, 3, { .causal = TRUE, .shift = 1 }, FALSE },
    { other, text, N, N, { 0 }, FALSE },
    { one, text, N, N, { 0 }, FALSE },
    { other_end, text, N, 3, { .causal = TRUE }, FALSE },
  };
  g_autoptr (HlTokenSet) first = hl_token_set_change (NULL, 0, 1, TRUE);
  g_autoptr (HlTokenSet) first_keys = hl_token_set_change (NULL, 0, N - 2, TRUE);

  for (guint i = 0; i < 2 * G_N_ELEMENTS (cases); i++)
    {
      const guint which = i / 2;
      const gsize n = cases[which].n;
      /* Those that are left are the same, or others, as before. */
      const HlLens lens = { .hidden = { i % 2 == 1 ? first : NULL, i % 2 == 1 ? (n < N ? first_keys : first) : NULL } };
      g_autofree float *weights = test_make_weights (1, 1, n, N);
      g_autoptr (HlAttention)
        attention = test_make_attention_full (1, 1, n, N, weights, cases[which].queries, cases[which].keys,
                                              cases[which].n_used, 0, cases[which].mask);
      g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
      g_autoptr (HlAttention) left = NULL;
      g_autoptr (HlAttentionSource) made = NULL;

      g_test_message ("%u", i);
      hl_lens_apply (&lens, attention, source, &left, &made);
      const gsize n_left = hl_attention_get_n (left, HL_QUERIES);
      const HlHeadNumberRequest request = { .attention = left, .source = made, .n_queries = n_left };
      g_autofree HlHeadStats *stats = test_compute_stats (left, made, n_left, ALL, NULL, NULL);
      const HlHeadStat numbers[] = { HL_HEAD_STAT_SELF, HL_HEAD_STAT_PREVIOUS, HL_HEAD_STAT_NEXT,
                                     HL_HEAD_STAT_DISTANCE };
      for (guint j = 0; j < G_N_ELEMENTS (numbers); j++)
        {
          g_assert_cmpint (hl_head_number_check (numbers[j], &request, NULL), ==, cases[which].is_same);
          g_assert_cmpint (!isnan (stats[0].values[numbers[j]]), ==, cases[which].is_same);
        }
    }
}

/* Four tokens that look at one another, and two of padding that look at them, before or behind; @n_before: how many before. */
static HlAttention *
make_padded (const char *const *tokens,
             gsize              n_before,
             gsize              n_padding)
{
  static const float text[4][4] = {
    { 0.1f, 0.2f, 0.3f, 0.4f }, { 0.4f, 0.3f, 0.2f, 0.1f }, { 0.25f, 0.25f, 0.25f, 0.25f }, { 0.7f, 0.1f, 0.1f, 0.1f }
  };
  static const float padding[4] = { 0.97f, 0.01f, 0.01f, 0.01f };
  const gsize n = 4 + n_padding;
  const HlMask mask = { .first_key = n_before, .end_key = n_padding > n_before ? n_before + 4 : 0 };
  g_autofree float *weights = g_new0 (float, n *n);

  for (gsize i = 0; i < n; i++)
    memcpy (weights + i * n + n_before, i >= n_before && i < n_before + 4 ? text[i - n_before] : padding,
            sizeof padding);
  return test_make_attention_full (1, 1, n, n, weights, tokens, tokens, n, 0, mask);
}

/* What a mask says is padding counts in no number of a text. */
static void
test_padding (void)
{
  static const char *const plain[] = { "the", "cat", ".", "the", NULL };
  static const char *const before[] = { "[PAD]", "[PAD]", "the", "cat", ".", "the", NULL };
  static const char *const around[] = { "<|endoftext|>", "the", "cat", ".", "the", "<|endoftext|>", NULL };
  static const char *const behind[] = { "the", "cat", ".", "the", "<|endoftext|>", "<|endoftext|>", NULL };
  static const char *const *const padded[] = { before, around, behind };
  static const HlQuantity quantities[] = { HL_QUANTITY_WEIGHT, HL_QUANTITY_RESIDUAL, HL_QUANTITY_ROLLOUT };
  g_autoptr (HlAttention) attention = make_padded (plain, 0, 0);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);

  for (guint i = 0; i < 4 * G_N_ELEMENTS (quantities) * G_N_ELEMENTS (padded); i++)
    {
      const gsize n_before = 2 - i % G_N_ELEMENTS (padded);
      const gboolean hides_query = i / G_N_ELEMENTS (padded) % 2, hides_key = i / G_N_ELEMENTS (padded) / 2 % 2;
      HlLens lens = { .quantity = quantities[i / G_N_ELEMENTS (padded) / 4], .layers = { { 1 } } };
      g_autoptr (HlAttention) other = make_padded (padded[i % G_N_ELEMENTS (padded)], n_before, 2);
      g_autoptr (HlAttentionSource) other_source = hl_attention_make_source (other);
      g_autoptr (HlAttention) shown = NULL;
      g_autoptr (HlAttentionSource) shown_source = NULL;
      g_autoptr (HlAttention) wanted = NULL;
      g_autoptr (HlAttentionSource) wanted_source = NULL;
      /* A token of each kind; of the padding, one that no number knows of. */
      g_autoptr (HlTokenSet) cat = hl_token_set_change (NULL, 1, 1, TRUE);
      g_autoptr (HlTokenSet) word = hl_token_set_change (NULL, n_before + 1, 1, TRUE);
      g_autoptr (HlTokenSet) both = hl_token_set_change (word, n_before > 0 ? 0 : 5, 1, TRUE);

      g_test_message ("%u", i);
      lens.hidden[HL_QUERIES] = hides_query ? cat : NULL;
      lens.hidden[HL_KEYS] = hides_key ? cat : NULL;
      hl_lens_apply (&lens, attention, source, &wanted, &wanted_source);
      lens.hidden[HL_QUERIES] = hides_query ? both : NULL;
      lens.hidden[HL_KEYS] = hides_key ? both : NULL;
      hl_lens_apply (&lens, other, other_source, &shown, &shown_source);
      g_autofree HlHeadStats *a =
        test_compute_stats (wanted, wanted_source, hl_attention_get_n (wanted, HL_QUERIES), ALL, NULL, NULL);
      g_autofree HlHeadStats *b =
        test_compute_stats (shown, shown_source, hl_attention_get_n (shown, HL_QUERIES), ALL, NULL, NULL);
      for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
        {
          g_test_message ("%s %g %g", hl_head_number_get (stat)->nick, a[0].values[stat], b[0].values[stat]);
          g_assert_cmpint (isnan (a[0].values[stat]), ==, isnan (b[0].values[stat]));
          if (!isnan (a[0].values[stat]))
            g_assert_cmpfloat_with_epsilon (a[0].values[stat], b[0].values[stat], 1e-6);
        }
    }
}

/* Queries that see single keys between others, and look at all of them alike: every second key, and what is left of a window. */
static void
test_seen (void)
{
  enum
  {
    N = 8
  };
  static const char *const tokens[] = { "a", "b", "a", "b", "a", "b", "a", "b", NULL };
  static const guint8 seen[N] = { 1, 0, 1, 0, 1, 0, 1, 0 };
  const HlMask window = { .causal = TRUE, .window = 3 };
  float weights[N * N], near[N * N];
  g_autoptr (HlAttention) left = NULL;
  g_autoptr (HlAttentionSource) made = NULL;
  HlHeadStats stats;

  for (gsize i = 0; i < N * N; i++)
    weights[i] = seen[i % N] ? 0.25f : 0;
  g_autoptr (HlAttention)
    whole = test_make_attention_full (1, 1, N, N, weights, tokens, tokens, N, 0, (HlMask){ FALSE, 0 });
  g_autoptr (HlCellMask) cells = hl_cell_mask_new (seen, N, NULL, 1);
  const HlAttentionInit init = { .kind = HL_ATTENTION_SELF,
                                 .weights = hl_attention_get_weights (whole, 0),
                                 .n_layers = 1,
                                 .tokens = { tokens, tokens },
                                 .n_used = { N, N },
                                 .cells = cells };
  g_autoptr (HlAttention) attention = hl_attention_new (&init);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_assert_true (hl_head_stats_compute (attention, source, 0, 0, 0, N, ALL, &stats, NULL, NULL));
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_EVENNESS], 1, 1e-6);
  /* Of a, the three others; of b none is seen. */
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_SAME_TOKEN], 0.75, 1e-6);

  for (gsize i = 0; i < N; i++)
    for (gsize j = 0; j < N; j++)
      near[i * N + j] = hl_mask_is_visible (&window, N, N, i, j) ? 1.0f / (float) MIN (i + 1, 3) : 0;
  g_autoptr (HlAttention) causal = test_make_attention_full (1, 1, N, N, near, tokens, tokens, N, 0, window);
  g_autoptr (HlAttentionSource) causal_source = hl_attention_make_source (causal);
  for (gsize hidden = 0; hidden < N; hidden++)
    {
      g_autoptr (HlTokenSet) set = hl_token_set_change (NULL, hidden, 1, TRUE);
      const HlLens lens = { .hidden = { hidden % 2 ? set : NULL, set }, .renormalise = TRUE };

      g_clear_object (&left);
      g_clear_object (&made);
      hl_lens_apply (&lens, causal, causal_source, &left, &made);
      g_assert_true (
        hl_head_stats_compute (left, made, 0, 0, 0, hl_attention_get_n (left, HL_QUERIES), ALL, &stats, NULL, NULL));
      g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_EVENNESS], 1, 1e-6);
    }
}

/* Numbers of another source, which counts how often masks are asked for. */
#define TEST_TYPE_ASKED (test_asked_get_type ())
G_DECLARE_FINAL_TYPE (TestAsked, test_asked, TEST, ASKED, GObject)

struct _TestAsked
{
  GObject parent_instance;

  HlAttentionSource *of;
  gint n_masks;
};

static void test_asked_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TestAsked,
                               test_asked,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, test_asked_iface_init))

static guint
get_n_layers (HlAttentionSource *source)
{
  return hl_attention_source_get_n_layers (TEST_ASKED (source)->of);
}

static guint
get_n_heads (HlAttentionSource *source,
             guint              layer)
{
  return hl_attention_source_get_n_heads (TEST_ASKED (source)->of, layer);
}

static gsize
get_n (HlAttentionSource *source,
       HlSide             side)
{
  return hl_attention_source_get_n (TEST_ASKED (source)->of, side);
}

static const char *
get_quantity (HlAttentionSource *source)
{
  return hl_attention_source_get_quantity (TEST_ASKED (source)->of);
}

static const HlMask *
get_mask (HlAttentionSource *source,
          guint              layer)
{
  g_atomic_int_inc (&TEST_ASKED (source)->n_masks);
  return hl_attention_source_get_mask (TEST_ASKED (source)->of, layer);
}

static gboolean
read_rows (HlAttentionSource        *source,
           const HlAttentionRequest *request,
           float                    *target,
           GCancellable             *cancellable,
           GError                  **error)
{
  return hl_attention_source_read (TEST_ASKED (source)->of, request, target, cancellable, error);
}

static void
test_asked_iface_init (HlAttentionSourceInterface *iface)
{
  iface->get_n_layers = get_n_layers;
  iface->get_n_heads = get_n_heads;
  iface->get_n = get_n;
  iface->get_quantity = get_quantity;
  iface->get_mask = get_mask;
  iface->read_rows = read_rows;
}

static void
test_asked_finalize (GObject *object)
{
  g_object_unref (TEST_ASKED (object)->of);
  G_OBJECT_CLASS (test_asked_parent_class)->finalize (object);
}

static void
test_asked_class_init (TestAskedClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = test_asked_finalize;
}

static void
test_asked_init (TestAsked *self)
{
}

/* What of a text is padding is found once, and not for each head. */
static void
test_asked (void)
{
  enum
  {
    N_LAYERS = 40,
    N_HEADS = 3,
    N = 6
  };
  static const char *const tokens[] = { "the", "cat", ".", "the", "[PAD]", "[PAD]", NULL };
  g_autofree float *weights = test_make_weights (1, N_LAYERS * N_HEADS, N, N);
  g_autoptr (HlAttention) attention =
    test_make_attention_full (N_LAYERS, N_HEADS, N, N, weights, tokens, tokens, N, 0, (HlMask){ .end_key = 4 });
  g_autoptr (TestAsked) source = g_object_new (TEST_TYPE_ASKED, NULL);

  source->of = hl_attention_make_source (attention);
  g_autofree HlHeadStats *stats = test_compute_stats (attention, HL_ATTENTION_SOURCE (source), N,
                                                      HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_EVENNESS), NULL, NULL);
  g_assert_nonnull (stats);
  g_assert_cmpint (source->n_masks, <=, N_LAYERS + 5 * N_LAYERS * N_HEADS);
}

/* Two texts of which each looks at itself, as a whole, without the first queries, and with these hidden. */
static void
test_block (void)
{
  enum
  {
    N = 32,
    B = 16,
    HIDDEN = 8
  };
  const HlMask mask = { .causal = TRUE };
  g_autofree float *weights = g_new0 (float, N *N);
  g_autoptr (HlTokenSet) first = hl_token_set_change (NULL, 0, HIDDEN, TRUE);
  const HlLens lens = { .hidden = { first, NULL } };
  g_autoptr (HlAttention) left = NULL;
  g_autoptr (HlAttentionSource) made = NULL;
  HlHeadStats stats;

  for (gsize i = 0; i < N; i++)
    for (gsize j = i < B ? 0 : B; j <= i; j++)
      weights[i * N + j] = 1.0f / (float) (i % B + 1);
  g_autoptr (HlAttention) whole = test_make_attention_full (1, 1, N, N, weights, NULL, NULL, N, B, mask);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (whole);
  hl_lens_apply (&lens, whole, source, &left, &made);
  g_autoptr (HlAttention)
    cached = test_make_attention_full (1, 1, N - HIDDEN, N, weights + HIDDEN * N, NULL, NULL, N, B, mask);
  g_autoptr (HlAttentionSource) cached_source = hl_attention_make_source (cached);
  HlAttention *const attentions[] = { whole, cached, left };
  HlAttentionSource *const sources[] = { source, cached_source, made };
  for (guint i = 0; i < G_N_ELEMENTS (attentions); i++)
    {
      g_test_message ("%u", i);
      g_assert_true (hl_head_stats_compute (attentions[i], sources[i], 0, 0, 0,
                                            hl_attention_get_n (attentions[i], HL_QUERIES), ALL, &stats, NULL, NULL));
      g_assert_cmpstr (hl_head_number_get_word (HL_HEAD_STAT_PATTERN, stats.values[HL_HEAD_STAT_PATTERN])->nick, ==,
                       "block");
    }
}

static void
test_special_tokens (void)
{
  static const char *const special[] = { "[CLS]",           "[PAD]",        "<s>",           "</s>",
                                         "<pad>",           "<unk>",        "<|endoftext|>", "<bos>",
                                         "<start_of_turn>", "<|im_start|>", "<extra_id_0>",  "<|start-of-role|>" };
  static const char *const text[] = { "",     "a",    "[",  "[]",  "<>",   "<0x0A>", "[1]", "[a]",
                                      "< s>", "<||>", "<-", "▁<s", "[CLS", "</>",    "a<s>" };

  for (guint i = 0; i < G_N_ELEMENTS (special); i++)
    g_assert_true (hl_special_token_is (special[i]));
  for (guint i = 0; i < G_N_ELEMENTS (text); i++)
    {
      g_test_message ("“%s”", text[i]);
      g_assert_false (hl_special_token_is (text[i]));
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/head-stats/numpy", test_numpy);
  g_test_add_func ("/head-stats/bands", test_bands);
  g_test_add_func ("/head-stats/cancelled", test_cancelled);
  g_test_add_func ("/head-stats/csv", test_csv);
  g_test_add_func ("/head-stats/csv-of-difference", test_csv_of_difference);
  g_test_add_func ("/head-stats/sink", test_sink);
  g_test_add_func ("/head-stats/shares", test_shares);
  g_test_add_func ("/head-stats/hidden", test_hidden);
  g_test_add_func ("/head-stats/other-text", test_other_text);
  g_test_add_func ("/head-stats/padding", test_padding);
  g_test_add_func ("/head-stats/seen", test_seen);
  g_test_add_func ("/head-stats/asked", test_asked);
  g_test_add_func ("/head-stats/block", test_block);
  g_test_add_func ("/head-stats/special-tokens", test_special_tokens);
  return g_test_run ();
}
