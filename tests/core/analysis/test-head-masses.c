/* SPDX-License-Identifier: MIT */
/* Masses by class of key and patterns of maps: worked examples, and what must hold of any map. */
#include "test-attentions.h"

#include "core/analysis/hl-head-stats.h"
#include "core/source/make/hl-source-factory.h"

#include <math.h>

#define ALL (~(HlHeadNumberSet) 0)
#define N 12

static HlHeadStats
compute (HlAttention *attention,
         guint        head)
{
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  const gsize n = hl_attention_get_n (attention, HL_QUERIES);
  HlHeadStats stats;

  g_assert_true (hl_head_stats_compute (attention, source, 0, head, 0, n, ALL, &stats, NULL, NULL));
  return stats;
}

static HlAttention *
make_attention (const float       *weights,
                guint              n_heads,
                gsize              n,
                const char *const *tokens,
                gsize              sentence_b)
{
  return test_make_attention_full (1, n_heads, n, n, weights, tokens, tokens, G_MAXSIZE, sentence_b,
                                   (HlMask){ FALSE, 0 });
}

/* The example of [CLS], a, [SEP]. */
static void
test_masses (void)
{
  static const char *const tokens[] = { "[CLS]", "a", "[SEP]", NULL };
  const float weights[] = { 0.6f, 0.1f, 0.3f, 0.5f, 0.2f, 0.3f, 0.2f, 0.2f, 0.6f };
  g_autoptr (HlAttention) attention = make_attention (weights, 1, 3, tokens, 0);
  const HlHeadStats stats = compute (attention, 0);

  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_MASS_CLS], 1.3 / 3, 1e-7);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_MASS_OTHER], 0.5 / 3, 1e-7);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_MASS_SEP], 0.4, 1e-7);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_SPECIAL], 2.5 / 3, 1e-7);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_FIRST], 1.3 / 3, 1e-7);
  g_assert_cmpfloat (stats.values[HL_HEAD_STAT_MASS_BARE_FIRST], ==, 0);
  g_assert_cmpfloat (stats.values[HL_HEAD_STAT_MASS_PUNCTUATION], ==, 0);
}

/* Where an image stands in a text is content, where it begins and ends is not; nor are two parts of it the same token. */
static void
test_images (void)
{
  static const char *const tokens[][7] = { { "<bos>", "<image>", "<image>", "a", NULL },
                                           { "<|vision_start|>", "<|image_pad|>", "<|video_pad|>", "a", NULL },
                                           { "[IMG_BREAK]", "[IMG]", "<IMG_CONTEXT>", "a", NULL },
                                           { "<start_of_image>", "<image_soft_token>", "<im_patch>", "a", NULL } };
  const float weights[] = { 1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 0.25f, 0.5f, 0.25f, 0, 0.125f, 0.25f, 0.5f, 0.125f };

  for (guint i = 0; i < G_N_ELEMENTS (tokens); i++)
    {
      g_autoptr (HlAttention) attention = make_attention (weights, 1, 4, tokens[i], G_MAXSIZE);
      const HlHeadStats stats = compute (attention, 0);

      g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_SPECIAL], 1.875 / 4, 1e-7);
      g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_FIRST], 1.875 / 4, 1e-7);
      g_assert_false (stats.values[HL_HEAD_STAT_SAME_TOKEN] > 0);
    }
}

static HlAttention *
make_weighted (const float       *weights,
               const float       *norms,
               const char *const *tokens,
               gsize              n_used)
{
  const HlShape shape = { 4, { 1, 1, 3, 3 } }, norm_shape = { 3, { 1, 1, 3 } };
  g_autoptr (HlTensor) tensor = test_make_tensor (&shape, weights);
  g_autoptr (HlTensor) norm_tensor = test_make_tensor (&norm_shape, norms);
  const HlLayerTensor layer = {
    .tensor = tensor, .layer_axis = 0, .batch_axis = -1, .head_axis = 1, .row_axis = 2, .column_axis = 3
  };
  const HlLayerTensor norm_layer = {
    .tensor = norm_tensor, .layer_axis = 0, .batch_axis = -1, .head_axis = -1, .row_axis = 1, .column_axis = 2
  };
  const HlAttentionInit init = { .weights = &layer,
                                 .value_norms = &norm_layer,
                                 .n_layers = 1,
                                 .tokens = { tokens, tokens },
                                 .n_used = { n_used, n_used } };
  return hl_attention_new (&init);
}

