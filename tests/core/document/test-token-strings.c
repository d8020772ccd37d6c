/* SPDX-License-Identifier: MIT */
/* Strings of tokens: counted references, and attentions that share them in place of copies. */
#include "core/document/tokens/hl-token-strings.h"

#include "core/document/attention/hl-attention.h"
#include "core/document/tokens/hl-token-time.h"
#include "core/source/derive/hl-lens.h"
#include "core/source/make/hl-source-factory.h"
#include "test-attentions.h"

static const char *const pieces[] = { "[CLS]", "un", "##believ", "##able", "story", "[SEP]", NULL };
static const char *const others[] = { "[CLS]", "un", "##believ", "##able", "stories", "[SEP]", NULL };

static HlTokenStrings *
make (const char *const *strings)
{
  return hl_token_strings_new (g_strdupv ((char **) strings));
}

static void
test_references (void)
{
  HlTokenStrings *strings = make (pieces);
  HlTokenStrings *same = hl_token_strings_ref (strings);
  g_autoptr (HlTokenStrings) equal = make (pieces);
  g_autoptr (HlTokenStrings) different = make (others);
  g_autoptr (HlTokenStrings) none = hl_token_strings_new (g_new0 (char *, 1));

  g_assert_true (same == strings);
  hl_token_strings_unref (strings);
  g_assert_true (g_strv_equal (hl_token_strings_get (same), pieces));
  g_assert_true (hl_token_strings_equal (same, same));
  g_assert_true (hl_token_strings_equal (same, equal));
  g_assert_false (hl_token_strings_equal (same, different));
  g_assert_false (hl_token_strings_equal (same, none));
  g_assert_null (hl_token_strings_get (none)[0]);
  hl_token_strings_unref (same);
}

/* Strings that belong to others, which stay as long as they are needed. */
static void
test_borrowed (void)
{
  HlTokenStrings *first = make (pieces);
  HlTokenStrings *second = make (others);
  const char **list = g_new0 (const char *, 3);

  list[0] = hl_token_strings_get (second)[4];
  list[1] = hl_token_strings_get (first)[0];
  g_autoptr (HlTokenStrings) both = hl_token_strings_new_of (list, first, second);
  hl_token_strings_unref (first);
  hl_token_strings_unref (second);
  g_assert_cmpstr (hl_token_strings_get (both)[0], ==, "stories");
  g_assert_cmpstr (hl_token_strings_get (both)[1], ==, "[CLS]");
  g_assert_null (hl_token_strings_get (both)[2]);
}

static HlAttention *
make_attention (const char *const *queries,
                const char *const *keys)
{
  const gsize n = G_N_ELEMENTS (pieces) - 1;
  g_autofree float *weights = test_make_weights (1, 2, n, n);

  return test_make_attention_full (1, 2, n, n, weights, queries, keys, n, 0, (HlMask){ 0 });
}

/* The strings of an attention outlive it in what is derived of it. */
static void
test_shared (void)
{
  HlAttention *attention = make_attention (pieces, others);
  const char *const *queries = hl_attention_get_tokens (attention, HL_QUERIES), *const *keys =
                                                                                  hl_attention_get_tokens (attention,
                                                                                                           HL_KEYS);
  const char *const *query_texts = hl_attention_get_texts (attention, HL_QUERIES), *const *key_texts =
                                                                                     hl_attention_get_texts (attention,
                                                                                                             HL_KEYS);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlAttentionSource) shown_source = NULL;
  g_autoptr (HlAttention) shown = NULL;
  const HlLens lens = { .direction = HL_DIRECTION_TRANSPOSED };

  g_assert_false (hl_attention_has_same_tokens (attention));
  g_assert_true (queries != keys);
  hl_lens_apply (&lens, attention, source, &shown, &shown_source);
  g_assert_true (hl_attention_get_tokens (shown, HL_QUERIES) == keys);
  g_assert_true (hl_attention_get_tokens (shown, HL_KEYS) == queries);
  g_assert_true (hl_attention_get_texts (shown, HL_QUERIES) == key_texts);
  g_assert_true (hl_attention_get_texts (shown, HL_KEYS) == query_texts);
  g_object_unref (attention);
  g_assert_true (g_strv_equal (hl_attention_get_tokens (shown, HL_QUERIES), others));
  g_assert_true (g_strv_equal (hl_attention_get_tokens (shown, HL_KEYS), pieces));
}

