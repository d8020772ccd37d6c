/* SPDX-License-Identifier: MIT */
/* Two sides are looked at alike, whoever compares them: a window that goes on meanwhile, or a command that waits. */
#include "view/hl-sides.h"

#include "core/test-attentions.h"
#include "view/pick/hl-pick-sides.h"
#include "view/hl-still.h"

static const char *const tokens_a[] = { "a", "b", "c", NULL };
static const char *const tokens_b[] = { "a", "x", "c", "d", NULL };

/* Two of them are too long for an aligner to align at once. */
#define N_LONG 2100

typedef struct
{
  HlViewState *a;
  HlViewState *b;
} Fixture;

static HlExample *
make_example (guint              seed,
              guint              n_layers,
              guint              n_heads,
              const char *const *tokens)
{
  const gsize n = g_strv_length ((char **) tokens);
  g_autofree float *weights = test_make_weights (seed, n_layers * n_heads, n, n);
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (attentions,
                   test_make_attention_full (n_layers, n_heads, n, n, weights, tokens, tokens, n, 0, (HlMask){ 0 }));
  return hl_example_new ("example", NULL, NULL, attentions, checks);
}

static HlViewState *
make_state (guint              seed,
            const char *const *tokens)
{
  g_autoptr (HlExample) example = make_example (seed, 2, 3, tokens);

  return hl_view_state_new (example);
}

static HlViewState *
make_long_state (guint seed)
{
  g_autoptr (GPtrArray) tokens = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < N_LONG; i++)
    g_ptr_array_add (tokens, i % 100 == seed ? g_strdup_printf ("x%u", seed) : g_strdup_printf ("%u", i % 50));
  g_ptr_array_add (tokens, NULL);
  g_autoptr (HlExample) example = make_example (seed, 1, 2, (const char *const *) tokens->pdata);
  return hl_view_state_new (example);
}

static void
set_up (Fixture      *self,
        gconstpointer data)
{
  self->a = make_state (1, tokens_a);
  self->b = make_state (2, tokens_b);
}

static void
tear_down (Fixture      *self,
           gconstpointer data)
{
  g_assert_finalize_object (self->a);
  g_assert_finalize_object (self->b);
}

static HlSides *
compare (Fixture *self,
         int      layer,
         int      head)
{
  return hl_sides_new (self->a, self->b, &(HlHeadPairing){ layer, head }, NULL);
}

static void
count (guint *n)
{
  ++*n;
}

static void
assert_hidden (HlViewState *state,
               const char  *expected)
{
  g_autofree char *hidden = hl_view_state_dup_hidden (state);

  g_assert_cmpstr (hidden, ==, expected);
}

static void
test_beside (Fixture      *self,
             gconstpointer data)
{
  hl_view_state_set_option (self->a, threshold, 0.1);
  hl_view_state_go_to (self->a, 1, 2);
  g_autoptr (HlSides) sides = compare (self, -1, -1);
  hl_sides_set_names (sides, "one", "two");

  g_assert_true (hl_sides_get_a (sides) == self->a && hl_sides_get_b (sides) == self->b);
  g_assert_true (hl_view_state_get_beside (self->a) == self->b && hl_view_state_get_beside (self->b) == self->a);
  g_assert_cmpfloat (hl_view_state_get_options (self->b)->threshold, ==, 0.1);
  g_assert_cmpuint (hl_view_state_get_layer (self->b), ==, 1);
  g_assert_cmpuint (hl_view_state_get_head (self->b), ==, 2);
  g_assert_cmpstr (hl_view_state_get_counterpart (self->a)->name, ==, "A: one");
  g_assert_cmpstr (hl_view_state_get_counterpart (self->b)->name, ==, "B: two");

  /* Each follows the other. */
  hl_view_state_set_option (self->b, view, HL_VIEW_HEATMAP);
  g_assert_cmpint (hl_view_state_get_options (self->a)->view, ==, HL_VIEW_HEATMAP);
  hl_view_state_go_to (self->b, 0, 1);
  g_assert_cmpuint (hl_view_state_get_layer (self->a), ==, 0);
  g_assert_cmpuint (hl_view_state_get_head (self->a), ==, 1);
  hl_view_state_toggle_head_of (self->a, 1, 0);
  g_assert_true (
    hl_head_selection_equal (hl_view_state_get_selection (self->a), hl_view_state_get_selection (self->b)));

  hl_sides_close (sides);
  g_assert_null (hl_view_state_get_beside (self->a));
  g_assert_null (hl_view_state_get_counterpart (self->a)->name);
  hl_view_state_go_to (self->a, 1, 1);
  g_assert_cmpuint (hl_view_state_get_layer (self->b), ==, 0);
}

