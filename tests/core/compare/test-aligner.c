/* SPDX-License-Identifier: MIT */
/* Long texts are aligned in a worker, as they would be by whoever waits; what nobody waits for is stopped and dropped. */
#include "core/compare/hl-aligner.h"

#include "core/compare/hl-comparison.h"
#include "core/source/derive/hl-lens.h"
#include "core/source/make/hl-source-factory.h"

#include "test-attentions.h"

#include <string.h>

/* Words of a small vocabulary, in another order for every seed: hardly any text is harder to align with another. */
static HlTokenStrings *
make_text (guint32 seed,
           gsize   n)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  char **strings = g_new0 (char *, n + 1);

  for (gsize i = 0; i < n; i++)
    strings[i] = g_strdup_printf ("w%d", g_rand_int_range (rand, 0, 200));
  return hl_token_strings_new (strings);
}

static void
assert_same (const HlTokenAlignment *alignment,
             HlTokenStrings         *a,
             gsize                   n_a,
             HlTokenStrings         *b,
             gsize                   n_b)
{
  g_autoptr (HlTokenAlignment)
    expected = hl_token_alignment_new (hl_token_strings_get (a), n_a, hl_token_strings_get (b), n_b, NULL);
  const gsize n = hl_token_alignment_get_n (expected);

  g_assert_cmpuint (hl_token_alignment_get_n (alignment), ==, n);
  g_assert_cmpmem (hl_token_alignment_get_positions (alignment), n * sizeof (HlAlignedToken),
                   hl_token_alignment_get_positions (expected), n * sizeof (HlAlignedToken));
}

static HlTokenAlignment *
align (HlAligner      *aligner,
       HlTokenStrings *a,
       gsize           n_a,
       HlTokenStrings *b,
       gsize           n_b)
{
  return hl_aligner_align (aligner, &(HlAlignerText){ .strings = a, .n = n_a, .end = n_a },
                           &(HlAlignerText){ .strings = b, .n = n_b, .end = n_b });
}

static void
count (guint *n)
{
  ++*n;
}

static void
wait_for (HlAligner *aligner)
{
  while (hl_aligner_get_busy (aligner))
    g_main_context_iteration (NULL, TRUE);
}

/* Short texts, and a text and itself, are aligned at once. */
static void
test_at_once (void)
{
  g_autoptr (HlAligner) aligner = hl_aligner_new ();
  g_autoptr (HlTokenStrings) a = make_text (1, 500);
  g_autoptr (HlTokenStrings) b = make_text (2, 400);
  g_autoptr (HlTokenStrings) long_text = make_text (3, 9000);
  g_autoptr (HlTokenAlignment) alignment = align (aligner, a, 500, b, 400);
  g_autoptr (HlTokenAlignment) same = align (aligner, long_text, 9000, long_text, 9000);
  g_autoptr (HlTokenAlignment) waited_for = align (NULL, long_text, 9000, b, 400);

  assert_same (alignment, a, 500, b, 400);
  g_assert_true (hl_token_alignment_is_identity (same));
  g_assert_cmpuint (hl_token_alignment_get_n (same), ==, 9000);
  assert_same (waited_for, long_text, 9000, b, 400);
  g_assert_false (hl_aligner_get_busy (aligner));
}

static void
test_in_worker (void)
{
  g_autoptr (HlAligner) aligner = hl_aligner_new ();
  g_autoptr (HlTokenStrings) a = make_text (1, 9000);
  g_autoptr (HlTokenStrings) b = make_text (2, 8500);
  g_autoptr (HlTokenStrings) b_again = make_text (2, 8500);
  guint n_aligned = 0;

  g_signal_connect_swapped (aligner, "aligned", G_CALLBACK (count), &n_aligned);
  /* Some of the text only, as without its padding, is another text. */
  g_assert_null (align (aligner, a, 9000, b, 8500));
  g_assert_null (align (aligner, a, 8900, b, 8500));
  g_assert_null (align (aligner, a, 9000, b, 8500));
  g_assert_true (hl_aligner_get_busy (aligner));
  wait_for (aligner);
  g_assert_cmpuint (n_aligned, ==, 1);

  g_autoptr (HlTokenAlignment) alignment = align (aligner, a, 9000, b_again, 8500);
  g_autoptr (HlTokenAlignment) less = align (aligner, a, 8900, b, 8500);
  g_assert_nonnull (alignment);
  g_assert_nonnull (less);
  assert_same (alignment, a, 9000, b, 8500);
  assert_same (less, a, 8900, b, 8500);
  g_assert_false (hl_aligner_get_busy (aligner));
  g_assert_cmpuint (n_aligned, ==, 1);
}