/* The same, weighted by what keys bring. */
static void
test_norm_masses (void)
{
  static const char *const tokens[] = { "[CLS]", "a", "[SEP]", NULL };
  const float weights[] = { 0.6f, 0.1f, 0.3f, 0.5f, 0.2f, 0.3f, 0.2f, 0.2f, 0.6f };
  const float norms[] = { 0.1f, 2, 0.2f };
  g_autoptr (HlAttention) attention = make_weighted (weights, norms, tokens, 3);
  const HlHeadStats stats = compute (attention, 0);

  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_NORM_MASS_CLS], 0.13 / 3, 1e-7);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_NORM_MASS_OTHER], 1.0 / 3, 1e-7);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_NORM_MASS_SEP], 0.08, 1e-7);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_NORM_MASS_SPECIAL], 0.37 / 3, 1e-7);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_NORM_SHARE_CLS], 0.0949, 5e-5);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_NORM_SHARE_OTHER], 0.7299, 5e-5);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_NORM_SHARE_SEP], 0.1752, 5e-5);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_NORM_MASS_SELF], (0.06 + 0.4 + 0.12) / 3, 1e-7);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_NORM_MASS_PREVIOUS], (0.05 + 0.4) / 3, 1e-7);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_NORM_SHARE_NEXT], (0.2 + 0.06) / 1.37, 1e-7);

  /* What a file does not have is said. */
  g_autoptr (HlAttention) bare = make_attention (weights, 1, 3, tokens, 0);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (bare);
  const HlHeadNumberRequest request = { .attention = bare, .source = source, .n_queries = 3 };
  g_autoptr (GError) error = NULL;
  g_assert_true (isnan (compute (bare, 0).values[HL_HEAD_STAT_NORM_MASS_CLS]));
  g_assert_false (hl_head_number_check (HL_HEAD_STAT_NORM_MASS_CLS, &request, &error));
  g_assert_nonnull (strstr (error->message, "needs values"));
}

/* The same again, of what queries of one class look at, and of what tokens of one class bring. */
static void
test_query_classes (void)
{
  static const char *const tokens[] = { "[CLS]", "a", "[SEP]", NULL };
  static const char *const words[] = { "b", "a", "c", NULL };
  const float weights[] = { 0.6f, 0.1f, 0.3f, 0.5f, 0.2f, 0.3f, 0.2f, 0.2f, 0.6f };
  const float norms[] = { 0.1f, 2, 0.2f };
  g_autoptr (HlAttention) attention = make_weighted (weights, norms, tokens, 3);
  g_autoptr (HlAttention) without = make_weighted (weights, norms, words, 3);
  const HlHeadStats stats = compute (attention, 0);
  const HlHeadStats none = compute (without, 0);

  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_SEP_TO_SEP], 0.6, 1e-7);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_OTHERS_TO_SEP], 0.3, 1e-7);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_ENTROPY_CLS],
                                  -0.6 * log (0.6) - 0.1 * log (0.1) - 0.3 * log (0.3), 1e-6);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_LENGTH_SPECIAL], 0.15, 1e-7);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_LENGTH_CLS], 0.1, 1e-7);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_LENGTH_SEP], 0.2, 1e-7);
  g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_LENGTH_OTHER], 2, 1e-7);
  g_assert_true (isnan (stats.values[HL_HEAD_STAT_LENGTH_PUNCTUATION]));

  /* Where no query is of the class, there is no number; where no key is, the weight on such keys is nothing. */
  g_assert_true (isnan (none.values[HL_HEAD_STAT_SEP_TO_SEP]));
  g_assert_true (isnan (none.values[HL_HEAD_STAT_ENTROPY_CLS]));
  g_assert_true (isnan (none.values[HL_HEAD_STAT_LENGTH_SPECIAL]));
  g_assert_cmpfloat (none.values[HL_HEAD_STAT_OTHERS_TO_SEP], ==, 0);
  g_assert_cmpfloat_with_epsilon (none.values[HL_HEAD_STAT_LENGTH_FIRST], 0.1, 1e-7);
}

