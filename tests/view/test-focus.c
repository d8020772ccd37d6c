/* SPDX-License-Identifier: MIT */
/* Several tokens in focus at once: which they are, which one leads, and what becomes of them elsewhere. */
#include "view/hl-view-state.h"

#include "core/test-attentions.h"
#include "view/hl-still.h"

#include <math.h>

#define N 8

static const char *const tokens[] = { "time", "flies", "like", " ", "an", "arrow", "fly", "##ing", NULL };

static HlExample *
make_example_of (const char *const *names)
{
  g_autofree float *weights = test_make_weights (1, 2, N, N);
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (attentions,
                   test_make_attention_full (1, 2, N, N, weights, names, names, N, 4, (HlMask){ FALSE, 0 }));
  return hl_example_new ("example", NULL, NULL, attentions, checks);
}

static HlExample *
make_example (void)
{
  return make_example_of (tokens);
}

/* "2,5>5": the tokens, and behind the arrow the one that leads. */
static void
assert_tokens (const HlFocus *focus,
               HlSide         side,
               const char    *expected)
{
  gsize n;
  g_autofree gsize *found = hl_focus_list_tokens (focus, side, &n);
  g_autoptr (GString) text = g_string_new (NULL);

  for (gsize i = 0; i < n; i++)
    g_string_append_printf (text, "%s%zu", i > 0 ? "," : "", found[i]);
  if (focus->gathered != NULL)
    g_string_append_printf (text, ">%zu", focus->pick.tokens[side]);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
toggle (HlFocus *focus,
        HlPick   pick)
{
  g_auto (HlFocus) before = *focus;

  *focus = hl_focus_toggle (&before, &pick);
}

static void
test_toggle (void)
{
  g_auto (HlFocus) focus = { { HL_PICK_NONE }, NULL };

  assert_tokens (&focus, HL_QUERIES, "");
  toggle (&focus, hl_pick_of (HL_QUERIES, 5));
  assert_tokens (&focus, HL_QUERIES, "5");
  assert_tokens (&focus, HL_KEYS, "");
  toggle (&focus, hl_pick_of (HL_QUERIES, 2));
  toggle (&focus, hl_pick_of (HL_QUERIES, 3));
  assert_tokens (&focus, HL_QUERIES, "2,3,5>3");
  g_assert_true (hl_focus_covers (&focus, &(HlPick){ HL_PICK_QUERY, .query = 5 }));
  g_assert_false (hl_focus_covers (&focus, &(HlPick){ HL_PICK_QUERY, .query = 4 }));
  g_assert_false (hl_focus_covers (&focus, &(HlPick){ HL_PICK_KEY, .key = 5 }));
  /* Once more takes a token out; if it led, another does. */
  toggle (&focus, hl_pick_of (HL_QUERIES, 2));
  assert_tokens (&focus, HL_QUERIES, "3,5>3");
  toggle (&focus, hl_pick_of (HL_QUERIES, 3));
  assert_tokens (&focus, HL_QUERIES, "5");
  g_assert_null (focus.gathered);
  toggle (&focus, hl_pick_of (HL_QUERIES, 5));
  g_assert_cmpint (focus.pick.kind, ==, HL_PICK_NONE);

  /* The other side and another layer begin anew; of a cell its token of that side is kept. */
  toggle (&focus, hl_pick_of (HL_QUERIES, 1));
  toggle (&focus, hl_pick_of (HL_KEYS, 4));
  assert_tokens (&focus, HL_KEYS, "4");
  toggle (&focus, (HlPick){ HL_PICK_KEY, .key = 6, .layer = 1 });
  assert_tokens (&focus, HL_KEYS, "6");
  focus.pick = (HlPick){ HL_PICK_CELL, .query = 1, .key = 2 };
  assert_tokens (&focus, HL_QUERIES, "1");
  assert_tokens (&focus, HL_KEYS, "2");
  toggle (&focus, hl_pick_of (HL_KEYS, 3));
  assert_tokens (&focus, HL_KEYS, "2,3>3");
  hl_focus_clear (&focus);
  focus.pick = (HlPick){ HL_PICK_CELL, .query = 1, .key = 2 };
  toggle (&focus, hl_pick_of (HL_QUERIES, 1));
  assert_tokens (&focus, HL_QUERIES, "1");
  assert_tokens (&focus, HL_KEYS, "");
}

static HlPick
halve (const HlPick *pick,
       gconstpointer missing)
{
  return pick->query == *(const gsize *) missing ? (HlPick){ HL_PICK_NONE } : hl_pick_of (HL_QUERIES, pick->query / 2);
}

static void
test_map (void)
{
  g_auto (HlFocus) focus = { { HL_PICK_NONE }, NULL };
  gsize missing = 4;

  for (gsize token = 1; token < 6; token++)
    toggle (&focus, hl_pick_of (HL_QUERIES, token));
  g_auto (HlFocus) mapped = hl_focus_map (&focus, halve, &missing);
  assert_tokens (&mapped, HL_QUERIES, "0,1,2>2");
  /* Without the one that leads. */
  missing = 5;
  g_auto (HlFocus) other = hl_focus_map (&focus, halve, &missing);
  assert_tokens (&other, HL_QUERIES, "0,1,2>0");
  g_auto (HlFocus) copy = hl_focus_copy (&other);
  g_assert_true (hl_focus_equal (&copy, &other));
  g_assert_false (hl_focus_equal (&copy, &mapped));
}

static void
assert_described (HlViewState *state,
                  const char  *expected)
{
  g_autofree char *text = hl_focus_describe (hl_view_state_get_pin (state), hl_view_state_get_shown (state)->attention);

  g_assert_cmpstr (text, ==, expected);
}

static double
get_part (HlViewState *state)
{
  return hl_focus_get_part (hl_view_state_get_pin (state), hl_view_state_get_shown (state)->attention);
}

static void
test_state (void)
{
  g_autoptr (HlExample) example = make_example ();
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  const HlFocus *pin = hl_view_state_get_pin (state);

  hl_view_state_gather (state, &(HlPick){ HL_PICK_QUERY, .query = 0 });
  assert_described (state, NULL);
  g_assert_cmpfloat (get_part (state), ==, 1);
  hl_view_state_gather (state, &(HlPick){ HL_PICK_QUERY, .query = 2 });
  /* A token that would not be seen goes by its place. Of a cell, the side that is being gathered counts. */
  hl_view_state_gather (state, &(HlPick){ HL_PICK_CELL, .query = 3, .key = 7 });
  assert_tokens (pin, HL_QUERIES, "0,2,3>3");
  assert_described (state, "mean of 3 queries: time, like, #3");
  g_assert_cmpfloat (get_part (state), ==, 1.0 / 3);
  g_assert_true (hl_view_state_get_in_focus (state) == pin);
  g_autofree char *caption = hl_view_state_describe (state);
  g_assert_cmpstr (caption, ==, "attention weight · layer 0 · head 0 · mean of 3 queries: time, like, #3");

  /* Transposed, rows are keys. */
  hl_view_state_set_option (state, direction, HL_DIRECTION_TRANSPOSED);
  assert_tokens (pin, HL_KEYS, "0,2,3>3");
  assert_described (state, "mean of 3 queries: time, like, #3");
  g_assert_cmpfloat (get_part (state), ==, 1.0 / 3);
  hl_view_state_set_option (state, direction, HL_DIRECTION_AS_IS);
  assert_tokens (pin, HL_QUERIES, "0,2,3>3");

  /* What is no longer shown is in focus no more. */
  hl_view_state_set_hidden (state, "2");
  assert_tokens (pin, HL_QUERIES, "0,2>2");
  hl_view_state_set_hidden (state, "");
  assert_tokens (pin, HL_QUERIES, "0,3>3");
  hl_view_state_gather (state, &(HlPick){ HL_PICK_QUERY, .query = 5 });
  hl_view_state_set_option (state, sentences, HL_SENTENCES_B_TO_B);
  assert_tokens (pin, HL_QUERIES, "5");
  hl_view_state_set_option (state, sentences, HL_SENTENCES_ALL);

  /* Pieces of one word are one. */
  hl_view_state_gather (state, &(HlPick){ HL_PICK_QUERY, .query = 6 });
  hl_view_state_gather (state, &(HlPick){ HL_PICK_QUERY, .query = 7 });
  hl_view_state_set_option (state, words, TRUE);
  assert_tokens (pin, HL_QUERIES, "5,6>6");
  hl_view_state_set_option (state, words, FALSE);

  hl_view_state_set_pinned (state, &(HlPick){ HL_PICK_KEY, .key = 1 });
  assert_tokens (pin, HL_KEYS, "1");
  hl_view_state_gather (state, &(HlPick){ HL_PICK_CELL, .query = 3, .key = 7 });
  assert_described (state, "sum of 2 keys: flies, ##ing");
  g_assert_cmpfloat (get_part (state), ==, 1);
  hl_view_state_set_pinned (state, NULL);
  g_assert_cmpint (hl_view_state_get_in_focus (state)->pick.kind, ==, HL_PICK_NONE);
}

/* Cell after cell: of one row their keys, of several their queries. */
static void
test_cells (void)
{
  g_autoptr (HlExample) example = make_example ();
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  const HlFocus *pin = hl_view_state_get_pin (state);
  const HlPick first = { HL_PICK_CELL, .query = 1, .key = 2 };

  hl_view_state_gather (state, &first);
  g_assert_true (hl_pick_equal (&pin->pick, &first));
  hl_view_state_gather (state, &first);
  g_assert_cmpint (pin->pick.kind, ==, HL_PICK_NONE);

  hl_view_state_set_pinned (state, &first);
  hl_view_state_gather (state, &(HlPick){ HL_PICK_CELL, .query = 4, .key = 5 });
  assert_described (state, "mean of 2 queries: flies, an");
  hl_view_state_gather (state, &(HlPick){ HL_PICK_CELL, .query = 0, .key = 2 });
  assert_described (state, "mean of 3 queries: time, flies, an");

  hl_view_state_set_pinned (state, &first);
  hl_view_state_gather (state, &(HlPick){ HL_PICK_CELL, .query = 1, .key = 5 });
  assert_described (state, "sum of 2 keys: like, arrow");
  hl_view_state_gather (state, &(HlPick){ HL_PICK_CELL, .query = 4, .key = 0 });
  assert_described (state, "sum of 3 keys: time, like, arrow");

  hl_view_state_set_pinned (state, &first);
  hl_view_state_extend_pin (state, &(HlPick){ HL_PICK_CELL, .query = 2, .key = 2 });
  assert_described (state, "mean of 2 queries: flies, like");
}

/* As a key does it that is held: forth, and back again. */
static void
test_extend (void)
{
  g_autoptr (HlExample) example = make_example ();
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  const HlFocus *pin = hl_view_state_get_pin (state);

  hl_view_state_extend_pin (state, &(HlPick){ HL_PICK_KEY, .key = 3 });
  assert_tokens (pin, HL_KEYS, "3");
  hl_view_state_extend_pin (state, &(HlPick){ HL_PICK_KEY, .key = 4 });
  hl_view_state_extend_pin (state, &(HlPick){ HL_PICK_KEY, .key = 5 });
  assert_tokens (pin, HL_KEYS, "3,4,5>5");
  hl_view_state_extend_pin (state, &(HlPick){ HL_PICK_KEY, .key = 5 });
  assert_tokens (pin, HL_KEYS, "3,4,5>5");
  hl_view_state_extend_pin (state, &(HlPick){ HL_PICK_KEY, .key = 4 });
  assert_tokens (pin, HL_KEYS, "3,4>4");
  hl_view_state_extend_pin (state, &(HlPick){ HL_PICK_KEY, .key = 3 });
  assert_tokens (pin, HL_KEYS, "3");
}

static gboolean
read_row (gsize    token,
          float   *row,
          gpointer data)
{
  for (gsize i = 0; i < 3; i++)
    row[i] = ((const float *) data)[token * 3 + i];
  return token != 7;
}

/* What is no number counts only where there is no other, as a token that one side of a difference lacks. */
static void
test_combine (void)
{
  const float rows[] = { 0.5f, 0.25f, NAN, 1, NAN, NAN, 0, 0.75f, NAN };
  g_autoptr (HlExample) example = make_example ();
  HlAttention *attention = hl_example_get_attention (example, 0);
  float row[3];

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      g_auto (HlFocus) focus = { hl_pick_of (side, 1), NULL };
      g_assert_true (hl_focus_combine (&focus, attention, 3, read_row, (gpointer) rows, row));
      g_assert_cmpfloat (row[0], ==, 1);
      g_assert_true (isnan (row[1]));
      toggle (&focus, hl_pick_of (side, 0));
      toggle (&focus, hl_pick_of (side, 2));
      g_assert_true (hl_focus_combine (&focus, attention, 3, read_row, (gpointer) rows, row));
      g_assert_cmpfloat (row[0], ==, side == HL_QUERIES ? 0.5f : 1.5f);
      g_assert_cmpfloat (row[1], ==, side == HL_QUERIES ? 0.5f : 1);
      g_assert_true (isnan (row[2]));
    }
  g_auto (HlFocus) broken = { hl_pick_of (HL_KEYS, 7), NULL };
  const float many[24] = { 0 };
  g_assert_false (hl_focus_combine (&broken, attention, 3, read_row, (gpointer) many, row));
  toggle (&broken, hl_pick_of (HL_KEYS, 1));
  g_assert_false (hl_focus_combine (&broken, attention, 3, read_row, (gpointer) many, row));
}

