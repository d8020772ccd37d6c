/* SPDX-License-Identifier: MIT */
/* B − A of two sides: against the plainest loops, with tokens, heads and layers that only one side has, and over bands. */
#include "test-attentions.h"

#include "core/compare/hl-common-texts.h"
#include "core/compare/hl-difference-source.h"
#include "core/source/make/hl-source-factory.h"

#include <math.h>

static const HlHeadPairing same_index = { -1, -1 };

static HlComparison *
compare (HlAttention         *a,
         HlAttention         *b,
         const HlHeadPairing *pairing)
{
  g_autoptr (HlAttentionSource) source_a = hl_attention_make_source (a);
  g_autoptr (HlAttentionSource) source_b = hl_attention_make_source (b);

  return hl_comparison_new (a, source_a, b, source_b, pairing, NULL);
}

static HlAttention *
make_attention (guint              n_layers,
                guint              n_heads,
                const char *const *tokens,
                const float       *weights,
                HlMask             mask)
{
  const gsize n = g_strv_length ((char **) tokens);

  return test_make_attention_full (n_layers, n_heads, n, n, weights, tokens, tokens, n, 0, mask);
}

static void
assert_same (const float *a,
             const float *b,
             gsize        n)
{
  for (gsize i = 0; i < n; i++)
    if (isnan (a[i]) || isnan (b[i]))
      g_assert_true (isnan (a[i]) && isnan (b[i]));
    else
      g_assert_cmpfloat (a[i], ==, b[i]);
}

/* a b c d against b x d: the common list is a< b c< x> d. */
static void
test_tokens (void)
{
  const char *const tokens_a[] = { "a", "b", "c", "d", NULL };
  const char *const tokens_b[] = { "b", "x", "d", NULL };
  const char *const common[] = { "a", "b", "c", "x", "d", NULL };
  const int of_a[] = { -1, 1, -1, -1, 3 };
  const int of_b[] = { -1, 0, -1, -1, 2 };
  const HlHeadPairing pairings[] = { { -1, -1 }, { 1, -1 }, { -1, 2 }, { 0, 1 } };
  g_autofree float *a = test_make_weights (1, 2 * 3, 4, 4);
  g_autofree float *b = test_make_weights (2, 2 * 3, 3, 3);
  g_autoptr (HlAttention) attention_a = make_attention (2, 3, tokens_a, a, (HlMask){ 0 });
  g_autoptr (HlAttention) attention_b = make_attention (2, 3, tokens_b, b, (HlMask){ 0 });

  for (guint p = 0; p < G_N_ELEMENTS (pairings); p++)
    {
      g_autoptr (HlComparison) comparison = compare (attention_a, attention_b, &pairings[p]);
      g_autoptr (HlAttentionSource) source = hl_difference_source_new (comparison);
      HlAttention *attention = hl_comparison_get_attention (comparison);

      g_assert_true (hl_attention_source_is_signed (source));
      g_assert_cmpuint (hl_attention_source_get_n (source, HL_QUERIES), ==, 5);
      g_assert_true (g_strv_equal (hl_attention_get_tokens (attention, HL_KEYS), common));
      g_assert_true (g_strv_equal (hl_attention_get_tokens (attention, HL_QUERIES), common));
      g_assert_cmpuint (hl_attention_get_n_heads (attention, 1), ==, 3);
      for (guint layer = 0; layer < 2; layer++)
        for (guint head = 0; head < 3; head++)
          {
            const guint other_layer = pairings[p].layer < 0 ? layer : (guint) pairings[p].layer;
            const guint other_head = pairings[p].head < 0 ? head : (guint) pairings[p].head;
            g_autofree float *map = hl_attention_source_read_head (source, layer, head, NULL, NULL);
            float expected[25], part[6];

            for (guint i = 0; i < 5; i++)
              for (guint j = 0; j < 5; j++)
                expected[i * 5 + j] = of_a[i] < 0 || of_a[j] < 0
                                        ? NAN
                                        : b[(other_layer * 3 + other_head) * 9 + of_b[i] * 3 + of_b[j]] -
                                            a[(layer * 3 + head) * 16 + of_a[i] * 4 + of_a[j]];
            assert_same (map, expected, 25);

            const HlAttentionRequest request = { layer,          head,        .first_query = 2, .n_queries = 3,
                                                 .first_key = 3, .n_keys = 2, .n_rows = 3,      .n_columns = 2 };
            g_assert_true (hl_attention_source_read (source, &request, part, NULL, NULL));
            for (guint i = 0; i < 3; i++)
              assert_same (part + i * 2, expected + (2 + i) * 5 + 3, 2);
          }
    }
}