/* A token that is padding brings nothing to the mean of its class. */
static void
test_padding (void)
{
  static const char *const tokens[] = { "[CLS]", "a", "[PAD]", NULL };
  const float weights[] = { 0.6f, 0.4f, 0, 0.5f, 0.5f, 0, 0.5f, 0.5f, 0 };
  const float norms[] = { 0.1f, 2, 7 };
  g_autoptr (HlAttention) attention = make_weighted (weights, norms, tokens, 2);

  g_assert_cmpfloat_with_epsilon (compute (attention, 0).values[HL_HEAD_STAT_LENGTH_SPECIAL], 0.1, 1e-7);
}

/* Every query looks at one key alone: the mass is 1 in the class that the key is of, and 0 in the others. */
static void
test_classes (void)
{
  static const struct
  {
    const char *token;
    HlHeadStat stat;
  } cases[] = {
    { "[CLS]", HL_HEAD_STAT_MASS_CLS },       { "<s>", HL_HEAD_STAT_MASS_CLS },
    { "<bos>", HL_HEAD_STAT_MASS_CLS },       { "<|begin_of_text|>", HL_HEAD_STAT_MASS_CLS },
    { "[SEP]", HL_HEAD_STAT_MASS_SEP },       { "</s>", HL_HEAD_STAT_MASS_SEP },
    { "<|im_end|>", HL_HEAD_STAT_MASS_SEP },  { "<|endoftext|>", HL_HEAD_STAT_MASS_SEP },
    { "[MASK]", HL_HEAD_STAT_MASS_OTHER },    { "<unk>", HL_HEAD_STAT_MASS_OTHER },
    { ".", HL_HEAD_STAT_MASS_PUNCTUATION },   { "##,", HL_HEAD_STAT_MASS_PUNCTUATION },
    { "...", HL_HEAD_STAT_MASS_PUNCTUATION }, { "«", HL_HEAD_STAT_MASS_PUNCTUATION },
    { "。", HL_HEAD_STAT_MASS_PUNCTUATION },  { "_", HL_HEAD_STAT_MASS_PUNCTUATION },
    { "$", HL_HEAD_STAT_MASS_OTHER },         { "+", HL_HEAD_STAT_MASS_OTHER },
    { "a.", HL_HEAD_STAT_MASS_OTHER },        { "s", HL_HEAD_STAT_MASS_OTHER },
  };
  static const HlHeadStat classes[] = { HL_HEAD_STAT_MASS_CLS, HL_HEAD_STAT_MASS_SEP, HL_HEAD_STAT_MASS_BARE_FIRST,
                                        HL_HEAD_STAT_MASS_PUNCTUATION, HL_HEAD_STAT_MASS_OTHER };
  const float weights[] = { 0, 1, 0, 0, 1, 0, 0, 1, 0 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const tokens[] = { "play", cases[i].token, "##ing", NULL };
      g_autoptr (HlAttention) attention = make_attention (weights, 1, 3, tokens, 0);
      const HlHeadStats stats = compute (attention, 0);

      g_test_message ("“%s”", cases[i].token);
      for (guint j = 0; j < G_N_ELEMENTS (classes); j++)
        g_assert_cmpfloat (stats.values[classes[j]], ==, classes[j] == cases[i].stat);
    }
}

/* Where spaces are spelt Ġ, a comma behind one is punctuation; a first token is of no other class. */
static void
test_first (void)
{
  static const char *const tokens[] = { "\"", "Ġ,", "Ġa", NULL };
  const float weights[] = { 0.5f, 0.25f, 0.25f, 0.5f, 0.25f, 0.25f, 0.5f, 0.25f, 0.25f };
  g_autoptr (HlAttention) attention = make_attention (weights, 1, 3, tokens, 0);
  const HlHeadStats stats = compute (attention, 0);

  g_assert_cmpfloat (stats.values[HL_HEAD_STAT_MASS_BARE_FIRST], ==, 0.5);
  g_assert_cmpfloat (stats.values[HL_HEAD_STAT_MASS_PUNCTUATION], ==, 0.25);
  g_assert_cmpfloat (stats.values[HL_HEAD_STAT_MASS_OTHER], ==, 0.25);
}

