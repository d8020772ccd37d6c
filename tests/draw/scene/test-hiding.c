/* SPDX-License-Identifier: MIT */
/* Words and hidden tokens in the view state: what is shown, what is said of it, and what stays pinned. */
#include "test-scenes.h"

#include "core/test-attentions.h"

static const char *const tokens[] = { "[CLS]", "un", "##believ", "##able", "story", "[SEP]", NULL };
static const char *const other_tokens[] = { "[CLS]", "a", "story", "[SEP]", "un", "##believ", NULL };

static HlViewState *
make_state (void)
{
  g_autofree float *weights = test_make_weights (4, 2 * 2, 6, 6);

  return test_make_state (2, 2, 6, 6, weights, tokens, 0, (HlMask){ 0 });
}

static void
assert_shown (HlViewState *state,
              const char  *wanted)
{
  HlAttention *attention = hl_view_state_get_shown (state)->attention;
  g_autofree char *queries = g_strjoinv (" ", (char **) hl_attention_get_texts (attention, HL_QUERIES));
  g_autofree char *keys = g_strjoinv (" ", (char **) hl_attention_get_texts (attention, HL_KEYS));

  g_assert_cmpstr (queries, ==, wanted);
  g_assert_cmpstr (keys, ==, wanted);
  g_assert_cmpuint (hl_view_state_get_shown (state)->queries.n, ==, hl_attention_get_n (attention, HL_QUERIES));
}

static void
assert_said (HlViewState *state,
             const char  *wanted)
{
  g_autofree char *text = hl_view_state_describe (state);

  g_assert_cmpstr (text, ==, wanted);
}

static void
test_words (void)
{
  g_autoptr (HlViewState) state = make_state ();
  const HlPick piece = { HL_PICK_CELL, .query = 2, .key = 4 };

  hl_view_state_set_pinned (state, &piece);
  hl_view_state_set_option (state, words, TRUE);
  assert_shown (state, "[CLS] unbelievable story [SEP]");
  assert_said (state, "attention weight · layer 0 · head 0 · whole words");
  /* A pinned piece is its word now, and its word's first piece after. */
  g_assert_cmpuint (hl_view_state_get_pinned (state)->query, ==, 1);
  g_assert_cmpuint (hl_view_state_get_pinned (state)->key, ==, 2);
  hl_view_state_set_option (state, words, FALSE);
  g_assert_cmpuint (hl_view_state_get_pinned (state)->query, ==, 1);
  g_assert_cmpuint (hl_view_state_get_pinned (state)->key, ==, 4);
  g_assert_true (hl_view_state_get_shown (state)->attention == hl_view_state_get_attention (state));
}

static void
test_hidden (void)
{
  g_autoptr (HlViewState) state = make_state ();
  const HlPick story = { HL_PICK_QUERY, .query = 4 };
  const HlPick first = { HL_PICK_KEY, .key = 0 };
  const HlPick cell = { HL_PICK_CELL, .query = 0, .key = 1 };

  hl_view_state_set_pinned (state, &story);
  hl_view_state_set_option (state, hide_special, TRUE);
  assert_shown (state, "un ##believ ##able story");
  assert_said (state, "attention weight · layer 0 · head 0 · special tokens hidden");
  g_assert_cmpuint (hl_view_state_get_pinned (state)->query, ==, 3);

  hl_view_state_set_option (state, renormalise, TRUE);
  assert_said (state, "attention weight, rows renormalised · layer 0 · head 0 · special tokens hidden");
  hl_view_state_set_option (state, words, TRUE);
  assert_shown (state, "unbelievable story");
  hl_view_state_set_option (state, hide_special, FALSE);
  hl_view_state_set_option (state, hide_first, TRUE);
  assert_said (state, "attention weight, rows renormalised · layer 0 · head 0 · whole words · first token hidden");
  assert_shown (state, "unbelievable story [SEP]");

  /* A word goes with all its pieces, and on both sides. */
  hl_view_state_hide (state, &first);
  g_autofree char *hidden = hl_view_state_dup_hidden (state);
  g_assert_cmpstr (hidden, ==, "1-3");
  assert_shown (state, "story [SEP]");
  hl_view_state_set_option (state, words, FALSE);
  assert_shown (state, "story [SEP]");
  assert_said (state, "attention weight, rows renormalised · layer 0 · head 0 · first token hidden "
                      "· 3 tokens hidden");
  hl_view_state_unhide (state, HL_QUERIES, 2);
  assert_shown (state, "##believ story [SEP]");
  hl_view_state_set_option (state, words, TRUE);
  assert_shown (state, "story [SEP]");
  hl_view_state_set_option (state, words, FALSE);

  /* A cell stands for its key. What was pinned and is hidden is so no more. */
  g_assert_cmpint (hl_view_state_get_pinned (state)->kind, ==, HL_PICK_QUERY);
  hl_view_state_hide (state, &cell);
  assert_shown (state, "##believ [SEP]");
  g_assert_cmpint (hl_view_state_get_pinned (state)->kind, ==, HL_PICK_NONE);

  /* The last one stays. */
  hl_view_state_hide (state, &first);
  g_assert_false (hl_view_state_can_hide (state, &first));
  hl_view_state_hide (state, &first);
  assert_shown (state, "[SEP]");
  hl_view_state_show_all_tokens (state);
  assert_shown (state, "[CLS] un ##believ ##able story [SEP]");
  g_assert_false (hl_view_state_hides (state));
}

