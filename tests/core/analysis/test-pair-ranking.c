/* SPDX-License-Identifier: MIT */
/* Words found among tokens however they are spelled, and heads ranked by what links them: against plain loops in double. */
#include "test-attentions.h"
#include "test-dumps.h"
#include "test-stats.h"

#include "core/analysis/hl-head-numbers.h"
#include "core/analysis/hl-head-stats-csv.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/source/make/hl-source-factory.h"

#include <math.h>

#define N 9

static const char *const wordpiece[] = {
  "[CLS]", "sarah", "her", "##self", "saw", "her", "new", "york", "[SEP]", NULL
};
static const char *const byte_level[] = { "Sar", "ah", "Ġsaw", "Ġher", ".", "ĠHer", "Ġcaf", "Ã©", "Ġdon", "'t", NULL };
static const char *const sentence_piece[] = { "<s>", "▁her", "▁", "Sarah", "▁self", "her", "</s>", NULL };
static const char *const ends[] = { "sar", "ah</w>", "her</w>", "self</w>", NULL };
static const char *const from_right[] = {
  "[CLS]", "שלום", "##ים", "\xE2\x81\xA8", "ab\xE2\x80\x8E", "؟", "[SEP]", NULL
};
static const char *const zero[] = { "Ġab", "cĀd", "Ġabc", "ĠÃ©", NULL }; /* with the byte 0 */
static const char *const plain[] = { "her", "#2", "a", ":", "b", "her", NULL };
static const char *const hashed[] = { "#", "2", "\n", "#", "b", NULL };

static gsize
count (const char *const *tokens)
{
  return g_strv_length ((char **) tokens);
}

typedef struct
{
  const char *const *tokens;
  const char *text;
  guint n_places;
  gsize first;
  gsize n;
} Case;

static void
test_matcher (void)
{
  static const Case cases[] = {
    { wordpiece, "her", 1, 5, 1 },
    { wordpiece, "HER", 1, 5, 1 },
    { wordpiece, "herself", 1, 2, 2 },
    { wordpiece, "Sarah", 1, 1, 1 },
    { wordpiece, "self", 1, 3, 1 },
    { wordpiece, "##self", 1, 3, 1 },
    { wordpiece, "New York", 1, 6, 2 },
    { wordpiece, "[CLS]", 1, 0, 1 },
    { wordpiece, "yor", 0, 0, 0 },
    { wordpiece, "", 0, 0, 0 },
    { byte_level, "Sarah", 1, 0, 2 },
    { byte_level, "her", 1, 3, 1 },
    { byte_level, "Her", 1, 5, 1 },
    { byte_level, "HER", 2, 3, 1 },
    { byte_level, "Ġher", 1, 3, 1 },
    { byte_level, "café", 1, 6, 2 },
    { byte_level, "don't", 1, 8, 2 },
    { byte_level, ".", 1, 4, 1 },
    { byte_level, "ah", 1, 1, 1 },
    { sentence_piece, "her", 1, 1, 1 },
    { sentence_piece, "Sarah", 1, 3, 1 },
    { sentence_piece, "selfher", 1, 4, 2 },
    { sentence_piece, "▁", 1, 2, 1 },
    { ends, "sarah", 1, 0, 2 },
    { ends, "her", 1, 2, 1 },
    { ends, "herself", 1, 2, 2 },
    { ends, "sar", 1, 0, 1 },
    { zero, "abc", 1, 2, 1 },
    { zero, "c", 0, 0, 0 },
    { zero, "É", 1, 3, 1 },
    { plain, "her", 2, 0, 1 },
    { plain, "#2", 1, 1, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HlTokenMatcher) matcher = hl_token_matcher_new (cases[i].tokens, count (cases[i].tokens));
      HlTokenRun run = { 0, 0 };

      g_test_message ("“%s”", cases[i].text);
      g_assert_cmpuint (hl_token_matcher_find (matcher, cases[i].text, 0, &run), ==, cases[i].n_places);
      g_assert_cmpuint (run.first, ==, cases[i].first);
      g_assert_cmpuint (run.n, ==, cases[i].n);
    }
}