static void
note (HlViewState *state,
      HlChanges    changes,
      HlChanges   *seen)
{
  *seen |= changes;
}

/* Words over the picture change with the set, not with every pin. */
static void
test_changes (void)
{
  g_autoptr (HlExample) example = make_example ();
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  HlChanges seen = 0;

  g_signal_connect (state, "changed", G_CALLBACK (note), &seen);
  hl_view_state_gather (state, &(HlPick){ HL_PICK_QUERY, .query = 3 });
  g_assert_cmpuint (seen, ==, HL_CHANGED_PIN);
  hl_view_state_gather (state, &(HlPick){ HL_PICK_QUERY, .query = 5 });
  g_assert_cmpuint (seen, ==, HL_CHANGED_PIN | HL_CHANGED_GATHERED);
  seen = 0;
  hl_view_state_set_hovered (state, &(HlPick){ HL_PICK_QUERY, .query = 3 });
  g_assert_cmpuint (seen, ==, HL_CHANGED_HOVER);

  /* A worker is told of all of them. */
  g_auto (HlStill) still = { 0 };
  hl_still_take (&still, state);
  hl_view_state_set_pinned (state, NULL);
  g_autoptr (HlViewState) other = hl_still_show (&still);
  assert_tokens (hl_view_state_get_pin (other), HL_QUERIES, "3,5>5");
}