static void
test_pairing (Fixture      *self,
              gconstpointer data)
{
  g_autoptr (HlSides) sides = compare (self, 0, -1);
  guint n = 0;

  hl_view_state_go_to (self->a, 1, 2);
  g_assert_cmpuint (hl_view_state_get_layer (self->b), ==, 0);
  g_assert_cmpuint (hl_view_state_get_head (self->b), ==, 2);
  /* The heads of the second side have no partners then. */
  g_assert_nonnull (hl_view_state_get_compared (self->a));
  g_assert_null (hl_view_state_get_compared (self->b));

  /* Whoever chooses a layer there chooses what belongs to those of the first. */
  g_signal_connect_swapped (sides, "changed", G_CALLBACK (count), &n);
  hl_view_state_set_layer (self->b, 1);
  g_assert_cmpint (hl_sides_get_pairing (sides)->layer, ==, 1);
  g_assert_cmpuint (n, ==, 1);
  hl_sides_set_pairing (sides, &(HlHeadPairing){ 1, 0 });
  g_assert_cmpuint (hl_view_state_get_head (self->b), ==, 0);
  g_assert_cmpuint (hl_view_state_get_head (self->a), ==, 2);
  g_assert_cmpuint (n, ==, 2);

  /* The layer that is there in its place belongs to them now. */
  g_autoptr (HlExample) shallow = make_example (3, 1, 3, tokens_b);
  hl_view_state_set_example (self->b, shallow);
  g_assert_cmpint (hl_sides_get_pairing (sides)->layer, ==, 0);
  g_assert_cmpint (hl_sides_get_pairing (sides)->head, ==, 0);
  hl_sides_set_pairing (sides, &(HlHeadPairing){ -1, -1 });
  g_assert_nonnull (hl_view_state_get_compared (self->b));
}

/* Tokens that are picked or hidden on one side are so on the other, where that has them. */
static void
test_tokens (Fixture      *self,
             gconstpointer data)
{
  g_autoptr (HlSides) sides = compare (self, -1, -1);

  hl_view_state_set_pinned (self->a, &(HlPick){ HL_PICK_KEY, .key = 2 });
  g_assert_true (hl_pick_equal (hl_view_state_get_pinned (self->b), &(HlPick){ HL_PICK_KEY, .key = 2 }));
  hl_view_state_set_hovered (self->b, &(HlPick){ HL_PICK_CELL, .query = 0, .key = 2 });
  g_assert_true (hl_pick_equal (hl_view_state_get_hovered (self->a), hl_view_state_get_hovered (self->b)));
  hl_view_state_set_hovered (self->b, &(HlPick){ HL_PICK_QUERY, .query = 3 });
  g_assert_cmpint (hl_view_state_get_hovered (self->a)->kind, ==, HL_PICK_NONE);

  hl_view_state_set_pinned (self->a, NULL);
  hl_view_state_set_hidden (self->b, "2");
  assert_hidden (self->a, "2");
  hl_view_state_set_hidden (self->a, "1-2");
  assert_hidden (self->b, "2");

  /* What one side has of its own. */
  hl_sides_hold (sides);
  hl_view_state_set_hidden (self->b, "3");
  hl_sides_release (sides);
  assert_hidden (self->a, "1-2");
  hl_sides_pin (sides, hl_view_state_get_pin (self->a), &(HlFocus){ { HL_PICK_QUERY, .query = 1 }, NULL });
  g_assert_cmpint (hl_view_state_get_pinned (self->a)->kind, ==, HL_PICK_NONE);
  g_assert_cmpint (hl_view_state_get_pinned (self->b)->kind, ==, HL_PICK_QUERY);
}