/* Of so many pairs that only the newest are still wanted, and of none. */
static void
test_dropped (void)
{
  g_autoptr (HlAligner) aligner = hl_aligner_new ();
  g_autoptr (HlTokenStrings) a = make_text (1, 40000);
  g_autoptr (HlTokenStrings) b = make_text (2, 40000);
  guint n_aligned = 0;

  g_signal_connect_swapped (aligner, "aligned", G_CALLBACK (count), &n_aligned);
  g_assert_null (align (aligner, a, 40000, b, 40000));
  for (gsize n = 4100; n < 4106; n++)
    g_assert_null (align (aligner, a, n, b, n));
  wait_for (aligner);
  g_assert_cmpuint (n_aligned, ==, 1);
  for (gsize n = 4100; n < 4106; n++)
    {
      g_autoptr (HlTokenAlignment) alignment = align (aligner, a, n, b, n);
      assert_same (alignment, a, n, b, n);
    }
  g_assert_null (align (aligner, a, 40000, b, 40000));
  hl_aligner_forget (aligner);
  g_assert_false (hl_aligner_get_busy (aligner));
  while (G_OBJECT (aligner)->ref_count > 1)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (n_aligned, ==, 1);
}

static void
test_cancelled (void)
{
  g_autoptr (HlTokenStrings) a = make_text (1, 5000);
  g_autoptr (HlTokenStrings) b = make_text (2, 5000);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_cancellable_cancel (cancellable);
  g_assert_null (hl_token_alignment_new (hl_token_strings_get (a), 5000, hl_token_strings_get (b), 5000, cancellable));
}

static HlTokenAlignment *
align_side (HlSide       side,
            HlAttention *a,
            HlAttention *b,
            HlDirection  direction)
{
  const HlLens lens = { .sinks = TRUE, .direction = direction };
  g_autoptr (HlAttentionSource) weights_a = hl_attention_make_source (a);
  g_autoptr (HlAttentionSource) weights_b = hl_attention_make_source (b);
  g_autoptr (HlAttentionSource) source_a = NULL;
  g_autoptr (HlAttentionSource) source_b = NULL;
  g_autoptr (HlAttention) shown_a = NULL;
  g_autoptr (HlAttention) shown_b = NULL;

  hl_lens_apply (&lens, a, weights_a, &shown_a, &source_a);
  hl_lens_apply (&lens, b, weights_b, &shown_b, &source_b);
  return hl_aligner_align_side (NULL, side, shown_a, source_a, shown_b, source_b);
}

/* Padding takes no part; where one side has no tokens, places count. */
static void
test_attentions (void)
{
  static const char *const first[] = { "a", "b", "c", "[PAD]", NULL };
  static const char *const second[] = { "b", "c", "d", "[PAD]", NULL };
  g_autofree float *weights = test_make_weights (1, 1, 4, 4);
  g_autoptr (HlAttention) a = test_make_attention_full (1, 1, 4, 4, weights, first, first, 3, 0, (HlMask){ 0 });
  g_autoptr (HlAttention) b = test_make_attention_full (1, 1, 4, 4, weights, second, second, 3, 0, (HlMask){ 0 });
  g_autoptr (HlAttention) nameless = test_make_attention (1, 1, 4, 4, weights);
  g_autoptr (HlTokenAlignment) queries = align_side (HL_QUERIES, a, b, HL_DIRECTION_AS_IS);
  g_autoptr (HlTokenAlignment) keys = align_side (HL_KEYS, a, nameless, HL_DIRECTION_AS_IS);

  g_assert_cmpuint (hl_token_alignment_get_n (queries), ==, 4);
  g_assert_cmpuint (hl_token_alignment_a_to_b (queries, 1), ==, 0);
  g_assert_cmpuint (hl_token_alignment_a_to_b (queries, 2), ==, 1);
  g_assert_cmpuint (hl_token_alignment_get_n (keys), ==, 4);
  g_assert_cmpuint (hl_token_alignment_a_to_b (keys, 2), ==, 2);
}