/* Every token, and all that stand together, are found again where they stand. */
static void
test_spell (void)
{
  static const char *const *const lists[] = { wordpiece, byte_level, sentence_piece, ends, from_right, plain, hashed };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      const gsize n = count (lists[i]);
      g_autofree float *weights = test_make_weights (1, 1, n, n);
      g_autoptr (HlAttention) attention =
        test_make_attention_full (1, 1, n, n, weights, lists[i], lists[i], G_MAXSIZE, 0, (HlMask){ FALSE, 0 });

      for (gsize place = 0; place < 3 * n; place++)
        {
          const HlTokenRun query = { place / 3, MIN (place % 3 + 1, n - place / 3) }, key = { n - 1 - place / 3, 1 };
          g_autofree char *text = hl_token_pairs_spell (attention, query, key);
          g_autoptr (GError) error = NULL;
          g_autoptr (HlTokenPairs) pairs = hl_token_pairs_parse (attention, text, &error);

          g_test_message ("%s", text);
          g_assert_no_error (error);
          const HlTokenPair *pair = hl_token_pairs_get (pairs, 0);
          g_assert_cmpuint (pair->queries.first, ==, query.first);
          g_assert_cmpuint (pair->queries.n, ==, query.n);
          g_assert_cmpuint (pair->keys.first, ==, key.first);
          g_assert_cmpuint (pair->keys.n, ==, 1);

          /* Also as it stands in an entry, in which the arrow points from the query to the key. */
          g_autofree char *isolated = hl_token_pairs_isolate (text);
          g_autoptr (HlTokenPairs) again = hl_token_pairs_parse (attention, isolated, &error);
          g_assert_no_error (error);
          g_assert_true (hl_token_pairs_equal (again, pairs));
          g_assert_true (lists[i] == from_right || g_str_equal (isolated, text));
        }
    }

  g_autofree char *shown = hl_token_pairs_isolate ("שלום->ab");
  g_assert_cmpstr (shown, ==, "\xE2\x80\x8E\xE2\x81\xA8שלום\xE2\x81\xA9 → ab");
  g_autofree char *no_pair = hl_token_pairs_isolate ("שלום");
  g_assert_cmpstr (no_pair, ==, "שלום");

  /* “her#2” would be the first two tokens. */
  g_autoptr (HlTokenMatcher) matcher = hl_token_matcher_new (plain, count (plain));
  g_autofree char *by_place = hl_token_matcher_spell (matcher, (HlTokenRun){ 5, 1 });
  g_assert_cmpstr (by_place, ==, "#5");
  /* “#2” too. */
  g_autoptr (HlTokenMatcher) marks = hl_token_matcher_new (hashed, count (hashed));
  g_autofree char *by_span = hl_token_matcher_spell (marks, (HlTokenRun){ 2, 1 });
  g_assert_cmpstr (by_span, ==, "#2-2");
  g_autoptr (HlTokenMatcher) rest = hl_token_matcher_new (plain + 2, count (plain) - 2);
  g_autofree char *word = hl_token_matcher_spell (rest, (HlTokenRun){ 3, 1 });
  g_assert_cmpstr (word, ==, "her");
  static const char *const twice[] = { "her", "a", "her", NULL };
  g_autoptr (HlTokenMatcher) both = hl_token_matcher_new (twice, count (twice));
  g_autofree char *second = hl_token_matcher_spell (both, (HlTokenRun){ 2, 1 });
  g_assert_cmpstr (second, ==, "her#2");
}

static void
test_list (void)
{
  static const char *const twice[] = { "[CLS]", "her", "her", "##self", "her", "[SEP]", NULL };
  static const char *const words[] = { "[CLS]", "her#1", "herself", "her#2", "[SEP]" };
  g_autoptr (HlTokenMatcher) matcher = hl_token_matcher_new (twice, count (twice));
  g_autoptr (GPtrArray) list = hl_token_matcher_list (matcher, 100);
  g_autoptr (GPtrArray) few = hl_token_matcher_list (matcher, 2);

  g_assert_cmpuint (list->len, ==, G_N_ELEMENTS (words));
  for (guint i = 0; i < list->len; i++)
    g_assert_cmpstr (g_ptr_array_index (list, i), ==, words[i]);
  g_assert_cmpuint (few->len, ==, 2);
}

