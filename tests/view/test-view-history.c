/* SPDX-License-Identifier: MIT */
/* What was looked at before comes back, step by step, and what was gone back comes again. */
#include "view/hl-view-history.h"

#include "core/test-attentions.h"
#include "view/hl-sides.h"

/* @tokens: (nullable) */
static HlViewState *
make_state_of (const char *const *tokens,
               gsize              n)
{
  g_autofree float *weights = test_make_weights (1, 3 * 4, n, n);
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (attentions,
                   test_make_attention_full (3, 4, n, n, weights, tokens, tokens, n, 0, (HlMask){ FALSE, 0 }));
  g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
  return hl_view_state_new (example);
}

static HlViewState *
make_state (void)
{
  return make_state_of (NULL, 6);
}

static void
test_steps (void)
{
  g_autoptr (HlViewState) state = make_state ();
  g_autoptr (HlViewHistory) history = hl_view_history_new (state);
  const HlPick key = hl_pick_of (HL_KEYS, 2);

  g_assert_false (hl_view_history_can_undo (history));
  hl_view_state_go_to (state, 2, 3);
  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  hl_view_state_hide (state, &key);
  hl_view_state_set_option (state, threshold, 0.25);
  g_assert_true (hl_view_history_can_undo (history));
  g_assert_false (hl_view_history_can_redo (history));

  hl_view_history_undo (history);
  g_assert_cmpfloat (hl_view_state_get_options (state)->threshold, ==, 0);
  g_assert_true (hl_view_state_hides (state));
  hl_view_history_undo (history);
  g_assert_false (hl_view_state_hides (state));
  g_assert_cmpuint (hl_view_state_get_options (state)->view, ==, HL_VIEW_HEATMAP);
  hl_view_history_undo (history);
  g_assert_cmpuint (hl_view_state_get_options (state)->view, ==, HL_VIEW_DEFAULT);
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 2);
  hl_view_history_undo (history);
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 0);
  g_assert_cmpuint (hl_view_state_get_head (state), ==, 0);
  g_assert_false (hl_view_history_can_undo (history));

  for (guint i = 0; i < 4; i++)
    hl_view_history_redo (history);
  g_assert_false (hl_view_history_can_redo (history));
  g_assert_cmpfloat (hl_view_state_get_options (state)->threshold, ==, 0.25);
  g_assert_cmpuint (hl_view_state_get_head (state), ==, 3);
  g_assert_true (hl_view_state_hides (state));
  /* What is chosen after going back has no other future. */
  hl_view_history_undo (history);
  hl_view_state_set_option (state, words, TRUE);
  g_assert_false (hl_view_history_can_redo (history));
}

/* A slider that is drawn, heads that are gone through, tokens that are tried one after the other. */
static void
test_one_go (void)
{
  g_autoptr (HlViewState) state = make_state ();
  g_autoptr (HlViewHistory) history = hl_view_history_new (state);

  for (guint i = 1; i <= 20; i++)
    hl_view_state_set_option (state, threshold, i / 100.0);
  for (gsize token = 0; token < 5; token++)
    {
      const HlPick pick = hl_pick_of (HL_QUERIES, token);
      hl_view_state_set_pinned (state, &pick);
    }
  hl_view_history_undo (history);
  g_assert_cmpuint (hl_view_state_get_pinned (state)->kind, ==, HL_PICK_NONE);
  g_assert_cmpfloat (hl_view_state_get_options (state)->threshold, ==, 0.2);
  hl_view_history_undo (history);
  g_assert_cmpfloat (hl_view_state_get_options (state)->threshold, ==, 0);
  g_assert_false (hl_view_history_can_undo (history));
  /* Two in one go that are said to be two. */
  hl_view_state_set_option (state, threshold, 0.5);
  hl_view_history_end_step (history);
  hl_view_state_set_option (state, threshold, 0.6);
  hl_view_history_undo (history);
  g_assert_cmpfloat (hl_view_state_get_options (state)->threshold, ==, 0.5);
}

static void
test_bounded (void)
{
  g_autoptr (HlViewState) state = make_state ();
  g_autoptr (HlViewHistory) history = hl_view_history_new (state);
  guint n = 0;

  for (guint i = 0; i < 3 * HL_VIEW_HISTORY_STEPS; i++)
    {
      hl_view_state_set_option (state, words, i % 2 == 0);
      hl_view_history_end_step (history);
    }
  for (; hl_view_history_can_undo (history); n++)
    hl_view_history_undo (history);
  g_assert_cmpuint (n, ==, HL_VIEW_HISTORY_STEPS);
}

/* Neither the pointer nor the theme is a choice; and what was of another example does not come back. */
static void
test_no_steps (void)
{
  g_autoptr (HlViewState) state = make_state ();
  g_autoptr (HlViewState) other = make_state ();
  g_autoptr (HlViewHistory) history = hl_view_history_new (state);
  const HlPick pick = hl_pick_of (HL_KEYS, 1);

  hl_view_state_set_hovered (state, &pick);
  hl_view_state_set_option (state, dark, TRUE);
  g_assert_false (hl_view_history_can_undo (history));
  hl_view_state_set_option (state, words, TRUE);
  hl_view_state_set_option (state, dark, FALSE);
  hl_view_history_undo (history);
  g_assert_false (hl_view_state_get_options (state)->words);
  g_assert_false (hl_view_state_get_options (state)->dark);
  hl_view_state_set_option (state, words, TRUE);
  hl_view_state_set_example (state, hl_view_state_get_example (other));
  g_assert_false (hl_view_history_can_undo (history));
}