/* What a mask says is padding has no part in a text, also where there are no tokens, or it is spelt as the text begins. */
static void
test_masked (void)
{
  static const char *const first[] = { "x", "x", "a", "b", "x", NULL };
  static const char *const second[] = { "x", "x", "x", "x", "a", "b", NULL };
  g_autofree float *weights = test_make_weights (1, 1, 6, 6);

  for (guint i = 0; i < 16; i++)
    {
      const HlSide side = i % 2 == 0 ? HL_QUERIES : HL_KEYS;
      const HlDirection direction = i / 2 % 2 == 0 ? HL_DIRECTION_AS_IS : HL_DIRECTION_TRANSPOSED;
      const char *const *tokens_a = i / 4 % 2 == 0 ? first : NULL, *const *tokens_b = i / 8 == 0 ? second : NULL;
      g_autoptr (HlAttention) a = test_make_attention_full (1, 1, 5, 5, weights, tokens_a, tokens_a, 5, 0,
                                                            (HlMask){ .causal = TRUE, .first_key = 1, .end_key = 4 });
      g_autoptr (HlAttention)
        b = test_make_attention_full (1, 1, 6, 6, weights, tokens_b, tokens_b, 6, 0, (HlMask){ .first_key = 3 });
      g_autoptr (HlTokenAlignment) alignment = align_side (side, a, b, direction);

      for (gsize token = 0; token < 3; token++)
        g_assert_cmpuint (hl_token_alignment_a_to_b (alignment, 1 + token), ==, 3 + token);
      g_assert_cmpuint (hl_token_alignment_a_to_b (alignment, 0), ==, 0);
      g_assert_cmpuint (hl_token_alignment_a_to_b (alignment, 4), ==, HL_TOKEN_NONE);
      g_assert_cmpuint (hl_token_alignment_get_n (alignment), ==, 7);
    }
}

/* @n tokens that @mask says are padding or not, with learned sinks or without. */
static HlAttention *
make_masked (gsize              n,
             const char *const *tokens,
             HlMask             mask,
             gboolean           has_sinks)
{
  static const float sinks[] = { 1 };
  g_autofree float *weights = test_make_weights (1, 1, n, n);
  const HlShape shape = { 2, { n, n } };
  g_autoptr (HlTensor) tensor = test_make_tensor (&shape, weights);
  const HlLayerTensor layer = {
    .tensor = tensor, .layer_axis = -1, .batch_axis = -1, .head_axis = -1, .column_axis = 1
  };
  const HlAttentionInit init = { .kind = HL_ATTENTION_SELF,
                                 .weights = &layer,
                                 .n_layers = 1,
                                 .tokens = { tokens, tokens },
                                 .n_used = { n, n },
                                 .rule = { .mask = mask, .sinks = has_sinks ? sinks : NULL } };

  return hl_attention_new (&init);
}

/* Of two files of one batch only one may say which tokens are padding. They are the same tokens, unless both have others. */
static void
test_one_says (void)
{
  static const char *const tokens[] = { "x", "x", "x", "a", "b", "c", NULL };
  static const char *const others[] = { "x", "a", "b", "c", "d", "d", NULL };

  for (guint i = 0; i < 32; i++)
    {
      const HlSide side = i % 2 == 0 ? HL_QUERIES : HL_KEYS;
      const HlDirection direction = i / 2 % 2 == 0 ? HL_DIRECTION_AS_IS : HL_DIRECTION_TRANSPOSED;
      const char *const *tokens_a = i / 4 % 2 == 0 ? tokens : NULL, *const *tokens_b = i / 8 % 2 == 0 ? tokens : NULL;
      const HlMask mask = { .causal = TRUE, .first_key = 2, .end_key = i / 16 * 5 };
      g_autoptr (HlAttention) a = make_masked (6, tokens_a, mask, i / 16);
      g_autoptr (HlAttention) b = make_masked (6, tokens_b, (HlMask){ .causal = TRUE }, i / 16);
      g_autoptr (HlAttention) c = make_masked (6, others, (HlMask){ .causal = TRUE }, i / 16);
      g_autoptr (HlTokenAlignment) alignment = align_side (side, a, b, direction);
      g_autoptr (HlTokenAlignment) reverse = align_side (side, b, a, direction);
      g_autoptr (HlTokenAlignment) spelt = align_side (side, a, c, direction);
      const gsize has_sink = i / 16 != 0 && (side == HL_KEYS) == (direction == HL_DIRECTION_AS_IS);

      g_assert_true (hl_token_alignment_is_identity (alignment));
      g_assert_true (hl_token_alignment_is_identity (reverse));
      g_assert_cmpuint (hl_token_alignment_get_n (alignment), ==, 6 + has_sink);
      if (tokens_a != NULL)
        g_assert_cmpuint (hl_token_alignment_a_to_b (spelt, has_sink + 3), ==, has_sink + 1);
    }
}

