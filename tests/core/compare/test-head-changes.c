/* SPDX-License-Identifier: MIT */
/* Heads of two sides compared: against the plainest loops in double, over bands, with tokens that only one side has, and stopped halfway. */
#include "test-attentions.h"

#include "core/analysis/hl-head-changes.h"
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

/* The definition, over lists of the indices that belong together. */
static double
diverge (const float *a, gsize n_keys_a, const float *b, gsize n_keys_b, const gsize (*pairs)[2], gsize n_pairs)
{
  double sum = 0;

  for (gsize q = 0; q < n_pairs; q++)
    {
      const float *row_a = a + pairs[q][0] * n_keys_a;
      const float *row_b = b + pairs[q][1] * n_keys_b;
      double sum_a = 0, sum_b = 0, row = 0;

      for (gsize k = 0; k < n_pairs; k++)
        {
          sum_a += row_a[pairs[k][0]];
          sum_b += row_b[pairs[k][1]];
        }
      for (gsize k = 0; k < n_pairs; k++)
        {
          const double x = row_a[pairs[k][0]] / sum_a;
          const double y = row_b[pairs[k][1]] / sum_b;
          row += 0.5 * x * log2 (2 * x / (x + y)) + 0.5 * y * log2 (2 * y / (x + y));
        }
      sum += row;
    }
  return sum / (double) n_pairs;
}

static HlAttention *
make_attention (const char *const *tokens,
                guint              n_heads,
                gsize              n,
                const float       *weights)
{
  return test_make_attention_full (2, n_heads, n, n, weights, tokens, tokens, n, 0, (HlMask){ 0 });
}