static void
test_text (void)
{
  g_autoptr (HlViewState) state = make_state ();
  g_autoptr (HlViewState) same = make_state ();
  g_autofree float *weights = test_make_weights (5, 2 * 2, 6, 6);
  g_autoptr (HlViewState) other = test_make_state (2, 2, 6, 6, weights, other_tokens, 0, (HlMask){ 0 });
  g_autofree char *kept = NULL;
  g_autofree char *left = NULL;

  hl_view_state_set_hidden (state, "q1,k1-2,k99");
  assert_said (state, "attention weight · layer 0 · head 0 · 2 tokens hidden");
  g_assert_cmpuint (hl_attention_get_n (hl_view_state_get_shown (state)->attention, HL_QUERIES), ==, 5);
  g_assert_cmpuint (hl_attention_get_n (hl_view_state_get_shown (state)->attention, HL_KEYS), ==, 4);
  hl_view_state_set_hidden (state, "nonsense");
  kept = hl_view_state_dup_hidden (state);
  g_assert_cmpstr (kept, ==, "q1,k1-2,k99");

  /* What was chosen in a text stays with it. */
  hl_view_state_set_example (state, hl_view_state_get_example (same));
  g_assert_cmpuint (hl_attention_get_n (hl_view_state_get_shown (state)->attention, HL_KEYS), ==, 4);
  hl_view_state_set_example (state, hl_view_state_get_example (other));
  left = hl_view_state_dup_hidden (state);
  g_assert_cmpstr (left, ==, "");
  assert_shown (state, "[CLS] a story [SEP] un ##believ");
}

static void
test_with_others (void)
{
  g_autoptr (HlViewState) state = make_state ();
  g_autofree float *weights = test_make_weights (5, 2 * 2, 6, 6);
  g_autoptr (HlViewState) other = test_make_state (2, 2, 6, 6, weights, other_tokens, 0, (HlMask){ 0 });
  const HlPick row = { HL_PICK_QUERY, .query = 4 };
  g_autofree char *hidden = NULL;

  /* Rows are keys: what is hidden is the key all the same. */
  hl_view_state_set_option (state, direction, HL_DIRECTION_TRANSPOSED);
  hl_view_state_hide (state, &row);
  hidden = hl_view_state_dup_hidden (state);
  g_assert_cmpstr (hidden, ==, "4");
  assert_shown (state, "[CLS] un ##believ ##able [SEP]");
  hl_view_state_set_option (state, direction, HL_DIRECTION_ASYMMETRY);
  assert_shown (state, "[CLS] un ##believ ##able [SEP]");
  hl_view_state_set_option (state, direction, HL_DIRECTION_AS_IS);

  /* The same token is hidden on both sides of a difference, wherever it stands. */
  hl_view_state_set_difference (state, hl_view_state_get_attention (other), NULL);
  assert_shown (state, "[CLS] a [SEP] un ##believ ##able [SEP]");
  hl_view_state_set_option (state, words, TRUE);
  assert_shown (state, "[CLS] unbelievable a [SEP] unbeliev");

  /* Views of how weights are made show all tokens. */
  hl_view_state_set_option (state, view, HL_VIEW_STEPS);
  assert_shown (state, "[CLS] un ##believ ##able story [SEP]");
  g_assert_false (hl_view_state_can_hide (state, &row));
}

static void
test_cumulative (void)
{
  g_autoptr (HlViewState) state = make_state ();

  hl_view_state_set_option (state, value_scale, HL_VALUE_SCALE_CUMULATIVE);
  /* Lines have no colours of weights. */
  g_assert_true (hl_view_state_get_shown (state)->filtered == hl_view_state_get_shown (state)->source);
  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  g_assert_true (hl_view_state_get_shown (state)->is_cumulative);
  assert_said (state, "attention weight · layer 0 · head 0 · Cumulative mass");
  g_autofree float *shown = hl_attention_source_read_head (hl_view_state_get_shown (state)->filtered, 0, 0, NULL, NULL);
  for (gsize query = 0; query < 6; query++)
    {
      float largest = 0;
      for (gsize key = 0; key < 6; key++)
        largest = MAX (largest, shown[query * 6 + key]);
      g_assert_cmpfloat (largest, ==, 1);
    }
  /* Numbers with a sign have none. */
  hl_view_state_set_option (state, direction, HL_DIRECTION_ASYMMETRY);
  g_assert_false (hl_view_state_get_shown (state)->is_cumulative);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hiding/words", test_words);
  g_test_add_func ("/hiding/hidden", test_hidden);
  g_test_add_func ("/hiding/text", test_text);
  g_test_add_func ("/hiding/with-others", test_with_others);
  g_test_add_func ("/hiding/cumulative", test_cumulative);
  return g_test_run ();
}