/* What stands for learned sinks before padding stands before the text without it. */
static void
test_sinks (void)
{
  static const char *const first[] = { "x", "a", "b", "c", NULL };
  static const char *const second[] = { "x", "x", "x", "a", "b", "c", NULL };

  for (guint i = 0; i < 16; i++)
    {
      const gboolean is_transposed = i % 2, is_sunk = i / 2 % 2 == 0;
      const HlSide side = is_transposed ? HL_QUERIES : HL_KEYS;
      const char *const *tokens_a = i / 4 % 2 == 0 ? first : NULL, *const *tokens_b = i / 8 == 0 ? second : NULL;
      g_autoptr (HlAttention) a = make_masked (4, tokens_a, (HlMask){ .causal = TRUE }, is_sunk);
      g_autoptr (HlAttention) b = make_masked (6, tokens_b, (HlMask){ .causal = TRUE, .first_key = 2 }, TRUE);
      g_autoptr (HlTokenAlignment)
        alignment = align_side (side, a, b, is_transposed ? HL_DIRECTION_TRANSPOSED : HL_DIRECTION_AS_IS);

      if (is_sunk)
        g_assert_cmpuint (hl_token_alignment_a_to_b (alignment, 0), ==, 0);
      for (gsize token = 0; token < 4; token++)
        g_assert_cmpuint (hl_token_alignment_a_to_b (alignment, (is_sunk ? 1 : 0) + token), ==, 3 + token);
      g_assert_cmpuint (hl_token_alignment_get_n (alignment), ==, 7);
    }
}

static gsize
get_n_tokens_put_together (HlAttention *attention,
                           HlSide       side,
                           gsize        index)
{
  HlTokenMap *map = hl_attention_get_map (attention, side);

  return map != NULL ? hl_token_map_get_spans (map)[index].n : 1;
}

/* Which of @b has so many tokens and stands at that place of its text. */
static gsize
find_place (HlAttention *b,
            HlSide       side,
            gint64       place,
            gsize        n)
{
  for (gsize i = 0; i < hl_attention_get_n (b, side); i++)
    if ((gint64) hl_attention_get_position (b, side, i) == place && get_n_tokens_put_together (b, side, i) == n)
      return i;
  return HL_TOKEN_NONE;
}