static void
test_difference (Fixture      *self,
                 gconstpointer data)
{
  hl_view_state_set_pinned (self->a, &(HlPick){ HL_PICK_QUERY, .query = 2 });
  hl_view_state_set_option (self->a, sort, HL_HEAD_MEASURE_CHANGE);
  g_autoptr (HlSides) sides = compare (self, -1, -1);
  hl_sides_set_names (sides, "one", "two");

  hl_sides_set_difference (sides, TRUE);
  const HlShown *shown = hl_view_state_get_shown (self->a);
  g_assert_nonnull (shown->comparison);
  g_assert_true (hl_sides_get_comparison (sides) == shown->comparison);
  g_assert_null (hl_view_state_get_beside (self->a));
  g_assert_cmpstr (hl_view_state_get_counterpart (self->a)->name, ==, "one");
  g_assert_cmpstr (hl_view_state_get_counterpart (self->a)->other_name, ==, "two");
  /* "c", behind "a", "b" and "x". */
  g_assert_cmpuint (hl_view_state_get_pinned (self->a)->query, ==, 3);
  const HlFocus before = { { HL_PICK_NONE }, NULL };
  hl_sides_pin (sides, &before, &(HlFocus){ { HL_PICK_QUERY, .query = 3 }, NULL });
  g_assert_cmpuint (hl_view_state_get_pinned (self->a)->query, ==, 4);

  hl_sides_set_pairing (sides, &(HlHeadPairing){ 1, -1 });
  g_assert_cmpint (hl_comparison_get_pairing (hl_view_state_get_shown (self->a)->comparison)->layer, ==, 1);

  hl_sides_set_difference (sides, FALSE);
  g_assert_null (hl_view_state_get_shown (self->a)->comparison);
  g_assert_true (hl_view_state_get_beside (self->a) == self->b);
  /* "d", which the first side does not have. */
  g_assert_cmpint (hl_view_state_get_pinned (self->a)->kind, ==, HL_PICK_NONE);
  g_assert_cmpstr (hl_view_state_get_counterpart (self->a)->name, ==, "A: one");

  hl_sides_set_difference (sides, TRUE);
  hl_sides_close (sides);
  g_assert_null (hl_view_state_get_shown (self->a)->comparison);
  g_assert_cmpint (hl_view_state_get_options (self->a)->sort, ==, HL_HEAD_MEASURE_NONE);
}

static void
assert_pinned (HlViewState *state,
               const char  *expected)
{
  gsize n;
  g_autofree gsize *tokens = hl_focus_list_tokens (hl_view_state_get_pin (state), HL_QUERIES, &n);
  g_autoptr (GString) text = g_string_new (NULL);

  for (gsize i = 0; i < n; i++)
    g_string_append_printf (text, "%s%zu", i > 0 ? "," : "", tokens[i]);
  g_assert_cmpstr (text->str, ==, expected);
}

/* Several tokens at once are on the other side those of them that it has, and in the difference all. */
static void
test_several (Fixture      *self,
              gconstpointer data)
{
  g_autoptr (HlSides) sides = compare (self, -1, -1);

  hl_view_state_gather (self->a, &(HlPick){ HL_PICK_QUERY, .query = 0 });
  hl_view_state_gather (self->a, &(HlPick){ HL_PICK_QUERY, .query = 1 });
  assert_pinned (self->b, "0");
  hl_view_state_gather (self->a, &(HlPick){ HL_PICK_QUERY, .query = 2 });
  assert_pinned (self->b, "0,2");
  hl_sides_set_difference (sides, TRUE);
  /* "a", "b", "x", "c", "d" */
  assert_pinned (self->a, "0,1,3");
  g_auto (HlFocus) pin = hl_focus_copy (hl_view_state_get_pin (self->a));
  HlTokenSet *more = hl_token_set_change (NULL, 1, 3, TRUE);
  g_auto (HlFocus) on_b = { { HL_PICK_QUERY, .query = 3 }, more };
  g_auto (HlFocus) on_a = hl_focus_on_side (hl_view_state_get_shown (self->a)->comparison, &pin, FALSE);
  hl_sides_pin (sides, &on_a, &on_b);
  assert_pinned (self->a, "0,1,2,3,4");
  hl_sides_set_difference (sides, FALSE);
  assert_pinned (self->a, "0,1,2");
  assert_pinned (self->b, "0,2");
}