/* The same tokens, more than a band; pooled, what is farthest from zero counts. */
static void
test_identity (void)
{
  enum
  {
    N = 1500
  };
  g_autofree float *a = test_make_weights (3, 1, N, N);
  g_autofree float *b = test_make_weights (4, 1, N, N);
  g_autoptr (HlAttention) attention_a = test_make_attention (1, 1, N, N, a);
  g_autoptr (HlAttention) attention_b = test_make_attention (1, 1, N, N, b);
  g_autoptr (HlComparison) comparison = compare (attention_a, attention_b, &same_index);
  g_autoptr (HlAttentionSource) source = hl_difference_source_new (comparison);
  HlAttention *attention = hl_comparison_get_attention (comparison);
  const HlAttentionRequest request = {
    .n_queries = N, .n_keys = N, .n_rows = 1, .n_columns = 1, .pooling = HL_POOLING_MAX
  };
  g_autofree float *map = hl_attention_source_read_head (source, 0, 0, NULL, NULL);
  float pooled, farthest = 0;

  g_assert_false (hl_attention_has_tokens (attention, HL_KEYS));
  for (gsize i = 0; i < (gsize) N * N; i++)
    {
      g_assert_cmpfloat (map[i], ==, b[i] - a[i]);
      farthest = fabsf (map[i]) > fabsf (farthest) ? map[i] : farthest;
    }
  g_assert_true (hl_attention_source_read (source, &request, &pooled, NULL, NULL));
  g_assert_cmpfloat (pooled, ==, farthest);
}

/* Layers and heads without a partner are no numbers. */
static void
test_partners (void)
{
  g_autofree float *weights = test_make_weights (5, 6, 3, 3);
  g_autoptr (HlAttention) a = test_make_attention (3, 2, 3, 3, weights);
  g_autoptr (HlAttention) b = test_make_attention (2, 1, 3, 3, weights);
  g_autoptr (HlComparison) comparison = compare (a, b, &same_index);
  g_autoptr (HlAttentionSource) source = hl_difference_source_new (comparison);

  g_assert_cmpuint (hl_attention_source_get_n_layers (source), ==, 3);
  for (guint layer = 0; layer < 3; layer++)
    for (guint head = 0; head < 2; head++)
      {
        g_autofree float *map = hl_attention_source_read_head (source, layer, head, NULL, NULL);
        for (guint i = 0; i < 9; i++)
          g_assert_cmpint (isnan (map[i]), ==, !(layer < 2 && head < 1));
      }
}

static void
test_masks (void)
{
  const char *const tokens[] = { "a", "b", "c", NULL };
  const char *const more[] = { "a", "x", "b", "c", NULL };
  const HlMask causal = { .causal = TRUE };
  const HlMask window = { .causal = TRUE, .window = 2 };
  g_autofree float *weights = test_make_weights (6, 1, 4, 4);
  const struct
  {
    HlMask a;
    const char *const *tokens_b;
    HlMask b;
    HlMask expected;
  } cases[] = {
    { causal, tokens, causal, causal }, { window, tokens, window, window }, { window, tokens, causal, causal },
    { causal, tokens, { 0 }, { 0 } },   { causal, more, causal, causal },   { window, more, window, causal },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HlAttention) a = make_attention (1, 1, tokens, weights, cases[i].a);
      g_autoptr (HlAttention) b = make_attention (1, 1, cases[i].tokens_b, weights, cases[i].b);
      g_autoptr (HlComparison) comparison = compare (a, b, &same_index);
      g_autoptr (HlAttentionSource) source = hl_difference_source_new (comparison);
      const HlMask *mask = hl_attention_source_get_mask (source, 0);

      g_assert_cmpint (mask->causal, ==, cases[i].expected.causal);
      g_assert_cmpuint (mask->window, ==, cases[i].expected.window);
    }
}

