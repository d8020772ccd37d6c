/* SPDX-License-Identifier: MIT */
/* Names of heads: of maps that each do one thing, and where there is none. */
#include "test-attentions.h"

#include "core/analysis/hl-head-name.h"
#include "core/source/make/hl-source-factory.h"

#include <math.h>
#include <string.h>

#define N 10

enum
{
  SAME,
  INDUCTION,
  PREVIOUS,
  NEXT,
  ITSELF,
  SINK,
  SEPARATOR,
  BROAD,
  SPECIAL,
  NOTHING,
  N_HEADS,
};

static const char *const tokens[] = { "[CLS]", "the", "cat", "saw", "the", "dog", ",", "The", "cat", "[SEP]", NULL };

/* The rest of a row goes to all keys alike. */
static void
fill (float *row,
      gsize  key,
      float  weight,
      gsize  other,
      float  other_weight)
{
  for (gsize i = 0; i < N; i++)
    row[i] = (1 - weight - other_weight) / N;
  row[key] += weight;
  row[other] += other_weight;
}

static float *
make_maps (void)
{
  static const gsize same[N] = { 0, 4, 8, 0, 7, 0, 0, 1, 2, 0 };
  static const gsize behind[N] = { 0, 1, 2, 3, 2, 5, 6, 5, 3, 9 };
  float *maps = g_new (float, N_HEADS *N *N);

  for (gsize i = 0; i < N; i++)
    {
      float *row = maps + i * N;

      fill (row + SAME * N * N, same[i], 0.9f, 0, 0);
      fill (row + INDUCTION * N * N, behind[i], 0.8f, 0, 0);
      fill (row + PREVIOUS * N * N, i > 0 ? i - 1 : 0, 1, 0, 0);
      fill (row + NEXT * N * N, MIN (i + 1, N - 1), 1, 0, 0);
      fill (row + ITSELF * N * N, i, 0.95f, 0, 0);
      fill (row + SINK * N * N, 0, 0.7f, i, 0.3f);
      fill (row + SEPARATOR * N * N, N - 1, 0.8f, 0, 0);
      fill (row + BROAD * N * N, 0, 0, 0, 0);
      fill (row + SPECIAL * N * N, 0, 0.27f, N - 1, 0.43f);
      fill (row + NOTHING * N * N, i, 0.3f, 0, 0);
    }
  return maps;
}

static HlHeadNumbers *
measure (HlAttention *attention)
{
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  const gsize n = hl_attention_get_n (attention, HL_QUERIES);
  HlHeadNumbers *numbers = hl_head_numbers_new (attention, 0, n);
  const HlHeadNumberRequest request = { .attention = attention, .source = source, .n_queries = n };

  g_assert_true (hl_head_numbers_complete (&numbers, &request, hl_head_name_get_numbers (), NULL, NULL, NULL));
  return numbers;
}

static HlAttention *
make_attention (const float       *maps,
                guint              n_heads,
                gsize              n,
                const char *const *words,
                gboolean           causal)
{
  return test_make_attention_full (1, n_heads, n, n, maps, words, words, G_MAXSIZE, 0, (HlMask){ .causal = causal });
}

static void
test_names (void)
{
  static const struct
  {
    const char *nick;
    double value;
  } expected[N_HEADS] = {
    /* Five are there more than once; the three of "the" have two others each. */
    [SAME] = { "same-token", 0.9 + (3 * 0.02 + 2 * 0.01) / 5 },
    /* Three came before, the last "the" twice. */
    [INDUCTION] = { "induction", 0.8 + (0.02 + 0.04 + 0.02) / 3 },
    [PREVIOUS] = { "previous-token", 0.9 },
    [NEXT] = { "next-token", 0.9 },
    [ITSELF] = { "itself", 0.955 },
    [SINK] = { "first-token-sink", 0.73 },
    [SEPARATOR] = { "separator-sink", 0.82 },
    [BROAD] = { "broad", 1 },
    [SPECIAL] = { "special-tokens", 0.76 },
    [NOTHING] = { NULL, NAN },
  };
  g_autofree float *maps = make_maps ();
  g_autoptr (HlAttention) attention = make_attention (maps, N_HEADS, N, tokens, FALSE);
  g_autoptr (HlHeadNumbers) numbers = measure (attention);

  for (guint head = 0; head < N_HEADS; head++)
    {
      double value;
      const HlHeadName *name = hl_head_name_find (numbers, head, &value);

      g_test_message ("%u %s %g", head, name != NULL ? name->nick : "-", value);
      g_assert_cmpstr (name != NULL ? name->nick : NULL, ==, expected[head].nick);
      if (name == NULL)
        {
          g_assert_true (isnan (value));
          continue;
        }
      g_assert_cmpfloat_with_epsilon (value, expected[head].value, 1e-6);
    }
  double value;
  const HlHeadName *name = hl_head_name_find (numbers, PREVIOUS, &value);
  g_autofree char *text = hl_head_name_dup_text (name, value);
  g_assert_cmpstr (text, ==, "previous token 0.90");
}