static HlAttention *
make_attention (const float *weights)
{
  return test_make_attention_full (2, 3, N, N, weights, wordpiece, wordpiece, G_MAXSIZE, 0, (HlMask){ FALSE, 0 });
}

static void
test_parse (void)
{
  g_autofree float *weights = test_make_weights (1, 6, N, N);
  g_autoptr (HlAttention) attention = make_attention (weights);
  static const struct
  {
    const char *text;
    int code;
    const char *says;
  } wrong[] = {
    { "", HL_ERROR_MISSING, "query → key" },
    { " \n\n", HL_ERROR_MISSING, "query → key" },
    { "her", HL_ERROR_VALUE, "“her” is no pair" },
    { "her →", HL_ERROR_VALUE, "no pair" },
    { "he → sarah", HL_ERROR_MISSING, "no “he” among the queries" },
    { "her → tom", HL_ERROR_MISSING, "no “tom” among the keys" },
    { "her#2 → sarah", HL_ERROR_MISSING, "“her” is there 1 time among the queries" },
    { "her → tom#2", HL_ERROR_MISSING, "no “tom” among the keys" },
    { "#9 → sarah", HL_ERROR_MISSING, "“#9”" },
    { "#99999999999999999999 → sarah", HL_ERROR_MISSING, "queries" },
    { "her → e", HL_ERROR_MISSING, "keys" },
    { "her#0 → sarah", HL_ERROR_MISSING, "queries" },
    { "her → sarah\n\nhim → sarah", HL_ERROR_MISSING, "line 3: there is no “him”" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (hl_token_pairs_parse (attention, wrong[i].text, &error));
      g_test_message ("“%s”: %s", wrong[i].text, error->message);
      g_assert_error (error, HL_ERROR, wrong[i].code);
      g_assert_nonnull (strstr (error->message, wrong[i].says));
    }

  static const char *const same[] = { "her → sarah", "her->sarah", "her:sarah", " her\tSarah \n", "\nher#1 : #1" };
  for (guint i = 0; i < G_N_ELEMENTS (same); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (HlTokenPairs) pairs = hl_token_pairs_parse (attention, same[i], &error);

      g_assert_no_error (error);
      g_assert_cmpuint (hl_token_pairs_get_n (pairs), ==, 1);
      g_assert_cmpuint (hl_token_pairs_get (pairs, 0)->queries.first, ==, 5);
      g_assert_cmpuint (hl_token_pairs_get (pairs, 0)->keys.first, ==, 1);
    }

  static const char *const colons[] = { "a", ":", "->", "b", NULL };
  g_autofree float *few = test_make_weights (1, 1, 4, 4);
  g_autoptr (HlAttention)
    odd = test_make_attention_full (1, 1, 4, 4, few, colons, colons, G_MAXSIZE, 0, (HlMask){ FALSE, 0 });
  g_autoptr (HlTokenPairs) pairs = hl_token_pairs_parse (odd, ": → a\na : :\n-> → b", NULL);
  g_assert_cmpuint (hl_token_pairs_get_n (pairs), ==, 3);
  g_assert_cmpuint (hl_token_pairs_get (pairs, 0)->queries.first, ==, 1);
  g_assert_cmpuint (hl_token_pairs_get (pairs, 1)->keys.first, ==, 1);
  g_assert_cmpuint (hl_token_pairs_get (pairs, 2)->queries.first, ==, 2);
}

/* Two tokens in turns. */
static HlAttention *
make_long_attention (gsize       n,
                     const char *even,
                     const char *odd)
{
  const HlShape shape = { 4, { 1, 1, n, n } };
  const gint64 strides[4] = { 0 };
  const float number = 1;
  g_autofree const char **tokens = g_new0 (const char *, n + 1);
  g_autoptr (GBytes) bytes = g_bytes_new (&number, sizeof number);
  g_autoptr (HlTensor) tensor = hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, strides, FALSE, bytes, 0, NULL);
  const HlLayerTensor layer = { tensor, 0, 0, -1, 0, 1, 2, 3 };

  for (gsize i = 0; i < n; i++)
    tokens[i] = i % 2 == 0 ? even : odd;
  const HlAttentionInit init = {
    .kind = HL_ATTENTION_SELF, .weights = &layer, .n_layers = 1, .tokens = { tokens, tokens }, .n_used = { n, n }
  };
  return hl_attention_new (&init);
}