static void
test_loops (void)
{
  const char *const tokens_a[] = { "a", "b", "c", "d", "e", NULL };
  const char *const tokens_b[] = { "b", "x", "c", "y", "e", "z", NULL };
  const gsize pairs[][2] = { { 1, 0 }, { 2, 2 }, { 4, 4 } };
  g_autofree float *a = test_make_weights (1, 2 * 3, 5, 5);
  g_autofree float *b = test_make_weights (2, 2 * 4, 6, 6);
  g_autoptr (HlAttention) attention_a = make_attention (tokens_a, 3, 5, a);
  g_autoptr (HlAttention) attention_b = make_attention (tokens_b, 4, 6, b);
  const HlHeadPairing pairings[] = { { -1, -1 }, { 1, -1 }, { -1, 2 }, { 0, 3 } };

  for (guint i = 0; i < G_N_ELEMENTS (pairings); i++)
    {
      g_autoptr (HlComparison) comparison = compare (attention_a, attention_b, &pairings[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (GArray) changes = hl_head_changes_compute (comparison, NULL, &error);
      double before = INFINITY;

      g_assert_no_error (error);
      g_assert_cmpuint (changes->len, ==, 2 * 3);
      for (guint j = 0; j < changes->len; j++)
        {
          const HlHeadChange *change = &g_array_index (changes, HlHeadChange, j);
          const guint layer = pairings[i].layer < 0 ? change->layer : (guint) pairings[i].layer;
          const guint head = pairings[i].head < 0 ? change->head : (guint) pairings[i].head;
          const double expected =
            diverge (a + (change->layer * 3 + change->head) * 25, 5, b + (layer * 4 + head) * 36, 6, pairs, 3);

          g_assert_cmpuint (change->other_layer, ==, layer);
          g_assert_cmpuint (change->other_head, ==, head);
          g_assert_cmpuint (change->n_queries, ==, 3);
          g_assert_cmpfloat_with_epsilon (change->divergence, expected, 1e-9);
          g_assert_cmpfloat_with_epsilon (change->distance, sqrt (expected), 1e-9);
          g_assert_cmpfloat (change->divergence, <=, before);
          before = change->divergence;
        }
    }
}

static HlHeadChange
find (HlComparison *comparison,
      guint         head)
{
  g_autoptr (GArray) changes = hl_head_changes_compute (comparison, NULL, NULL);

  for (guint i = 0; i < changes->len; i++)
    if (g_array_index (changes, HlHeadChange, i).layer == 0 && g_array_index (changes, HlHeadChange, i).head == head)
      return g_array_index (changes, HlHeadChange, i);
  g_assert_not_reached ();
}

/* Rows that share no key are a bit apart; rows of zeros, and such as are no numbers, do not count. */
static void
test_ends (void)
{
  const float a[] = { 1, 0, 0, 0, 0, 0, 0.5f, 0.5f, NAN, 1, 0, 0, 0, 0, 0, 0.2f, 0.3f, 0.5f };
  const float b[] = { 0, 1, 0, 1, 0, 0, 0.5f, 0.5f, 0, 0, 1, 0, 1, 0, 0, 0.2f, 0.3f, 0.5f };
  g_autoptr (HlAttention) attention_a = test_make_attention (1, 2, 3, 3, a);
  g_autoptr (HlAttention) attention_b = test_make_attention (1, 2, 3, 3, b);
  g_autoptr (HlComparison) comparison = compare (attention_a, attention_b, &same_index);
  HlHeadChange change;

  change = find (comparison, 0);
  g_assert_cmpuint (change.n_queries, ==, 1);
  g_assert_cmpfloat_with_epsilon (change.divergence, 1, 1e-12);
  change = find (comparison, 1);
  g_assert_cmpuint (change.n_queries, ==, 2);
  g_assert_cmpfloat_with_epsilon (change.divergence, 0.5, 1e-12);
}

/* More queries than a band holds, every second of which only one side has. */
static void
test_bands (void)
{
  const gsize n = 1200;
  g_autofree float *a = test_make_weights (3, 1, n, n);
  g_autofree float *b = test_make_weights (4, 1, n / 2, n / 2);
  g_autofree gsize (*pairs)[2] = g_malloc (n / 2 * sizeof *pairs);
  g_auto (GStrv) tokens_a = g_new0 (char *, n + 1);
  g_auto (GStrv) tokens_b = g_new0 (char *, n / 2 + 1);
  HlHeadChange change;

  for (gsize i = 0; i < n; i++)
    {
      tokens_a[i] = g_strdup_printf ("%zu", i);
      if (i % 2 == 0)
        continue;
      tokens_b[i / 2] = g_strdup (tokens_a[i]);
      pairs[i / 2][0] = i;
      pairs[i / 2][1] = i / 2;
    }
  g_autoptr (HlAttention) attention_a = test_make_attention_full (1, 1, n, n, a, (const char *const *) tokens_a,
                                                                  (const char *const *) tokens_a, n, 0, (HlMask){ 0 });
  g_autoptr (HlAttention)
    attention_b = test_make_attention_full (1, 1, n / 2, n / 2, b, (const char *const *) tokens_b,
                                            (const char *const *) tokens_b, n / 2, 0, (HlMask){ 0 });
  g_autoptr (HlComparison) comparison = compare (attention_a, attention_b, &same_index);
  change = find (comparison, 0);
  g_assert_cmpuint (change.n_queries, ==, n / 2);
  g_assert_cmpfloat_with_epsilon (change.divergence, diverge (a, n, b, n / 2, (const gsize (*)[2]) pairs, n / 2), 1e-9);
}

static void
test_padding (void)
{
  const char *const tokens[] = { "a", "b", "[PAD]", "[PAD]", NULL };
  g_autofree float *weights = test_make_weights (5, 1, 4, 4);
  g_autoptr (HlAttention)
    attention = test_make_attention_full (1, 1, 4, 4, weights, tokens, tokens, 2, 0, (HlMask){ 0 });
  g_autoptr (HlAttention) other = test_make_attention_full (1, 1, 4, 4, weights, NULL, NULL, 3, 0, (HlMask){ 0 });
  g_autoptr (HlComparison) same = compare (attention, attention, &same_index);
  g_autoptr (HlComparison) by_place = compare (attention, other, &same_index);
  HlHeadChange change;

  g_assert_cmpuint (hl_token_alignment_get_n (hl_comparison_get_alignment (same, HL_QUERIES)), ==, 2);
  g_assert_cmpuint (hl_token_alignment_get_n (hl_comparison_get_alignment (by_place, HL_KEYS)), ==, 3);
  change = find (by_place, 0);
  g_assert_cmpuint (change.n_queries, ==, 2);
  g_assert_cmpfloat (change.divergence, ==, 0);
}

/* One key takes all of the weight that is compared, on both sides, whatever they are. */
static void
test_one_key (void)
{
  const char *const a[] = { "a", "b", "c", NULL };
  const char *const b[] = { "a", "x", "y", NULL };
  g_autofree float *weights_a = test_make_weights (8, 1, 3, 3);
  g_autofree float *weights_b = test_make_weights (9, 1, 3, 3);
  g_autoptr (HlAttention) attention_a = test_make_attention_full (1, 1, 3, 3, weights_a, a, a, 3, 0, (HlMask){ 0 });
  g_autoptr (HlAttention) attention_b = test_make_attention_full (1, 1, 3, 3, weights_b, b, b, 3, 0, (HlMask){ 0 });
  g_autoptr (HlComparison) comparison = compare (attention_a, attention_b, &same_index);
  const HlHeadChange change = find (comparison, 0);

  g_assert_cmpuint (change.n_queries, ==, 0);
  g_assert_true (isnan (change.divergence) && isnan (change.distance));
}

static void
test_pairing (void)
{
  g_autofree float *weights = test_make_weights (6, 6, 3, 3);
  g_autoptr (HlAttention) a = test_make_attention (3, 2, 3, 3, weights);
  g_autoptr (HlAttention) b = test_make_attention (2, 3, 3, 3, weights);
  g_autoptr (HlComparison) by_index = compare (a, b, &same_index);
  g_autoptr (HlComparison) by_layer = compare (a, b, &(HlHeadPairing){ 1, -1 });

  g_assert_cmpuint (hl_comparison_get_n_layers (by_index), ==, 2);
  g_assert_cmpuint (hl_comparison_get_n_heads (by_index, 1), ==, 2);
  g_assert_cmpuint (hl_comparison_get_n_layers (by_layer), ==, 3);
  g_assert_true (hl_head_pairing_fits (&(HlHeadPairing){ 1, 2 }, b));
  g_assert_false (hl_head_pairing_fits (&(HlHeadPairing){ 2, -1 }, b));
  g_assert_false (hl_head_pairing_fits (&(HlHeadPairing){ -1, 3 }, b));
  g_assert_false (hl_head_pairing_fits (&(HlHeadPairing){ 0, 3 }, b));
}

static void
test_cancelled (void)
{
  g_autofree float *weights = test_make_weights (7, 6, 20, 20);
  g_autoptr (HlAttention) attention = test_make_attention (2, 3, 20, 20, weights);
  g_autoptr (HlComparison) comparison = compare (attention, attention, &same_index);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (hl_head_changes_compute (comparison, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Nor is what a mask says is, though it has the same tokens. */
static void
test_masked_padding (void)
{
  const char *const tokens_a[] = { "[PAD]", "[PAD]", "[PAD]", "a", "b", "c", NULL };
  const char *const tokens_b[] = { "[PAD]", "[PAD]", "a", "b", "c", NULL };
  const gsize pairs[][2] = { { 3, 2 }, { 4, 3 }, { 5, 4 } };
  g_autofree float *a = test_make_weights (1, 1, 6, 6);
  g_autofree float *b = test_make_weights (2, 1, 5, 5);
  g_autoptr (HlAttention)
    attention_a = test_make_attention_full (1, 1, 6, 6, a, tokens_a, tokens_a, 6, 0, (HlMask){ .first_key = 3 });
  g_autoptr (HlAttention)
    attention_b = test_make_attention_full (1, 1, 5, 5, b, tokens_b, tokens_b, 5, 0, (HlMask){ .first_key = 2 });
  g_autoptr (HlComparison) comparison = compare (attention_a, attention_b, &same_index);
  const HlHeadChange change = find (comparison, 0);

  g_assert_cmpuint (change.n_queries, ==, 3);
  g_assert_cmpfloat_with_epsilon (change.divergence, diverge (a, 6, b, 5, pairs, 3), 1e-9);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/head-changes/loops", test_loops);
  g_test_add_func ("/head-changes/ends", test_ends);
  g_test_add_func ("/head-changes/bands", test_bands);
  g_test_add_func ("/head-changes/padding", test_padding);
  g_test_add_func ("/head-changes/masked-padding", test_masked_padding);
  g_test_add_func ("/head-changes/one-key", test_one_key);
  g_test_add_func ("/head-changes/pairing", test_pairing);
  g_test_add_func ("/head-changes/cancelled", test_cancelled);
  return g_test_run ();
}