static void
assert_layers (Fixture *self,
               guint    a,
               guint    b)
{
  g_assert_cmpuint (hl_view_state_get_layer (self->a), ==, a);
  g_assert_cmpuint (hl_view_state_get_layer (self->b), ==, b);
}

/* In the view of all layers both go to the layer in which somebody pins something, and stay in theirs while it is only carried over. */
static void
test_layer_of_pin (Fixture      *self,
                   gconstpointer data)
{
  const HlPick pick = { HL_PICK_QUERY, .query = 2, .layer = 1 };

  hl_view_state_set_option (self->a, view, HL_VIEW_LAYERS);
  hl_view_state_set_pinned (self->a, &pick);
  hl_view_state_set_layer (self->a, 0);
  g_autoptr (HlSides) sides = compare (self, -1, -1);
  g_assert_true (hl_pick_equal (hl_view_state_get_pinned (self->b), &pick));
  assert_layers (self, 0, 0);
  for (guint difference = 2; difference-- > 0;)
    {
      hl_sides_set_difference (sides, difference);
      assert_layers (self, 0, 0);
    }
  g_auto (HlFocus) pin = hl_focus_copy (hl_view_state_get_pin (self->a));
  hl_sides_pin (sides, &pin, &pin);
  assert_layers (self, 0, 0);

  hl_view_state_set_pinned (self->b, NULL);
  hl_view_state_keep_pin (self->b, &pin);
  g_assert_true (hl_pick_equal (hl_view_state_get_pinned (self->a), &pick));
  assert_layers (self, 0, 0);
  hl_view_state_set_pinned (self->b, NULL);
  hl_view_state_set_pinned (self->b, &pick);
  assert_layers (self, 1, 1);
  hl_view_state_set_pinned (self->a, &(HlPick){ HL_PICK_QUERY, .query = 2, .layer = 0 });
  assert_layers (self, 0, 0);

  /* A layer that belongs to all of the first goes alone. */
  hl_sides_set_pairing (sides, &(HlHeadPairing){ 0, -1 });
  hl_view_state_set_pinned (self->a, &pick);
  assert_layers (self, 1, 0);
  hl_view_state_set_layer (self->a, 0);
  hl_view_state_set_pinned (self->b, NULL);
  hl_view_state_set_pinned (self->b, &pick);
  assert_layers (self, 0, 1);
}

static void
take_texts (HlViewState *state,
            GString     *texts)
{
  g_autofree char *caption = hl_view_state_describe (state);
  g_autofree char *hidden = hl_view_state_dup_hidden (state);
  const HlPick *pinned = hl_view_state_get_pinned (state);

  g_string_append_printf (texts, "%s, hidden %s, pinned %d %zu %zu\n", caption, hidden, pinned->kind, pinned->query,
                          pinned->key);
}

/* What both show in the end, side by side and in the difference; with an aligner, as a window does. */
static char *
look (gboolean in_window)
{
  g_autoptr (HlViewState) a = make_long_state (1);
  g_autoptr (HlViewState) b = make_long_state (2);
  g_autoptr (HlAligner) aligner = in_window ? hl_aligner_new () : NULL;
  GString *texts = g_string_new (NULL);

  hl_view_state_set_hidden (a, "7");
  hl_view_state_set_pinned (a, &(HlPick){ HL_PICK_CELL, .query = 1300, .key = 1234 });
  g_autoptr (HlSides) sides = hl_sides_new (a, b, &(HlHeadPairing){ -1, 1 }, aligner);
  hl_sides_set_names (sides, "one", "two");
  g_assert_true ((hl_sides_get_comparison (sides) == NULL) == in_window);
  for (guint i = 0; i < 2; i++)
    {
      hl_sides_set_difference (sides, i == 1);
      while (in_window && hl_aligner_get_busy (aligner))
        g_main_context_iteration (NULL, TRUE);
      g_assert_nonnull (hl_sides_get_comparison (sides));
      take_texts (a, texts);
      take_texts (b, texts);
    }
  return g_string_free (texts, FALSE);
}