/* Words that are there several times are told by a number, which is no part of any: as many pairs as there may be. */
static void
test_numbered (void)
{
  g_autoptr (HlAttention) attention = make_long_attention (20000, "her", "dog");
  g_autoptr (GString) numbered = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < HL_LIMIT_PAIRS; i++)
    g_string_append_printf (numbered, "her#%u → dog#%u\n", i + 1, i + 1);
  g_autoptr (HlTokenPairs) pairs = hl_token_pairs_parse (attention, numbered->str, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (hl_token_pairs_get_n (pairs), ==, HL_LIMIT_PAIRS);
  g_assert_cmpuint (hl_token_pairs_get (pairs, HL_LIMIT_PAIRS - 1)->keys.first, ==, 2 * HL_LIMIT_PAIRS - 1);
}

/* Each pair is looked for among all tokens that begin as it does, up to what many pairs may take. */
static void
test_too_many (void)
{
  g_autoptr (HlAttention) attention = make_long_attention (20000, "#É0123456789", "#e");
  g_autoptr (GString) few = g_string_new (NULL);
  g_autoptr (GString) many = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 4096; i++)
    {
      g_string_append_printf (many, "#%u → #1\n", i);
      if (i < 100)
        g_string_append_printf (few, "#%u → #1\n", i);
    }
  g_autoptr (HlTokenPairs) pairs = hl_token_pairs_parse (attention, few->str, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (hl_token_pairs_get_n (pairs), ==, 100);
  g_assert_null (hl_token_pairs_parse (attention, many->str, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_assert_true (g_str_has_suffix (error->message, ": there is too much text to look for so many words in it"));
}

/* A word of all tokens, and one that is begun by half of them wherever one stands. */
static void
test_long_word (void)
{
  const gsize n = 50000;
  g_autofree const char **tokens = g_new (const char *, n + 1);
  g_autofree char *word = g_strnfill (n / 2, 'a');
  g_autofree char *all = g_strnfill (n, 'a');
  HlTokenRun run;

  for (gsize i = 0; i < n; i++)
    tokens[i] = i == 0 ? "a" : "##a";
  tokens[n] = "cb";
  word[n / 2 - 1] = 'b';
  g_autoptr (HlTokenMatcher) matcher = hl_token_matcher_new (tokens, n + 1);
  g_assert_cmpuint (hl_token_matcher_find (matcher, all, 0, &run), ==, 1);
  g_assert_cmpuint (run.n, ==, n);
  g_assert_false (hl_token_matcher_gave_up (matcher));
  g_assert_cmpuint (hl_token_matcher_find (matcher, word, 0, &run), ==, 0);
  g_assert_true (hl_token_matcher_gave_up (matcher));
  /* It is told by its place. */
  g_autofree char *spelled = hl_token_matcher_spell (matcher, (HlTokenRun){ 7, n / 2 });
  g_assert_true (g_str_equal (spelled, "#7-25006"));
}

/* Of a character of three bytes thirty-three are kept to be compared. */
static void
test_folded_text (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const char *tokens[1 + 26] = { "she" };
  HlTokenRun run;

  for (guint i = 0; i < 20000; i++)
    g_string_append (text, "\uFDFA");
  for (guint i = 1; i < G_N_ELEMENTS (tokens); i++)
    tokens[i] = text->str;
  g_autoptr (HlTokenMatcher) few = hl_token_matcher_new (tokens, 20);
  g_assert_cmpuint (hl_token_matcher_find (few, "SHE", 0, &run), ==, 1);
  g_assert_cmpuint (hl_token_matcher_find (few, "zebra", 0, &run), ==, 0);
  g_assert_false (hl_token_matcher_gave_up (few));
  g_autoptr (HlTokenMatcher) many = hl_token_matcher_new (tokens, G_N_ELEMENTS (tokens));
  g_assert_cmpuint (hl_token_matcher_find (many, "she", 0, &run), ==, 1);
  g_assert_false (hl_token_matcher_gave_up (many));
  g_assert_cmpuint (hl_token_matcher_find (many, "zebra", 0, &run), ==, 0);
  g_assert_true (hl_token_matcher_gave_up (many));
}

/* The definition, in plain loops. */
static double
get_expected (const float       *weights,
              guint              head,
              const HlTokenPair *pair)
{
  double sum = 0;

  for (gsize query = pair->queries.first; query < pair->queries.first + pair->queries.n; query++)
    for (gsize key = pair->keys.first; key < pair->keys.first + pair->keys.n; key++)
      sum += weights[(head * N + query) * N + key];
  return sum / (double) pair->queries.n;
}

static void
test_weights (void)
{
  g_autofree float *weights = test_make_weights (7, 6, N, N);
  g_autoptr (HlAttention) attention = make_attention (weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (GError) error = NULL;
  /* Words of several pieces on either side, one pair twice, queries out of order. */
  g_autoptr (HlTokenPairs) pairs =
    hl_token_pairs_parse (attention, "saw:sarah\nher:sarah\nherself:new york\nher:saw\nher:sarah\nNew York:herself",
                          &error);
  g_assert_no_error (error);
  g_autoptr (HlPairRanking) ranking = hl_pair_ranking_compute (source, pairs, NULL, &error);
  g_assert_no_error (error);

  g_assert_cmpuint (hl_pair_ranking_get_n (ranking), ==, 6);
  g_assert_cmpuint (hl_token_pairs_get (pairs, 2)->queries.n, ==, 2);
  for (guint head = 0; head < 6; head++)
    {
      double sum = 0;
      for (guint pair = 0; pair < 6; pair++)
        {
          const double expected = get_expected (weights, head, hl_token_pairs_get (pairs, pair));
          g_assert_cmpfloat_with_epsilon (hl_pair_ranking_get_pair_weight (ranking, head, pair), expected, 1e-9);
          sum += expected;
        }
      g_assert_cmpfloat_with_epsilon (hl_pair_ranking_get_weight (ranking, head), sum / 6, 1e-9);
      guint n_greater = 0;
      for (guint other = 0; other < 6; other++)
        n_greater += hl_pair_ranking_get_weight (ranking, other) > hl_pair_ranking_get_weight (ranking, head);
      g_assert_cmpuint (hl_pair_ranking_get_rank (ranking, head), ==, n_greater + 1);
    }
}

static void
test_ranks (void)
{
  g_autofree float *weights = g_new0 (float, 6 * N * N);
  static const float values[] = { 0.25f, 0.5f, NAN, 0.5f, 0.125f, 0.25f };
  static const guint ranks[] = { 3, 1, 0, 1, 5, 3 };
  static const guint order[] = { 1, 3, 0, 5, 4, 2 };

  for (guint head = 0; head < 6; head++)
    weights[(head * N + 5) * N + 1] = values[head];
  g_autoptr (HlAttention) attention = make_attention (weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlTokenPairs) pairs = hl_token_pairs_parse (attention, "her → sarah", NULL);
  g_autoptr (HlPairRanking) ranking = hl_pair_ranking_compute (source, pairs, NULL, NULL);
  for (guint head = 0; head < 6; head++)
    g_assert_cmpuint (hl_pair_ranking_get_rank (ranking, head), ==, ranks[head]);

  g_autoptr (HlHeadNumbers) none = hl_head_numbers_new (attention, 0, N);
  g_assert_false (hl_head_numbers_knows (none, HL_HEAD_MEASURE_PAIR));
  g_autoptr (HlHeadNumbers) numbers = hl_head_numbers_set_ranking (none, ranking);
  g_assert_true (hl_head_numbers_knows (numbers, HL_HEAD_MEASURE_PAIR));
  g_autofree guint *sorted = hl_head_numbers_sort (numbers, HL_HEAD_MEASURE_PAIR);
  g_assert_cmpmem (sorted, sizeof order, order, sizeof order);
}

/* What is known grows, and what was known before stays as it was. */
static void
test_numbers (void)
{
  g_autofree float *weights = test_make_weights (3, 6, N, N);
  g_autoptr (HlAttention) attention = make_attention (weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  const HlHeadNumberSet usual = hl_head_number_get_usual (), pattern = HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_PATTERN);
  guint first, n;
  g_autofree HlHeadStats *all = test_compute_stats (attention, source, N, usual, NULL, NULL);
  HlHeadStats some[4];

  g_assert_true (hl_head_stats_compute_range (attention, source, 0, N, 2, 4, usual, some, NULL, NULL));
  g_assert_cmpmem (some, sizeof some, all + 2, sizeof some);

  g_autoptr (HlHeadNumbers) none = hl_head_numbers_new (attention, 0, N);
  g_autoptr (HlHeadNumbers) two = hl_head_numbers_add_stats (none, 0, 2, usual, all);
  g_autoptr (HlHeadNumbers) numbers = hl_head_numbers_add_stats (two, 2, 4, usual, some);
  g_assert_cmpuint (hl_head_numbers_get_n_known (none, usual), ==, 0);
  g_assert_cmpuint (hl_head_numbers_get_n_known (two, usual), ==, 2);
  g_assert_cmpuint (hl_head_numbers_get_n_known (two, usual | pattern), ==, 0);
  /* What is known of fewer heads is found out first, then both together. */
  g_assert_cmpuint (hl_head_numbers_find_next (two, usual | pattern, &first, &n), ==, pattern);
  g_assert_cmpuint (first, ==, 0);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (hl_head_numbers_find_next (two, usual, &first, &n), ==, usual);
  g_assert_cmpuint (first, ==, 2);
  g_assert_cmpuint (n, ==, 4);
  g_assert_cmpuint (hl_head_numbers_find_next (numbers, usual, &first, &n), ==, 0);
  g_assert_false (hl_head_numbers_knows (two, HL_HEAD_MEASURE_SELF));
  g_assert_true (isnan (hl_head_numbers_get (two, HL_HEAD_MEASURE_SELF, 2)));
  g_assert_true (hl_head_numbers_knows (numbers, HL_HEAD_MEASURE_SELF));
  g_assert_cmpuint (hl_head_numbers_get_n (numbers), ==, 6);
  g_assert_cmpuint (hl_head_numbers_get_layer (numbers, 4), ==, 1);
  g_assert_cmpuint (hl_head_numbers_get_head (numbers, 4), ==, 1);
  g_assert_cmpuint (hl_head_numbers_get_index (numbers, 1, 1), ==, 4);
  g_assert_true (hl_head_numbers_is_of (numbers, attention, 0, N));
  g_assert_false (hl_head_numbers_is_of (numbers, attention, 1, N));
  for (HlHeadMeasure measure = HL_HEAD_MEASURE_STATS; measure < HL_HEAD_MEASURE_PAIR; measure++)
    {
      if (!(usual & hl_head_measure_get_set (measure)))
        continue;
      g_autofree guint *order = hl_head_numbers_sort (numbers, measure);
      for (guint i = 0; i + 1 < 6; i++)
        g_assert_cmpfloat (hl_head_numbers_get (numbers, measure, order[i]), >=,
                           hl_head_numbers_get (numbers, measure, order[i + 1]));
      g_assert_cmpfloat (hl_head_numbers_get (numbers, measure, 3), ==, all[3].values[measure - 1]);
    }
}

/* Of a head that is not there nothing is known. */
static void
test_no_head (void)
{
  g_autofree float *weights = test_make_weights (3, 6, N, N);
  g_autoptr (HlAttention) attention = make_attention (weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlTokenPairs) pairs = hl_token_pairs_parse (attention, "her → sarah", NULL);
  g_autoptr (HlPairRanking) ranking = hl_pair_ranking_compute (source, pairs, NULL, NULL);
  const HlHeadPairing pairing = { -1, -1 };
  g_autoptr (HlComparison) comparison = hl_comparison_new (attention, source, attention, source, &pairing, NULL);
  g_autoptr (GArray) changes = hl_head_changes_compute (comparison, NULL, NULL);
  g_autoptr (HlHeadNumbers) none = hl_head_numbers_new (attention, 0, N);
  g_autoptr (HlHeadNumbers) ranked = hl_head_numbers_set_ranking (none, ranking);
  g_autoptr (HlHeadNumbers) numbers = hl_head_numbers_set_changes (ranked, comparison, changes);

  for (guint i = 0; i < 60; i++)
    {
      g_assert_true (isnan (hl_head_numbers_get (numbers, HL_HEAD_MEASURE_CHANGE, i)) == (i >= 6));
      g_assert_true (isnan (hl_head_numbers_get (numbers, HL_HEAD_MEASURE_PAIR, i)) == (i >= 6));
    }
}

static void
test_csv (void)
{
  const float weights[] = { 1, 0, 0.5f, 0.5f, 0.25f, 0.75f, 1, 0 };
  static const char *const tokens[] = { "a,b", "c", NULL };
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "heads.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (HlAttention)
    attention = test_make_attention_full (1, 2, 2, 2, weights, tokens, tokens, G_MAXSIZE, 0, (HlMask){ FALSE, 0 });
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlTokenPairs) pairs = hl_token_pairs_parse (attention, "c → a,b\na,b → c", NULL);
  g_autoptr (HlPairRanking) ranking = hl_pair_ranking_compute (source, pairs, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  const HlHeadNumberRequest request = { .attention = attention, .source = source, .n_queries = 2 };
  g_autoptr (HlHeadNumbers) none = hl_head_numbers_new (attention, 0, 2);
  g_autoptr (HlHeadNumbers) known = hl_head_numbers_set_ranking (none, ranking);
  g_assert_true (hl_head_stats_csv_save (&request, known, hl_head_number_get_usual (), NULL, file, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (
    text, ==,
    "block,layer,head,entropy,distance,first,special,previous,next,self,sink,weight,rank,\"c → a,b\",\"a,b → c\"\r\n"
    "attention,0,0,0.346574,0.25,0.75,0,0.25,0,0.75,0.75,0.25,2,0.5,0\r\n"
    "attention,0,1,0.281168,0.875,0.625,0,0.5,0.375,0.125,0.625,0.875,1,1,0.75\r\n");
  test_remove_folder (folder);
}

static void
test_cancelled (void)
{
  g_autofree float *weights = test_make_weights (1, 6, N, N);
  g_autoptr (HlAttention) attention = make_attention (weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlTokenPairs) pairs = hl_token_pairs_parse (attention, "her → sarah", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (hl_pair_ranking_compute (source, pairs, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pair-ranking/matcher", test_matcher);
  g_test_add_func ("/pair-ranking/spell", test_spell);
  g_test_add_func ("/pair-ranking/list", test_list);
  g_test_add_func ("/pair-ranking/parse", test_parse);
  g_test_add_func ("/pair-ranking/numbered", test_numbered);
  g_test_add_func ("/pair-ranking/too-many", test_too_many);
  g_test_add_func ("/pair-ranking/long-word", test_long_word);
  g_test_add_func ("/pair-ranking/folded-text", test_folded_text);
  g_test_add_func ("/pair-ranking/weights", test_weights);
  g_test_add_func ("/pair-ranking/ranks", test_ranks);
  g_test_add_func ("/pair-ranking/numbers", test_numbers);
  g_test_add_func ("/pair-ranking/no-head", test_no_head);
  g_test_add_func ("/pair-ranking/csv", test_csv);
  g_test_add_func ("/pair-ranking/cancelled", test_cancelled);
  return g_test_run ();
}