static void
count (guint *n)
{
  ++*n;
}

/* Whoever offers to undo a step hears that another one would be undone. */
static void
test_moved (void)
{
  g_autoptr (HlViewState) state = make_state ();
  HlViewHistory *history = hl_view_history_new (state);
  const HlPick key = hl_pick_of (HL_KEYS, 2);
  guint n = 0;

  hl_view_state_hide (state, &key);
  g_signal_connect_swapped (history, "moved", G_CALLBACK (count), &n);
  hl_view_state_set_hovered (state, &key);
  hl_view_state_set_option (state, dark, TRUE);
  g_assert_cmpuint (n, ==, 0);
  hl_view_history_undo (history);
  g_assert_cmpuint (n, ==, 1);
  hl_view_history_undo (history);
  g_assert_cmpuint (n, ==, 1);
  hl_view_history_redo (history);
  g_assert_cmpuint (n, ==, 2);
  hl_view_state_set_option (state, words, TRUE);
  g_assert_cmpuint (n, ==, 3);
  g_object_unref (history);
  g_assert_cmpuint (n, ==, 4);
}

static void
assert_pinned (HlViewState *state,
               gsize        query)
{
  const HlPick *pinned = hl_view_state_get_pinned (state);

  g_assert_cmpint (pinned->kind, ==, query == G_MAXSIZE ? HL_PICK_NONE : HL_PICK_QUERY);
  if (query != G_MAXSIZE)
    g_assert_cmpuint (pinned->query, ==, query);
}

/* That a difference is shown is no step. A token that was pinned before is the same in it, and one that was pinned in it the same after; one
 * that only the other side has is pinned again only there. */
static void
test_difference (void)
{
  static const char *const tokens[] = { "a", "b", "c", "d", NULL }, *const others[] = { "x", "a", "b", "c", "d", NULL };
  g_autoptr (HlViewState) state = make_state_of (tokens, 4);
  g_autoptr (HlViewState) other = make_state_of (others, 5);
  g_autoptr (HlSides) sides = hl_sides_new (state, other, &(HlHeadPairing){ -1, -1 }, NULL);
  g_autoptr (HlViewHistory) history = hl_view_history_new (state);
  const HlPick c = hl_pick_of (HL_QUERIES, 2), x = hl_pick_of (HL_QUERIES, 0);

  hl_view_state_set_pinned (state, &c);
  hl_view_history_end_step (history);
  hl_sides_set_difference (sides, TRUE);
  assert_pinned (state, 3);
  hl_view_state_set_option (state, threshold, 0.25);
  hl_view_history_undo (history);
  assert_pinned (state, 3);
  hl_view_history_undo (history);
  assert_pinned (state, G_MAXSIZE);
  g_assert_false (hl_view_history_can_undo (history));
  hl_view_history_redo (history);
  assert_pinned (state, 3);
  hl_view_history_redo (history);

  hl_view_state_set_pinned (state, &x);
  hl_view_state_set_option (state, threshold, 0.5);
  hl_view_history_undo (history);
  assert_pinned (state, 0);
  hl_sides_set_difference (sides, FALSE);
  assert_pinned (state, G_MAXSIZE);
  hl_view_history_undo (history);
  assert_pinned (state, 2);
  hl_view_history_redo (history);
  assert_pinned (state, G_MAXSIZE);
  hl_sides_set_difference (sides, TRUE);
  hl_view_history_undo (history);
  assert_pinned (state, 3);
  hl_view_history_redo (history);
  assert_pinned (state, 0);
}

/* What is pinned in the view of all layers stays in its layer, and the layer that was chosen then comes back. */
static void
test_layer_of_pin (void)
{
  g_autoptr (HlViewState) state = make_state ();
  hl_view_state_set_option (state, view, HL_VIEW_LAYERS);
  g_autoptr (HlViewHistory) history = hl_view_history_new (state);

  hl_view_state_set_pinned (state, &(HlPick){ HL_PICK_QUERY, .query = 3, .layer = 2 });
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 2);
  hl_view_history_end_step (history);
  hl_view_state_set_layer (state, 1);
  hl_view_state_set_option (state, threshold, 0.25);
  hl_view_state_set_layer (state, 0);
  hl_view_history_undo (history);
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 1);
  hl_view_history_undo (history);
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 1);
  g_assert_cmpuint (hl_view_state_get_pinned (state)->layer, ==, 2);
  hl_view_history_undo (history);
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 2);
  hl_view_history_undo (history);
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 0);
  g_assert_cmpint (hl_view_state_get_pinned (state)->kind, ==, HL_PICK_NONE);
  for (guint i = 0; i < 4; i++)
    hl_view_history_redo (history);
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 0);
  g_assert_cmpuint (hl_view_state_get_pinned (state)->layer, ==, 2);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/view-history/steps", test_steps);
  g_test_add_func ("/view-history/one-go", test_one_go);
  g_test_add_func ("/view-history/bounded", test_bounded);
  g_test_add_func ("/view-history/no-steps", test_no_steps);
  g_test_add_func ("/view-history/moved", test_moved);
  g_test_add_func ("/view-history/difference", test_difference);
  g_test_add_func ("/view-history/layer-of-pin", test_layer_of_pin);
  return g_test_run ();
}