static void
test_aligner (void)
{
  g_autofree char *waited = look (FALSE);
  g_autofree char *told = look (TRUE);

  g_assert_cmpstr (told, ==, waited);
}

/* Another thread shows the very same. A difference of texts that are being aligned is there all the same. */
static void
test_still (Fixture      *self,
            gconstpointer data)
{
  g_autoptr (HlSides) sides = compare (self, -1, -1);
  g_auto (HlStill) still = { 0 };

  hl_sides_set_names (sides, "one", "two");
  hl_sides_set_difference (sides, TRUE);
  hl_view_state_set_pinned (self->a, &(HlPick){ HL_PICK_QUERY, .query = 4 });
  hl_still_take (&still, self->a);
  g_autoptr (HlViewState) same = hl_still_show (&still);
  g_assert_true (hl_view_state_get_shown (same) == hl_view_state_get_shown (self->a));
  g_autofree char *text = hl_view_state_describe (same);
  g_autofree char *expected = hl_view_state_describe (self->a);
  g_assert_cmpstr (text, ==, expected);
  g_assert_true (hl_pick_equal (hl_view_state_get_pinned (same), hl_view_state_get_pinned (self->a)));
  /* Maps are not made again for another theme. */
  hl_view_state_set_option (same, dark, TRUE);
  g_assert_true (hl_view_state_get_shown (same)->filtered == hl_view_state_get_shown (self->a)->filtered);
}

static void
test_still_aligns (void)
{
  g_autoptr (HlViewState) a = make_long_state (1);
  g_autoptr (HlViewState) b = make_long_state (2);
  g_autoptr (HlAligner) aligner = hl_aligner_new ();
  g_autoptr (HlSides) sides = hl_sides_new (a, b, &(HlHeadPairing){ -1, -1 }, aligner);
  g_auto (HlStill) still = { 0 };

  hl_view_state_set_pinned (a, &(HlPick){ HL_PICK_KEY, .key = 1234 });
  hl_sides_set_difference (sides, TRUE);
  g_assert_true (hl_view_state_get_shown (a)->awaits_alignment);
  hl_still_take (&still, a);
  g_autoptr (HlViewState) same = hl_still_show (&still);
  g_assert_nonnull (hl_view_state_get_shown (same)->comparison);
  g_assert_null (hl_view_state_get_counterpart (same)->aligner);
  while (hl_aligner_get_busy (aligner))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (hl_view_state_get_pinned (same)->key, ==, hl_view_state_get_pinned (a)->key);
  g_assert_cmpuint (hl_view_state_get_pinned (same)->key, >, 1234);
}

/* What computed the second side is known of the difference as long as it is shown, in another thread too. */
static void
test_calls (Fixture      *self,
            gconstpointer data)
{
  g_autoptr (HlModelCall) first = g_object_new (HL_TYPE_MODEL_CALL, NULL);
  g_autoptr (HlModelCall) second = g_object_new (HL_TYPE_MODEL_CALL, NULL);
  g_autoptr (HlExample) example = make_example (3, 2, 3, tokens_b);
  g_autoptr (HlSides) sides = compare (self, -1, -1);
  g_auto (HlStill) still = { 0 };

  hl_view_state_set_call (self->b, first);
  g_assert_null (hl_view_state_get_other_call (self->a));
  hl_sides_set_difference (sides, TRUE);
  g_assert_true (hl_view_state_get_other_call (self->a) == first);
  hl_still_take (&still, self->a);
  g_autoptr (HlViewState) same = hl_still_show (&still);
  g_assert_true (hl_view_state_get_other_call (same) == first);
  hl_view_state_set_call (self->b, second);
  hl_view_state_set_example (self->b, example);
  g_assert_true (hl_view_state_get_other_call (self->a) == second);
  hl_sides_set_difference (sides, FALSE);
  g_assert_null (hl_view_state_get_other_call (self->a));
}