/* An even causal map gives its first keys much, but parks nothing there. */
static void
test_even_causal (void)
{
  const gsize n = HL_HEAD_NAME_LEAST_KEYS;
  g_autofree float *map = g_new0 (float, n *n);

  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j <= i; j++)
      map[i * n + j] = 1.0f / (float) (i + 1);
  g_autoptr (HlAttention) attention = make_attention (map, 1, n, tokens, TRUE);
  g_autoptr (HlHeadNumbers) numbers = measure (attention);
  double value;
  const HlHeadName *name = hl_head_name_find (numbers, 0, &value);
  g_assert_cmpfloat (hl_head_numbers_get (numbers, HL_HEAD_MEASURE_FIRST, 0), >, 0.3);
  g_assert_cmpstr (name->nick, ==, "broad");
  g_assert_cmpfloat_with_epsilon (value, 1, 1e-6);
}

/* What is not known, not there often enough, or too small has no name. */
static void
test_no_name (void)
{
  static const char *const few[] = { "a", "b", "a", "b", NULL };
  float map[16] = { 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 };
  g_autoptr (HlAttention) attention = make_attention (map, 1, 4, few, FALSE);
  g_autoptr (HlHeadNumbers) numbers = measure (attention);
  g_autoptr (HlHeadNumbers) unknown = hl_head_numbers_new (attention, 0, 4);
  double value;

  g_assert_cmpfloat (hl_head_numbers_get (numbers, HL_HEAD_MEASURE_PREVIOUS, 0), ==, 0.75);
  /* All four are there twice; two came before. */
  g_assert_cmpfloat (hl_head_numbers_get (numbers, HL_HEAD_MEASURE_SAME_TOKEN, 0), ==, 0);
  g_assert_true (isnan (hl_head_numbers_get (numbers, HL_HEAD_MEASURE_SAME_NEXT, 0)));
  g_assert_null (hl_head_name_find (numbers, 0, &value));
  g_assert_true (isnan (value));
  g_assert_null (hl_head_name_find (unknown, 0, &value));
}

/* Keys that a mask says are padding are none of those that there must be. */
static void
test_padding (void)
{
  g_autofree float *map = g_new0 (float, N *N);

  for (gsize first = N - HL_HEAD_NAME_LEAST_KEYS; first <= N - HL_HEAD_NAME_LEAST_KEYS + 1; first++)
    {
      for (gsize i = 0; i < N; i++)
        fill (map + i * N, MAX (i, first + 1) - 1, 1, 0, 0);
      g_autoptr (HlAttention) attention =
        test_make_attention_full (1, 1, N, N, map, tokens, tokens, G_MAXSIZE, 0, (HlMask){ .first_key = first });
      g_autoptr (HlHeadNumbers) numbers = measure (attention);
      double value;
      const HlHeadName *name = hl_head_name_find (numbers, 0, &value);
      g_assert_cmpfloat (hl_head_numbers_get (numbers, HL_HEAD_MEASURE_PREVIOUS, 0), >, 0.8);
      g_assert_cmpstr (name != NULL ? name->nick : NULL, ==,
                       N - first >= HL_HEAD_NAME_LEAST_KEYS ? "previous-token" : NULL);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/head-name/names", test_names);
  g_test_add_func ("/head-name/even-causal", test_even_causal);
  g_test_add_func ("/head-name/no-name", test_no_name);
  g_test_add_func ("/head-name/padding", test_padding);
  return g_test_run ();
}
