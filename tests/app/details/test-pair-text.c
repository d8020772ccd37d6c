/* SPDX-License-Identifier: MIT */
/* A pair of tokens in words: what is shortened, what is not, and how many lines that takes. */
#include "panel-support.h"

#include "app/details/hl-pair-text.h"

#include <string.h>

static char *
write_pair (HlViewState        *state,
            const HlStrongPair *pair,
            gboolean            two_lines,
            char              **spoken)
{
  g_autoptr (GString) markup = g_string_new (NULL);
  g_autoptr (GString) heard = g_string_new (NULL);
  g_autofree char *text = NULL;

  hl_pair_text_append (markup, heard, hl_view_state_get_shown (state), pair, two_lines);
  g_assert_true (pango_parse_markup (markup->str, -1, 0, NULL, &text, NULL, NULL));
  if (spoken != NULL)
    *spoken = g_string_free (g_steal_pointer (&heard), FALSE);
  return g_steal_pointer (&text);
}

/* A short word leaves a long one its room; nothing is left out of what is heard. */
static void
test_words (void)
{
  static const char *const tokens[] = { "a", "internationalisation", "antidisestablishment", "<" };
  const PanelAttention four = { .n_layers = 1, .n_heads = 1, .n = 4, .tokens = tokens };
  g_autoptr (HlViewState) state = panel_state_new (&four);
  const HlStrongPair pairs[] = { { 0, 3, 0.5f }, { 1, 0, 0.5f }, { 1, 2, 0.5f } };
  g_autofree char *spoken = NULL;

  g_assert_false (hl_pair_text_needs_two_lines (hl_view_state_get_shown (state), pairs, G_N_ELEMENTS (pairs)));
  g_autofree char *whole = write_pair (state, &pairs[0], FALSE, NULL);
  g_assert_cmpstr (whole, ==, "a 0 → < 3");
  g_autofree char *shared = write_pair (state, &pairs[1], FALSE, &spoken);
  g_autofree char *tight = write_pair (state, &pairs[2], FALSE, NULL);
  g_autofree char *below = write_pair (state, &pairs[2], TRUE, NULL);
  g_assert_cmpstr (spoken, ==, "internationalisation, position 1 → a, position 0");
  g_assert_true (g_str_has_suffix (shared, " 1 → a 0"));
  g_assert_null (strstr (shared, tokens[1]));
  /* 15 letters of the word beside one, 8 beside another long one, 16 in a line of its own. */
  g_auto (GStrv) beside_short = g_strsplit (shared, " 1 → ", 2);
  g_auto (GStrv) beside_long = g_strsplit (tight, " 1 → ", 2);
  g_auto (GStrv) alone = g_strsplit (below, " 1\n→ ", 2);
  g_assert_cmpint (g_utf8_strlen (beside_short[0], -1), ==, 15);
  g_assert_cmpint (g_utf8_strlen (beside_long[0], -1), ==, 8);
  g_assert_cmpint (g_utf8_strlen (alone[0], -1), ==, 16);
}

/* What is told from its like by its name is not shortened, and no position stands beside it. */
static void
test_places (void)
{
  static const char *const tokens[] = { "12.84–13.42 s", "13.42–14.00 s", "a" };
  const PanelAttention three = { .n_layers = 1, .n_heads = 1, .n = 3, .tokens = tokens };
  g_autoptr (HlViewState) state = panel_state_new (&three);
  const HlShown *shown = hl_view_state_get_shown (state);
  const HlStrongPair pairs[] = { { 2, 2, 0.5f }, { 2, 0, 0.5f }, { 0, 1, 0.5f } };

  g_assert_false (hl_pair_text_needs_two_lines (shown, pairs, 0));
  g_assert_false (hl_pair_text_needs_two_lines (shown, pairs, 2));
  g_assert_true (hl_pair_text_needs_two_lines (shown, pairs, 3));
  g_autofree char *text = write_pair (state, &pairs[2], TRUE, NULL);
  g_assert_cmpstr (text, ==, "12.84–13.42 s\n→ 13.42–14.00 s");
}

/* It begins with the token that attends, also where keys have the rows. */
static void
test_transposed (void)
{
  static const char *const tokens[] = { "a", "b" };
  const PanelAttention two = { .n_layers = 1, .n_heads = 1, .n = 2, .tokens = tokens };
  g_autoptr (HlViewState) state = panel_state_new (&two);
  g_autofree char *spoken = NULL;

  hl_view_state_set_option (state, direction, HL_DIRECTION_TRANSPOSED);
  g_autofree char *text = write_pair (state, &(HlStrongPair){ 0, 1, 0.5f }, FALSE, &spoken);
  g_assert_cmpstr (text, ==, "b 1 → a 0");
  g_assert_cmpstr (spoken, ==, "b, position 1 → a, position 0");
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);

  g_test_add_func ("/pair-text/words", test_words);
  g_test_add_func ("/pair-text/places", test_places);
  g_test_add_func ("/pair-text/transposed", test_transposed);
  return g_test_run ();
}