/* Beside several heads a token has one number, and an image one colour a patch: the caption says that these are means. */
static void
test_several_heads (void)
{
  g_autoptr (HlExample) example = make_example ();
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  const struct
  {
    HlViewKind view;
    gboolean takes_all, pins, is_mean;
  } cases[] = {
    { HL_VIEW_HEAD_VIEW, TRUE, FALSE, FALSE }, { HL_VIEW_HEAD_VIEW, TRUE, TRUE, TRUE },
    { HL_VIEW_HEAD_VIEW, FALSE, TRUE, FALSE }, { HL_VIEW_HEATMAP, TRUE, TRUE, FALSE },
    { HL_VIEW_PICTURE, TRUE, FALSE, TRUE },    { HL_VIEW_PICTURE, FALSE, FALSE, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      hl_view_state_set_option (state, view, cases[i].view);
      if (cases[i].takes_all)
        hl_view_state_select_all_heads (state);
      else
        hl_view_state_go_to (state, 0, 1);
      hl_view_state_set_pinned (state, cases[i].pins ? &(HlPick){ HL_PICK_QUERY, .query = 2 } : NULL);
      g_autofree char *caption = hl_view_state_describe (state);
      g_test_message ("%s", caption);
      g_assert_true ((strstr (caption, " · numbers: mean of 2 heads") != NULL) == cases[i].is_mean);
    }
}

/* What would turn the rest of a caption round, or end its line, and what is longer than one. */
static void
test_hostile (void)
{
  const char *const names[] = { "a\u202eb", "\u2028x", "0123456789012345678901234567890123456789 and more",
                                "d",        "e",       "f",
                                "g",        "h",       NULL };
  g_autoptr (HlExample) example = make_example_of (names);
  g_autoptr (HlViewState) state = hl_view_state_new (example);

  for (gsize token = 0; token < 3; token++)
    hl_view_state_gather (state, &(HlPick){ HL_PICK_QUERY, .query = token });
  assert_described (state, "mean of 3 queries: a\uFFFDb, \uFFFDx, 0123456789012345678901234567890123456789…");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/focus/toggle", test_toggle);
  g_test_add_func ("/focus/map", test_map);
  g_test_add_func ("/focus/state", test_state);
  g_test_add_func ("/focus/cells", test_cells);
  g_test_add_func ("/focus/extend", test_extend);
  g_test_add_func ("/focus/combine", test_combine);
  g_test_add_func ("/focus/changes", test_changes);
  g_test_add_func ("/focus/several-heads", test_several_heads);
  g_test_add_func ("/focus/hostile", test_hostile);
  return g_test_run ();
}