/* A difference reads both sides, and the one that is seen may hold all that it announces. */
static void
test_expansion (void)
{
  static const char *const tokens[] = { "a", "b", NULL };
  g_autoptr (HlExample) small = make_example (1, 2, 9, tokens);
  g_autoptr (HlExample) hollow = test_make_hollow_example (9, 4096);
  g_autoptr (HlViewState) a = hl_view_state_new (small);
  g_autoptr (HlViewState) b = hl_view_state_new (hollow);
  g_autoptr (HlSides) sides = hl_sides_new (a, b, &(HlHeadPairing){ -1, -1 }, NULL);

  g_assert_true (hl_view_state_check_picture (a, NULL));
  g_assert_true (hl_view_state_check_picture (b, NULL));
  hl_view_state_set_option (a, view, HL_VIEW_MODEL);
  g_assert_true (hl_view_state_check_picture (a, NULL));
  g_assert_false (hl_view_state_check_picture (b, NULL));
  hl_sides_set_difference (sides, TRUE);
  g_assert_false (hl_view_state_check_picture (a, NULL));
  /* What is allowed of the difference is allowed of both, of one side of that alone. */
  hl_view_state_allow_expansion (a, FALSE);
  g_assert_false (hl_view_state_check_picture (a, NULL));
  hl_view_state_allow_expansion (a, hl_view_state_reads_both (a));
  g_assert_true (hl_view_state_check_picture (a, NULL));
  g_assert_true (hl_view_state_get_allows_expansion (b));
  hl_sides_close (sides);
  g_assert_null (hl_view_state_get_partner (a));
}

static float
read_first (HlViewState *state)
{
  g_autofree float *map = hl_attention_source_read_head (hl_view_state_get_shown (state)->source, 0, 0, NULL, NULL);

  return map[0];
}

/* Where all layers of the first side are combined, all of the second are, however many it has; layers that are chosen are the same ones. */
static void
test_deeper (void)
{
  for (guint chosen = 0; chosen < 2; chosen++)
    {
      g_autoptr (HlExample) shallow = make_example (1, 2, 3, tokens_a);
      g_autoptr (HlExample) deep = make_example (2, 4, 3, tokens_a);
      g_autoptr (HlViewState) a = hl_view_state_new (shallow);
      g_autoptr (HlViewState) b = hl_view_state_new (deep);
      g_autofree float *weights = test_make_weights (2, 4 * 3, 3, 3);
      double sum = 0;

      hl_view_state_set_option (a, combine, HL_COMBINE_MEAN);
      hl_view_state_set_option (a, combine_over, HL_COMBINE_OVER_LAYERS);
      if (chosen)
        hl_view_state_set_layers (a, &(HlLayerSet){ { 1 << 1 } });
      for (guint layer = 0; layer < 4; layer++)
        sum += !chosen || layer == 1 ? weights[layer * 3 * 3 * 3] : 0;
      const double mean = sum / (chosen ? 1 : 4);
      const double own = read_first (a);
      g_autoptr (HlSides) sides = hl_sides_new (a, b, &(HlHeadPairing){ -1, -1 }, NULL);
      g_assert_cmpuint (hl_layer_set_count (hl_view_state_get_layers (b)), ==, chosen ? 1 : 4);
      g_assert_cmpfloat_with_epsilon (read_first (b), mean, 1e-6);
      hl_sides_set_difference (sides, TRUE);
      g_assert_cmpfloat_with_epsilon (read_first (a), mean - own, 1e-6);
      hl_sides_close (sides);
    }
}