/* Queries a b c< x> d and keys p< y> q r s are as many, and both sides are causal; and yet b sees q, which stands behind its place. */
static void
test_lists_that_differ (void)
{
  const char *const abcd[] = { "a", "b", "c", "d", NULL };
  const char *const abxd[] = { "a", "b", "x", "d", NULL };
  const char *const pqrs[] = { "p", "q", "r", "s", NULL };
  const char *const yqrs[] = { "y", "q", "r", "s", NULL };
  const HlMask causal = { .causal = TRUE };
  g_autofree float *weights = test_make_weights (6, 1, 4, 4);
  g_autoptr (HlAttention) a = test_make_attention_full (1, 1, 4, 4, weights, abcd, pqrs, 4, 0, causal);
  g_autoptr (HlAttention) b = test_make_attention_full (1, 1, 4, 4, weights, abxd, yqrs, 4, 0, causal);
  g_autoptr (HlAttention) c = test_make_attention_full (1, 1, 4, 4, weights, yqrs, pqrs, 4, 0, causal);
  g_autoptr (HlAttention) d = test_make_attention_full (1, 1, 4, 4, weights, pqrs, yqrs, 4, 0, causal);
  g_autoptr (HlComparison) comparison = compare (a, b, &same_index);
  g_autoptr (HlComparison) crossed = compare (c, d, &same_index);

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      g_assert_cmpuint (hl_token_alignment_get_n (hl_comparison_get_alignment (comparison, side)), ==, 5);
      g_assert_cmpuint (hl_token_alignment_get_n (hl_comparison_get_alignment (crossed, side)), ==, 5);
    }
  g_assert_false (hl_comparison_get_mask (comparison, 0).causal);
  /* y< p> q r s and p< y> q r s: the same places of each list. */
  g_assert_true (hl_comparison_get_mask (crossed, 0).causal);
}

/* The second texts of pairs begin together, or nothing is said of them. */
static void
test_pairs_of_texts (void)
{
  const char *const a[] = { "[CLS]", "x", "[SEP]", "y", "z", NULL };
  const char *const b[] = { "[CLS]", "x", "w", "[SEP]", "q", "z", NULL };
  const char *const moved[] = { "[CLS]", "x", "[SEP]", "y", NULL };
  g_autofree float *weights = test_make_weights (7, 1, 6, 6);
  g_autoptr (HlAttention) attention_a = test_make_attention_full (1, 1, 5, 5, weights, a, a, 5, 3, (HlMask){ 0 });
  g_autoptr (HlAttention) attention_b = test_make_attention_full (1, 1, 6, 6, weights, b, b, 6, 4, (HlMask){ 0 });
  g_autoptr (HlAttention)
    attention_c = test_make_attention_full (1, 1, 4, 4, weights, moved, moved, 4, 1, (HlMask){ 0 });
  g_autoptr (HlComparison) together = compare (attention_a, attention_b, &same_index);
  g_autoptr (HlComparison) apart = compare (attention_a, attention_c, &same_index);
  HlAttention *attention = hl_comparison_get_attention (together);
  HlAttention *other = hl_comparison_get_attention (apart);

  /* [CLS] x w> [SEP] y< q> z */
  g_assert_cmpuint (hl_attention_get_sentence_b_start (attention), ==, 4);
  g_assert_cmpuint (hl_attention_get_sentence_b_start (other), ==, 0);
  const HlTokenAlignment *keys = hl_comparison_get_alignment (together, HL_KEYS);
  g_assert_cmpuint (hl_common_texts_find_sentence_b (keys, 2, 3), ==, 3);
  g_assert_cmpuint (hl_common_texts_find_sentence_b (keys, 2, 4), ==, HL_TOKEN_NONE);
  g_assert_cmpuint (hl_common_texts_find_sentence_b (keys, 0, 0), ==, 0);
  g_assert_cmpuint (hl_common_texts_find_sentence_b (keys, 5, 6), ==, 7);
}

static void
test_nothing_in_common (void)
{
  const char *const a[] = { "x", "y", NULL };
  const char *const b[] = { "u", "v", "w", NULL };
  g_autofree float *weights = test_make_weights (8, 1, 3, 3);
  g_autoptr (HlAttention) attention_a = make_attention (1, 1, a, weights, (HlMask){ 0 });
  g_autoptr (HlAttention) attention_b = make_attention (1, 1, b, weights, (HlMask){ 0 });
  g_autoptr (HlComparison) comparison = compare (attention_a, attention_b, &same_index);
  g_autoptr (HlAttentionSource) source = hl_difference_source_new (comparison);
  g_autofree float *map = hl_attention_source_read_head (source, 0, 0, NULL, NULL);

  for (guint i = 0; i < 25; i++)
    g_assert_true (isnan (map[i]));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/difference/tokens", test_tokens);
  g_test_add_func ("/difference/identity", test_identity);
  g_test_add_func ("/difference/partners", test_partners);
  g_test_add_func ("/difference/masks", test_masks);
  g_test_add_func ("/difference/lists-that-differ", test_lists_that_differ);
  g_test_add_func ("/difference/pairs-of-texts", test_pairs_of_texts);
  g_test_add_func ("/difference/nothing-in-common", test_nothing_in_common);
  return g_test_run ();
}