/* The five classes share out the weights of any map. */
static void
test_sum (void)
{
  static const char *const tokens[] = { "[CLS]", "a",  ",",   "b", "[SEP]", "[MASK]", "c",
                                        ".",     "!?", "<s>", "d", "[SEP]", NULL };
  g_autofree float *weights = test_make_weights (7, 3, N, N);

  for (guint first = 0; first < 3; first++)
    {
      const char *own[N + 1];

      for (guint i = 0; i <= N; i++)
        own[i] = i < N ? tokens[(i + first) % N] : NULL;
      g_autoptr (HlAttention) attention = make_attention (weights, 3, N, own, 0);
      for (guint head = 0; head < 3; head++)
        {
          const HlHeadStats stats = compute (attention, head);

          g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_MASS_CLS] + stats.values[HL_HEAD_STAT_MASS_SEP] +
                                            stats.values[HL_HEAD_STAT_MASS_BARE_FIRST] +
                                            stats.values[HL_HEAD_STAT_MASS_PUNCTUATION] +
                                            stats.values[HL_HEAD_STAT_MASS_OTHER],
                                          1, 1e-6);
        }
    }
}

/* What a query has for keys: at a column, at an offset, and evenly on those of its sentence, which begins at 0 or 6. */
static void
fill (float *weights,
      float  column,
      float  diagonal,
      float  sentence)
{
  for (guint i = 0; i < N; i++)
    {
      const guint start = i < N / 2 ? 0 : N / 2;

      for (guint j = 0; j < N; j++)
        weights[i * N + j] = (1 - column - diagonal - sentence) / N;
      weights[i * N] += column;
      weights[i * N + MAX (i, 1) - 1] += diagonal;
      for (guint j = start; j < start + N / 2; j++)
        weights[i * N + j] += sentence / (N / 2);
    }
}

static void
test_patterns (void)
{
  static const struct
  {
    float column, diagonal, sentence;
    gsize sentence_b;
    const char *pattern;
  } cases[] = {
    { 0.8f, 0, 0, 0, "vertical" },      { 0, 0.8f, 0, 0, "diagonal" },       { 0.4f, 0.4f, 0, 0, "vertical+diagonal" },
    { 0, 0, 0.96f, 6, "block" },        { 0, 0, 0.96f, 0, "heterogeneous" }, { 0, 0, 0, 0, "heterogeneous" },
    { 0, 0, 0.7f, 6, "heterogeneous" }, { 0.8f, 0, 0, 6, "vertical" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      float weights[N * N];

      fill (weights, cases[i].column, cases[i].diagonal, cases[i].sentence);
      g_autoptr (HlAttention) attention = make_attention (weights, 1, N, NULL, cases[i].sentence_b);
      const HlHeadStats stats = compute (attention, 0);
      const HlHeadNumberWord *word = hl_head_number_get_word (HL_HEAD_STAT_PATTERN, stats.values[HL_HEAD_STAT_PATTERN]);
      g_test_message ("%u", i);
      g_assert_nonnull (word);
      g_assert_cmpstr (word->nick, ==, cases[i].pattern);
    }
  g_assert_null (hl_head_number_get_word (HL_HEAD_STAT_PATTERN, NAN));
  g_assert_null (hl_head_number_get_word (HL_HEAD_STAT_SINK, 0));
}

/* Each number can be found by its names, and by no other. */
static void
test_names (void)
{
  HlHeadStat found;

  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    {
      const HlHeadNumber *number = hl_head_number_get (stat);

      g_assert_true (hl_head_number_find (number->nick, &found));
      g_assert_cmpint (found, ==, stat);
      g_assert_true (number->other_nick == NULL || (hl_head_number_find (number->other_nick, &found) && found == stat));
      g_assert_nonnull (number->sentence);
    }
  g_assert_true (hl_head_number_find ("mass-special", &found));
  g_assert_cmpint (found, ==, HL_HEAD_STAT_SPECIAL);
  g_assert_false (hl_head_number_find ("mass", &found));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/head-masses/example", test_masses);
  g_test_add_func ("/head-masses/images", test_images);
  g_test_add_func ("/head-masses/norms", test_norm_masses);
  g_test_add_func ("/head-masses/query-classes", test_query_classes);
  g_test_add_func ("/head-masses/padding", test_padding);
  g_test_add_func ("/head-masses/classes", test_classes);
  g_test_add_func ("/head-masses/first", test_first);
  g_test_add_func ("/head-masses/sum", test_sum);
  g_test_add_func ("/head-masses/patterns", test_patterns);
  g_test_add_func ("/head-masses/names", test_names);
  return g_test_run ();
}