/* Only the side with tokens knows which are special, or a word: what is left of it is not aligned with the first of the other. */
static void
test_left_out (void)
{
  static const char *const tokens[] = { "[PAD]", "[PAD]", "[CLS]", "ca", "##t", "sat", "[SEP]", NULL };
  g_autoptr (HlTokenSet) queries = hl_token_set_change (NULL, 3, 1, TRUE);
  g_autoptr (HlTokenSet) keys = hl_token_set_change (NULL, 4, 2, TRUE);
  const HlLens lenses[] = {
    { .sinks = TRUE, .hide_special = TRUE },
    { .sinks = TRUE, .hide_first = TRUE },
    { .sinks = TRUE, .words = TRUE },
    { .sinks = TRUE, .words = TRUE, .hide_special = TRUE },
    { .sinks = TRUE, .hidden = { queries, keys } },
  };
  /* How many tokens each has, padding among them that its mask says, and how far they are apart. */
  const struct
  {
    gsize n_a, padding_a, n_b, padding_b;
    gint64 offset;
  } texts[] = { { 5, 0, 5, 0, 0 }, { 7, 2, 5, 0, 2 }, { 7, 2, 7, 0, 0 },
                { 7, 0, 7, 2, 0 }, { 7, 2, 7, 2, 0 }, { 7, 2, 6, 1, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (texts) * G_N_ELEMENTS (lenses) * 16; i++)
    {
      const guint text = i / 16 % G_N_ELEMENTS (texts);
      const HlSide side = i % 2 == 0 ? HL_QUERIES : HL_KEYS;
      const gboolean is_reverse = i / 4 % 2, has_sinks = i / 8 % 2;
      HlLens lens = lenses[i / 16 / G_N_ELEMENTS (texts)];
      g_autoptr (HlAttention)
        named = make_masked (texts[text].n_a, tokens + 7 - texts[text].n_a,
                             (HlMask){ .causal = TRUE, .first_key = texts[text].padding_a }, has_sinks);
      g_autoptr (HlAttention) bare =
        make_masked (texts[text].n_b, NULL, (HlMask){ .causal = TRUE, .first_key = texts[text].padding_b }, has_sinks);
      g_autoptr (HlAttentionSource) weights_a = hl_attention_make_source (named);
      g_autoptr (HlAttentionSource) weights_b = hl_attention_make_source (bare);
      g_autoptr (HlAttentionSource) source_a = NULL;
      g_autoptr (HlAttentionSource) source_b = NULL;
      g_autoptr (HlAttention) a = NULL;
      g_autoptr (HlAttention) b = NULL;

      lens.direction = i / 2 % 2 == 0 ? HL_DIRECTION_AS_IS : HL_DIRECTION_TRANSPOSED;
      hl_lens_apply (&lens, named, weights_a, &a, &source_a);
      hl_lens_apply (&lens, bare, weights_b, &b, &source_b);
      g_autoptr (HlTokenAlignment) alignment = is_reverse
                                                 ? hl_aligner_align_side (NULL, side, b, source_b, a, source_a)
                                                 : hl_aligner_align_side (NULL, side, a, source_a, b, source_b);
      for (gsize token = 0; token < hl_attention_get_n (a, side); token++)
        {
          const gsize position = hl_attention_get_position (a, side, token),
                      n = get_n_tokens_put_together (a, side, token);
          const gsize other = is_reverse ? hl_token_alignment_b_to_a (alignment, token)
                                         : hl_token_alignment_a_to_b (alignment, token);

          g_test_message ("%u: %zu+%zu", i, position, n);
          if (n > 0 && position >= texts[text].padding_a)
            g_assert_cmpuint (other, ==, find_place (b, side, (gint64) position - texts[text].offset, n));
        }
    }
}

/* Others are left of the queries than of the keys, though they be spelt alike. */
static void
test_left_of_sides (void)
{
  static const char *const tokens[] = { "a", "a", "a", "a", "b", NULL };
  g_autoptr (HlTokenSet) queries = hl_token_set_change (NULL, 0, 1, TRUE);
  g_autoptr (HlTokenSet) keys = hl_token_set_change (NULL, 2, 1, TRUE);
  const HlLens lens = { .hidden = { queries, keys } };
  g_autoptr (HlAttention) named = make_masked (5, tokens, (HlMask){ 0 }, FALSE);
  g_autoptr (HlAttention) bare = make_masked (5, NULL, (HlMask){ 0 }, FALSE);
  g_autoptr (HlAttentionSource) weights = hl_attention_make_source (named);
  g_autoptr (HlAttentionSource) source_b = hl_attention_make_source (bare);
  g_autoptr (HlAttentionSource) source_a = NULL;
  g_autoptr (HlAttention) a = NULL;

  hl_lens_apply (&lens, named, weights, &a, &source_a);
  g_autoptr (HlComparison)
    comparison = hl_comparison_new (a, source_a, bare, source_b, &(HlHeadPairing){ -1, -1 }, NULL);
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    for (gsize token = 0; token < 4; token++)
      g_assert_cmpuint (hl_token_alignment_a_to_b (hl_comparison_get_alignment (comparison, side), token), ==,
                        hl_attention_get_position (a, side, token));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/aligner/at-once", test_at_once);
  g_test_add_func ("/aligner/in-worker", test_in_worker);
  g_test_add_func ("/aligner/dropped", test_dropped);
  g_test_add_func ("/aligner/cancelled", test_cancelled);
  g_test_add_func ("/aligner/blocks", test_attentions);
  g_test_add_func ("/aligner/masked", test_masked);
  g_test_add_func ("/aligner/one-says", test_one_says);
  g_test_add_func ("/aligner/sinks", test_sinks);
  g_test_add_func ("/aligner/left-out", test_left_out);
  g_test_add_func ("/aligner/left-of-sides", test_left_of_sides);
  return g_test_run ();
}