/* Where one side has no asymmetry, as its keys are other tokens, weights are subtracted of both. */
static void
test_asymmetry_of_one (void)
{
  static const char *const other_keys[] = { "a", "b", "x", NULL };
  g_autofree float *weights = test_make_weights (1, 1, 3, 3);

  for (guint first = 0; first < 2; first++)
    {
      HlViewState *states[2];

      for (guint i = 0; i < 2; i++)
        {
          g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
          g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

          g_ptr_array_add (attentions, test_make_attention_full (1, 1, 3, 3, weights, tokens_a,
                                                                 i == 0 ? tokens_a : other_keys, 3, 0, (HlMask){ 0 }));
          g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
          states[i] = hl_view_state_new (example);
          hl_view_state_set_option (states[i], direction, HL_DIRECTION_ASYMMETRY);
        }
      g_autoptr (HlSides) sides = hl_sides_new (states[first], states[1 - first], &(HlHeadPairing){ -1, -1 }, NULL);
      hl_sides_set_difference (sides, TRUE);
      g_assert_cmpfloat (read_first (states[first]), ==, 0);
      hl_sides_close (sides);
      g_clear_object (&sides);
      for (guint i = 0; i < 2; i++)
        g_assert_finalize_object (states[i]);
    }
}

/* What the second side has not leaves nothing to see, which is said. */
static void
test_absent (void)
{
  static const struct
  {
    HlViewKind view;
    guint layer;
    HlHeadSet heads;
    HlHeadPairing pairing;
    const char *absent;
  } cases[] = {
    { HL_VIEW_HEATMAP, 0, { { 1 << 1 } }, { -1, -1 }, NULL },
    { HL_VIEW_HEATMAP, 2, { { 1 << 1 } }, { -1, -1 }, ", no layer 2" },
    { HL_VIEW_HEATMAP, 1, { { 1 << 4 } }, { -1, -1 }, ", no head 4" },
    { HL_VIEW_HEAD_VIEW, 1, { { 1 << 1 | 1 << 3 | 1 << 4 } }, { -1, -1 }, ", no heads 3, 4" },
    { HL_VIEW_LAYERS, 1, { { 1 << 1 | 1 << 4 } }, { -1, -1 }, ", no layer 2" },
    { HL_VIEW_MODEL, 2, { { 1 << 4 } }, { -1, -1 }, NULL },
    { HL_VIEW_HEAD_VIEW, 2, { { 1 << 4 } }, { 0, 0 }, NULL },
  };
  g_autoptr (HlExample) large = make_example (1, 3, 5, tokens_a);
  g_autoptr (HlExample) small = make_example (2, 2, 3, tokens_a);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HlViewState) a = hl_view_state_new (large);
      g_autoptr (HlViewState) b = hl_view_state_new (small);
      g_autoptr (HlSides) sides = hl_sides_new (a, b, &cases[i].pairing, NULL);

      hl_sides_set_names (sides, "large", "small");
      hl_sides_set_difference (sides, TRUE);
      hl_view_state_set_option (a, view, cases[i].view);
      hl_view_state_set_layer (a, cases[i].layer);
      hl_view_state_set_heads (a, &cases[i].heads);
      g_autofree char *caption = hl_view_state_describe (a);
      g_autofree char *expected = g_strdup_printf ("B: small%s", cases[i].absent != NULL ? cases[i].absent : "");
      g_assert_nonnull (strstr (caption, expected));
      g_assert_true (cases[i].absent != NULL || strstr (caption, "B: small,") == NULL);
      /* Of a page, in which one goes from head to head, it is said of none. */
      g_autofree char *of_all = hl_view_state_describe_maps (a);
      g_assert_true (g_str_has_suffix (of_all, "B: small"));
      hl_sides_close (sides);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add ("/sides/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("beside", test_beside);
  ADD ("pairing", test_pairing);
  ADD ("tokens", test_tokens);
  ADD ("difference", test_difference);
  ADD ("several", test_several);
  ADD ("layer-of-pin", test_layer_of_pin);
  g_test_add_func ("/sides/aligner", test_aligner);
  ADD ("still", test_still);
  ADD ("calls", test_calls);
  g_test_add_func ("/sides/still-aligns", test_still_aligns);
  g_test_add_func ("/sides/expansion", test_expansion);
  g_test_add_func ("/sides/deeper", test_deeper);
  g_test_add_func ("/sides/absent", test_absent);
  g_test_add_func ("/sides/asymmetry-of-one", test_asymmetry_of_one);
  return g_test_run ();
}