/* Positions have strings once, spelt, read, as queries and as keys: a file of a few bytes may announce a million of each. */
static void
test_positions (void)
{
  static const char *const positions[] = { "0", "1", "2", "3", "4", "5", NULL };
  g_autoptr (HlAttention) attention = make_attention (NULL, NULL), half = make_attention (NULL, pieces);
  const char *const *strings = hl_attention_get_tokens (attention, HL_QUERIES);

  g_assert_true (g_strv_equal (strings, positions));
  g_assert_true (hl_attention_get_tokens (attention, HL_KEYS) == strings);
  g_assert_true (hl_attention_get_texts (attention, HL_QUERIES) == strings);
  g_assert_true (hl_attention_get_texts (attention, HL_KEYS) == strings);
  g_assert_true (g_strv_equal (hl_attention_get_tokens (half, HL_QUERIES), positions));
  g_assert_true (g_strv_equal (hl_attention_get_tokens (half, HL_KEYS), pieces));
}

/* Both sides of self-attention are one text, in words too; not where other keys are left out than queries. */
static void
test_same_text (void)
{
  static const char *const words[] = { "[CLS]", "unbelievable", "story", "[SEP]", NULL };
  static const char *const few[] = { "[CLS]", "story", "[SEP]", NULL };
  g_autoptr (HlAttention) attention = make_attention (pieces, pieces);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlTokenSet) set = hl_token_set_change (NULL, 2, 1, TRUE);

  g_assert_true (hl_attention_has_same_tokens (attention));
  g_assert_true (hl_attention_get_tokens (attention, HL_QUERIES) == hl_attention_get_tokens (attention, HL_KEYS));
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (HlAttentionSource) shown_source = NULL;
      g_autoptr (HlAttention) shown = NULL;
      const HlLens lens = { .words = TRUE, .hidden[HL_KEYS] = i == 1 ? set : NULL };

      hl_lens_apply (&lens, attention, source, &shown, &shown_source);
      g_assert_true (g_strv_equal (hl_attention_get_tokens (shown, HL_QUERIES), words));
      g_assert_true (g_strv_equal (hl_attention_get_texts (shown, HL_QUERIES), words));
      g_assert_true (g_strv_equal (hl_attention_get_tokens (shown, HL_KEYS), i == 0 ? words : few));
      g_assert_true (g_strv_equal (hl_attention_get_texts (shown, HL_KEYS), i == 0 ? words : few));
      g_assert_cmpuint (hl_attention_get_n_used (shown, HL_KEYS), ==, i == 0 ? 4 : 3);
      g_assert_cmpint (hl_attention_has_same_tokens (shown), ==, i == 0);
    }
}

/* What is written as a time is read as one, whatever its digits; what only looks like one is not. */
static void
test_times (void)
{
  static const char *const no_times[] = { "",        "s",    " s",      "0.42",    "0.42s",  "0.42 s ",
                                          "0.42  s", "– s",  "0.42– s", "1e3 s",   "0x10 s", "nan s",
                                          "inf s",   " 1 s", "+1 s",    "1.2.3 s", "1-2 s",  "0.42–0.44–0.5 s",
                                          "--1 s",   "." };
  static const char *const rising[] = { "0.00 s", "0.02–0.05 s", "0.02 s", "1.00 s", "0.99 s", "word" };
  double start, end;

  for (int n_decimals = 2; n_decimals <= 3; n_decimals++)
    for (double seconds = -2; seconds < 3000; seconds += 13.37)
      {
        g_autofree char *from = hl_token_time_format (seconds, NAN, n_decimals);
        g_assert_true (hl_token_time_parse (from, &start, &end));
        g_assert_cmpfloat_with_epsilon (start, seconds, 0.0051);
        g_assert_true (isnan (end));
        g_autofree char *both = hl_token_time_format (seconds, seconds + 0.5, n_decimals);
        g_assert_true (hl_token_time_parse (both, &start, &end));
        g_assert_cmpfloat_with_epsilon (end, seconds + 0.5, 0.0051);
      }
  for (guint i = 0; i < G_N_ELEMENTS (no_times); i++)
    g_assert_false (hl_token_time_parse (no_times[i], &start, &end));

  g_assert_true (hl_token_times_rise (rising, 4));
  g_assert_false (hl_token_times_rise (rising, 5));
  g_assert_false (hl_token_times_rise (rising, 6));
  g_assert_false (hl_token_times_rise (rising, 1));
  g_assert_false (hl_token_times_rise (rising + 1, 2));
  g_assert_false (hl_token_times_rise (rising, 0));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/token-strings/references", test_references);
  g_test_add_func ("/token-strings/borrowed", test_borrowed);
  g_test_add_func ("/token-strings/shared", test_shared);
  g_test_add_func ("/token-strings/positions", test_positions);
  g_test_add_func ("/token-strings/same-text", test_same_text);
  g_test_add_func ("/token-strings/times", test_times);
  return g_test_run ();
}
