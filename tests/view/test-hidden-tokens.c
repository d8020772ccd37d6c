/* SPDX-License-Identifier: MIT */
/* What is hidden or pinned of one text is so of another, whose tokens stand far apart: its set is made at once. And its size. */
#include "view/shown/hl-hidden-tokens.h"

#include "core/compare/hl-token-alignment.h"
#include "core/test-attentions.h"
#include "view/pick/hl-focus.h"

#include <string.h>

#define N 300

static guint n_made;

/* In place of GLib's: sets of tokens are made by it. */
__attribute__ ((visibility ("default"))) gpointer
g_atomic_rc_box_alloc0 (gsize size)
{
  n_made++;
  return memset (g_atomic_rc_box_alloc (size), 0, size);
}

/* "t0", "t1"…, with as many others behind each. */
static HlAttention *
make_attention (guint n_between)
{
  const gsize n = N * (1 + n_between);
  g_autofree float *weights = test_make_weights (1, 1, n, n);
  g_auto (GStrv) tokens = g_new0 (char *, n + 1);

  for (gsize i = 0; i < n; i++)
    tokens[i] = g_strdup_printf ("%c%zu", i % (1 + n_between) == 0 ? 't' : 'x', i / (1 + n_between));
  return test_make_attention_full (1, 1, n, n, weights, (const char *const *) tokens, (const char *const *) tokens, n,
                                   0, (HlMask){ FALSE, 0 });
}

/* Every second token, up to @last. */
static void
assert_spread (const HlTokenSet *set,
               gsize             first,
               gsize             last)
{
  gsize n;
  const HlTokenSpan *spans = hl_token_set_get_spans (set, &n);

  g_assert_cmpuint (n, ==, (last - first) / 2 + 1);
  for (gsize i = 0; i < n; i++)
    {
      g_assert_cmpuint (spans[i].first, ==, first + 2 * i);
      g_assert_cmpuint (spans[i].n, ==, 1);
    }
}

static void
test_translate (void)
{
  g_autoptr (HlAttention) from = make_attention (0);
  g_autoptr (HlAttention) to = make_attention (1);
  g_auto (HlHiddenTokens) hidden = { { NULL } };
  g_auto (HlHiddenTokens) translated = { { NULL } };
  g_auto (HlHiddenTokens) back = { { NULL } };

  /* Also those that the text does not have. */
  g_assert_true (hl_token_sets_parse ("1-2147483647", hidden.sets));
  n_made = 0;
  g_assert_true (hl_hidden_tokens_translate (&hidden, from, to, NULL, &translated));
  g_assert_cmpuint (n_made, >, 0);
  g_assert_cmpuint (n_made, <=, 2);
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    assert_spread (translated.sets[side], 2, 2 * (N - 1));

  n_made = 0;
  g_assert_true (hl_hidden_tokens_translate (&translated, to, from, NULL, &back));
  g_assert_cmpuint (n_made, >, 0);
  g_assert_cmpuint (n_made, <=, 2);
  g_autofree char *text = hl_token_sets_format (back.sets);
  g_assert_cmpstr (text, ==, "1-299");
}

/* Without tokens it is the place in the text that counts, not the padding before it. */
static void
test_translate_padded (void)
{
  g_autofree float *weights = test_make_weights (1, 1, 7, 7);
  g_autoptr (HlAttention) from = test_make_attention (1, 1, 4, 4, weights);
  g_autoptr (HlAttention) to = test_make_attention_full (1, 1, 7, 7, weights, NULL, NULL, G_MAXSIZE, 0,
                                                         (HlMask){ .causal = TRUE, .first_key = 3 });
  g_auto (HlHiddenTokens) hidden = { { NULL } };
  g_auto (HlHiddenTokens) translated = { { NULL } };
  g_auto (HlHiddenTokens) back = { { NULL } };

  g_assert_true (hl_token_sets_parse ("1,3", hidden.sets));
  g_assert_true (hl_hidden_tokens_translate (&hidden, from, to, NULL, &translated));
  g_assert_true (hl_hidden_tokens_translate (&translated, to, from, NULL, &back));
  g_autofree char *found = hl_token_sets_format (translated.sets);
  g_assert_cmpstr (found, ==, "4,6");
  g_assert_true (hl_hidden_tokens_equal (&back, &hidden));
}

static HlPick
spread (const HlPick *pick,
        gconstpointer offset)
{
  return hl_pick_of (HL_KEYS, 2 * pick->key + *(const gsize *) offset);
}

static void
test_focus (void)
{
  const HlFocus focus = { { HL_PICK_KEY, .key = 7 }, hl_token_set_change (NULL, 0, N, TRUE) };
  g_autoptr (HlTokenSet) set = focus.gathered;
  gsize n, offset = 0;

  n_made = 0;
  g_auto (HlFocus) even = hl_focus_map (&focus, spread, &offset);
  g_assert_cmpuint (n_made, ==, 1);
  assert_spread (even.gathered, 0, 2 * (N - 1));
  g_assert_cmpuint (even.pick.key, ==, 14);

  offset = 1;
  g_auto (HlFocus) odd = hl_focus_map (&focus, spread, &offset);
  n_made = 0;
  g_auto (HlFocus) both = hl_focus_join (&even, &odd);
  g_assert_cmpuint (n_made, ==, 1);
  const HlTokenSpan *spans = hl_token_set_get_spans (both.gathered, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (spans[0].n, ==, 2 * N);
  g_assert_cmpuint (both.pick.key, ==, 14);
}

static void
test_count (void)
{
  g_autofree float *weights = test_make_weights (1, 1, 6, 6);
  g_autoptr (HlAttention) attention = test_make_attention (1, 1, 6, 6, weights);
  const struct
  {
    gsize first_query, n_queries;
    gsize first_key, n_keys;
    gsize n;
  } cases[] = {
    { 0, 0, 0, 0, 0 }, { 0, 2, 0, 0, 2 }, { 0, 0, 4, 9, 2 }, { 1, 2, 1, 2, 2 }, { 4, 1, 0, 1, 2 }, { 0, 3, 2, 2, 4 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (HlHiddenTokens) hidden = { { hl_token_set_change (NULL, cases[i].first_query, cases[i].n_queries, TRUE),
                                           hl_token_set_change (NULL, cases[i].first_key, cases[i].n_keys, TRUE) } };
      g_test_message ("%u", i);
      g_assert_cmpuint (hl_hidden_tokens_count (&hidden, attention), ==, cases[i].n);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hidden-tokens/translate", test_translate);
  g_test_add_func ("/hidden-tokens/translate-padded", test_translate_padded);
  g_test_add_func ("/hidden-tokens/focus", test_focus);
  g_test_add_func ("/hidden-tokens/count", test_count);
  return g_test_run ();
}
