/* SPDX-License-Identifier: MIT */
/* The view state keeps itself consistent and tells each change once. */
#include "view/hl-view-state.h"

#include <string.h>

#include "core/test-attentions.h"

static HlExample *
make_example (guint n_layers,
              guint n_heads,
              gsize n,
              gsize n_used,
              gsize b_start)
{
  g_autofree float *weights = test_make_weights (1, n_layers * n_heads, n, n);
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (attentions, test_make_attention_full (n_layers, n_heads, n, n, weights, NULL, NULL, n_used, b_start,
                                                         (HlMask){ FALSE, 0 }));
  return hl_example_new ("example", NULL, NULL, attentions, checks);
}

/* What the caption of the head view says behind several heads. */
#define TOLD_APART " · each pair in the colour of its strongest head"

static void
count (GObject    *object,
       GParamSpec *pspec,
       guint      *n)
{
  (*n)++;
}

static void
test_start (void)
{
  g_autoptr (HlExample) example = make_example (3, 4, 6, 6, 0);
  HlViewState *state = hl_view_state_new (example);
  g_autofree char *text = hl_view_state_describe (state);

  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 0);
  g_assert_cmpuint (hl_view_state_get_head (state), ==, 0);
  g_assert_cmpuint (hl_head_set_count (hl_view_state_get_heads (state)), ==, 1);
  g_assert_true (hl_view_state_get_shown (state)->source == hl_view_state_get_shown (state)->filtered);
  g_assert_cmpstr (text, ==, "attention weight · layer 0 · head 0");
  g_assert_finalize_object (state);
}

static void
test_heads (void)
{
  g_autoptr (HlExample) example = make_example (3, 12, 4, 4, 0);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  g_autofree char *text = NULL;
  guint n_heads = 0, n_layer = 0;

  g_signal_connect (state, "notify::heads", G_CALLBACK (count), &n_heads);
  g_signal_connect (state, "notify::layer", G_CALLBACK (count), &n_layer);

  hl_view_state_go_to (state, 2, 5);
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 2);
  g_assert_cmpuint (hl_view_state_get_head (state), ==, 5);
  g_assert_cmpuint (n_heads, ==, 1);
  g_assert_cmpuint (n_layer, ==, 1);
  hl_view_state_go_to (state, 2, 5);
  g_assert_cmpuint (n_heads, ==, 1);

  hl_view_state_go_to (state, 99, 99);
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 2);
  g_assert_cmpuint (hl_view_state_get_head (state), ==, 11);

  hl_view_state_toggle_head (state, 3);
  hl_view_state_toggle_head (state, 4);
  hl_view_state_toggle_head (state, 5);
  text = hl_view_state_describe (state);
  g_assert_cmpstr (text, ==, "attention weight · layer 2 · heads 3–5, 11" TOLD_APART);
  g_assert_cmpuint (hl_view_state_get_head (state), ==, 11);
  hl_view_state_toggle_head (state, 11);
  g_assert_cmpuint (hl_view_state_get_head (state), ==, 3); /* 11 is gone: the first that is left */

  hl_view_state_select_all_heads (state);
  g_assert_cmpuint (hl_head_set_count (hl_view_state_get_heads (state)), ==, 12);
  hl_view_state_select_no_heads (state);
  g_assert_cmpuint (hl_head_set_count (hl_view_state_get_heads (state)), ==, 0);
  g_assert_cmpuint (hl_view_state_get_head (state), ==, 3);
}

static void
check_together (HlViewState *state,
                const char  *text)
{
  g_autofree char *description = hl_view_state_describe (state);

  g_assert_cmpstr (description + strlen ("attention weight · "), ==, text);
}

static void
test_guests (void)
{
  g_autoptr (HlExample) example = make_example (3, 12, 4, 4, 0);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  guint n_heads = 0, n;

  g_signal_connect (state, "notify::heads", G_CALLBACK (count), &n_heads);
  hl_view_state_go_to (state, 1, 5);
  n_heads = 0;
  hl_view_state_toggle_head_of (state, 2, 3);
  hl_view_state_toggle_head_of (state, 0, 11);
  g_assert_cmpuint (n_heads, ==, 2);
  check_together (state, "heads 1.5, 2.3, 0.11 (layer.head)" TOLD_APART);
  g_autofree HlShownHead *shown = hl_shown_list_heads (hl_view_state_get_shown (state), &n);
  const HlShownHead expected[] = { { 1, 5, 5 }, { 2, 3, 12 }, { 0, 11, 13 } };
  g_assert_cmpmem (shown, n * sizeof *shown, expected, sizeof expected);

  /* Of the layer that is looked at, a guest is not shown twice. */
  hl_view_state_set_layer (state, 2);
  check_together (state, "heads 2.5, 2.3, 0.11 (layer.head)" TOLD_APART);
  hl_view_state_toggle_head (state, 3);
  check_together (state, "heads 2.3, 2.5, 0.11 (layer.head)" TOLD_APART);
  hl_view_state_set_layer (state, 1);
  check_together (state, "heads 1.3, 1.5, 2.3, 0.11 (layer.head)" TOLD_APART);

  /* One head alone, and maps that are made of several, have no guests. */
  hl_view_state_set_option (state, view, HL_VIEW_LAYERS);
  check_together (state, "3 layers · heads 3, 5 · lines to the strongest of each layer" TOLD_APART
                         " · a token: its rollout, with residual connections");
  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  check_together (state, "layer 1 · head 5");
  hl_view_state_set_option (state, view, HL_VIEW_HEAD_VIEW);
  hl_view_state_set_option (state, combine, HL_COMBINE_MEAN);
  g_autofree HlShownHead *combined = hl_shown_list_heads (hl_view_state_get_shown (state), &n);
  g_assert_cmpuint (n, ==, 1);
  hl_view_state_set_option (state, combine, HL_COMBINE_NONE);
  check_together (state, "heads 1.3, 1.5, 2.3, 0.11 (layer.head)" TOLD_APART);

  /* When the last head of the layer goes, the first guest leads. */
  hl_view_state_toggle_head_of (state, 1, 3);
  hl_view_state_toggle_head_of (state, 1, 5);
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 2);
  check_together (state, "heads 2.3, 0.11 (layer.head)" TOLD_APART);
  hl_view_state_toggle_head_of (state, 0, 2);
  hl_view_state_toggle_head_of (state, 2, 3);
  check_together (state, "layer 0 · heads 2, 11" TOLD_APART);
  hl_view_state_go_to (state, 2, 3);

  for (guint head = 0; head < 12; head++)
    {
      hl_view_state_toggle_head_of (state, 0, head);
      hl_view_state_toggle_head_of (state, 1, head);
    }
  g_assert_cmpuint (hl_head_selection_get_n (hl_view_state_get_selection (state)), ==, 25);
  hl_view_state_go_to (state, 2, 0);
  g_assert_cmpuint (hl_head_selection_get_n (hl_view_state_get_selection (state)), ==, 1);
  check_together (state, "layer 2 · head 0");
}

/* Of layers that are combined one stays that has heads, whatever others are chosen. */
static void
test_layers_without (void)
{
  g_autoptr (HlExample) example = make_example (3, 4, 6, 6, 0);
  HlAttention *whole = hl_example_get_attention (example, 0);
  g_autoptr (HlTensor) none = test_make_tensor (&(HlShape){ 3, { 0, 6, 6 } }, NULL);
  const HlLayerTensor layers[] = {
    *hl_attention_get_weights (whole, 0),
    { none, -1, 0, -1, 0, 0, 1, 2 },
    *hl_attention_get_weights (whole, 2),
  };
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (attentions,
                   hl_attention_new (&(HlAttentionInit){ .weights = layers, .n_layers = 3, .n_used = { 6, 6 } }));
  g_autoptr (HlExample) gap = hl_example_new ("example", NULL, NULL, attentions, checks);
  g_autoptr (HlViewState) state = hl_view_state_new (gap);
  hl_view_state_toggle_layer (state, 0);
  hl_view_state_toggle_layer (state, 2);
  g_assert_true (hl_layer_set_equal (hl_view_state_get_layers (state), &(HlLayerSet){ { 1 << 1 | 1 << 2 } }));
  hl_view_state_toggle_layer (state, 1);
  hl_view_state_toggle_layer (state, 2);
  g_assert_true (hl_layer_set_equal (hl_view_state_get_layers (state), &(HlLayerSet){ { 1 << 2 } }));
  hl_view_state_toggle_layer (state, 0);
  hl_view_state_toggle_layer (state, 2);
  g_assert_true (hl_layer_set_equal (hl_view_state_get_layers (state), &(HlLayerSet){ { 1 << 0 } }));
}

/* One head, then three. */
static HlViewState *
make_ragged_state (void)
{
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree float *weights = test_make_weights (1, 3, 4, 4);
  g_autoptr (HlTensor) one = test_make_tensor (&(HlShape){ 3, { 1, 4, 4 } }, weights);
  g_autoptr (HlTensor) three = test_make_tensor (&(HlShape){ 3, { 3, 4, 4 } }, weights);
  const HlLayerTensor layers[] = { { one, -1, 0, -1, 0, 0, 1, 2 }, { three, -1, 0, -1, 0, 0, 1, 2 } };

  g_ptr_array_add (attentions,
                   hl_attention_new (&(HlAttentionInit){ .weights = layers, .n_layers = 2, .n_used = { 4, 4 } }));
  g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
  return hl_view_state_new (example);
}

/* Where heads or layers become one, heads that only other layers have are not lost, and can be gone to. */
static void
test_heads_of_other_layers (void)
{
  g_autoptr (HlViewState) state = make_ragged_state ();
  const HlHeadSet ends = { { 1 | 1 << 2 } };

  hl_view_state_set_option (state, combine, HL_COMBINE_MEAN);
  hl_view_state_select_all_heads (state);
  hl_view_state_set_layer (state, 1);
  hl_view_state_toggle_head (state, 1);
  hl_view_state_set_layer (state, 0);
  g_assert_true (hl_head_set_equal (&hl_view_state_get_shown (state)->lens.heads, &ends));
  hl_view_state_set_option (state, combine_over, HL_COMBINE_OVER_ALL);
  hl_view_state_toggle_head (state, 0);
  hl_view_state_toggle_head (state, 0);
  g_assert_true (hl_head_set_equal (&hl_view_state_get_shown (state)->lens.heads, &ends));

  hl_view_state_set_option (state, combine_over, HL_COMBINE_OVER_LAYERS);
  hl_view_state_go_to (state, 0, 0);
  hl_view_state_toggle_head (state, 2);
  g_assert_true (hl_head_set_equal (&hl_view_state_get_shown (state)->heads, &ends));
  hl_view_state_toggle_head (state, 0);
  g_assert_true (hl_head_set_equal (&hl_view_state_get_shown (state)->heads, &(HlHeadSet){ { 1 << 2 } }));
  hl_view_state_go_to (state, 0, 0);
  hl_view_state_go_to_shown (state, 0, 2);
  g_assert_cmpuint (hl_view_state_get_shown (state)->head, ==, 2);
  g_assert_true (hl_head_set_equal (&hl_view_state_get_shown (state)->heads, &(HlHeadSet){ { 1 << 2 } }));
}

static void
test_filters (void)
{
  g_autoptr (HlExample) example = make_example (1, 1, 4, 4, 0);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  guint n_source = 0;

  g_signal_connect (state, "notify::shown-source", G_CALLBACK (count), &n_source);
  hl_view_state_set_option (state, threshold, 0.25);
  g_assert_cmpuint (n_source, ==, 1);
  g_assert_true (hl_view_state_get_shown (state)->source != hl_view_state_get_shown (state)->filtered);
  hl_view_state_set_option (state, top_mass, 0.9);
  g_assert_cmpuint (n_source, ==, 2);
  g_autofree char *text = hl_view_state_describe (state);
  g_assert_cmpstr (text, ==, "attention weight · layer 0 · head 0 · weights from 0.25 · top keys holding 90 %");
  hl_view_state_set_option (state, threshold, 0);
  /* Rows are those of keys then. */
  hl_view_state_set_option (state, direction, HL_DIRECTION_TRANSPOSED);
  g_autofree char *turned = hl_view_state_describe (state);
  g_assert_nonnull (strstr (turned, " · top queries holding 90 %"));
  hl_view_state_set_option (state, direction, HL_DIRECTION_AS_IS);
  hl_view_state_set_option (state, top_mass, 1);
  g_assert_true (hl_view_state_get_shown (state)->source == hl_view_state_get_shown (state)->filtered);
}

static void
test_ranges (void)
{
  g_autoptr (HlExample) example = make_example (1, 1, 10, 8, 3);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  const struct
  {
    HlSentences sentences;
    HlRange queries, keys;
  } cases[] = {
    { HL_SENTENCES_ALL, { 0, 8 }, { 0, 8 } },    { HL_SENTENCES_A_TO_A, { 0, 3 }, { 0, 3 } },
    { HL_SENTENCES_B_TO_B, { 3, 5 }, { 3, 5 } }, { HL_SENTENCES_A_TO_B, { 0, 3 }, { 3, 5 } },
    { HL_SENTENCES_B_TO_A, { 3, 5 }, { 0, 3 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      hl_view_state_set_option (state, sentences, cases[i].sentences);
      const HlRange queries = hl_view_state_get_shown (state)->queries;
      const HlRange keys = hl_view_state_get_shown (state)->keys;
      g_assert_cmpuint (queries.first, ==, cases[i].queries.first);
      g_assert_cmpuint (queries.n, ==, cases[i].queries.n);
      g_assert_cmpuint (keys.first, ==, cases[i].keys.first);
      g_assert_cmpuint (keys.n, ==, cases[i].keys.n);
    }
  hl_view_state_set_option (state, sentences, HL_SENTENCES_ALL);
  hl_view_state_set_option (state, crop_padding, FALSE);
  g_assert_cmpuint (hl_view_state_get_shown (state)->keys.n, ==, 10);

  /* There are two texts still, though of the first no query is left. */
  hl_view_state_set_hidden (state, "q0-2");
  hl_view_state_set_option (state, sentences, HL_SENTENCES_B_TO_A);
  g_assert_true (hl_range_equal (hl_view_state_get_shown (state)->queries, (HlRange){ 0, 7 }));
  g_assert_true (hl_range_equal (hl_view_state_get_shown (state)->keys, (HlRange){ 0, 3 }));
  /* Nor of its keys: what is shown of it is nothing, whatever else is chosen then. */
  hl_view_state_set_hidden (state, "0-2");
  hl_view_state_set_option (state, sentences, HL_SENTENCES_A_TO_A);
  hl_view_state_set_option (state, threshold, 0.25);
  g_assert_cmpint (hl_view_state_get_options (state)->sentences, ==, HL_SENTENCES_A_TO_A);
  g_assert_cmpuint (hl_view_state_get_shown (state)->queries.n, ==, 0);
  g_assert_cmpuint (hl_view_state_get_shown (state)->keys.n, ==, 0);
  hl_view_state_set_option (state, sentences, HL_SENTENCES_B_TO_B);
  g_assert_true (hl_range_equal (hl_view_state_get_shown (state)->keys, (HlRange){ 0, 7 }));
}

static void
test_picks (void)
{
  g_autoptr (HlExample) example = make_example (1, 1, 10, 8, 3);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  const HlPick a = { HL_PICK_QUERY, .query = 1 };
  const HlPick b = { HL_PICK_CELL, .query = 2, .key = 6 };
  const HlPick swatch = { HL_PICK_HEAD, .head = 0 };

  g_assert_cmpint (hl_view_state_get_focus (state)->kind, ==, HL_PICK_NONE);
  hl_view_state_set_hovered (state, &a);
  g_assert_true (hl_pick_equal (hl_view_state_get_focus (state), &a));
  hl_view_state_set_pinned (state, &b);
  g_assert_true (hl_pick_equal (hl_view_state_get_focus (state), &b));
  hl_view_state_set_pinned (state, NULL);
  hl_view_state_set_hovered (state, &swatch);
  g_assert_cmpint (hl_view_state_get_focus (state)->kind, ==, HL_PICK_NONE);

  /* A pin that a filter hides is freed. */
  hl_view_state_set_pinned (state, &b);
  hl_view_state_set_option (state, sentences, HL_SENTENCES_A_TO_B);
  g_assert_cmpint (hl_view_state_get_pinned (state)->kind, ==, HL_PICK_CELL);
  hl_view_state_set_option (state, sentences, HL_SENTENCES_A_TO_A);
  g_assert_cmpint (hl_view_state_get_pinned (state)->kind, ==, HL_PICK_NONE);

  /* One that comes late, from a picture in which it was not hidden yet, is nothing. Token 9 is padding. */
  const HlPick key = { HL_PICK_KEY, .key = 9 };
  hl_view_state_set_hovered (state, &b);
  g_assert_cmpint (hl_view_state_get_hovered (state)->kind, ==, HL_PICK_NONE);
  hl_view_state_set_pinned (state, &b);
  g_assert_cmpint (hl_view_state_get_pinned (state)->kind, ==, HL_PICK_NONE);
  hl_view_state_set_option (state, sentences, HL_SENTENCES_ALL);
  hl_view_state_set_pinned (state, &b);
  g_assert_true (hl_pick_equal (hl_view_state_get_pinned (state), &b));
  hl_view_state_set_pinned (state, NULL);
  hl_view_state_set_option (state, crop_padding, TRUE);
  hl_view_state_set_hovered (state, &key);
  g_assert_cmpint (hl_view_state_get_hovered (state)->kind, ==, HL_PICK_NONE);
  hl_view_state_set_option (state, crop_padding, FALSE);
  hl_view_state_set_hovered (state, &key);
  g_assert_true (hl_pick_equal (hl_view_state_get_hovered (state), &key));
}

/* The filter waits while texts cannot be told apart: neither numbers nor picks of what was shown before stay. */
static void
test_parts_of_difference (void)
{
  static const HlViewKind views[] = { HL_VIEW_HEATMAP, HL_VIEW_CHART };
  static const char *const said[] = { "B → B", "queries of sentence B" };
  g_autoptr (HlExample) pair = make_example (1, 1, 10, 10, 3);
  g_autoptr (HlExample) single = make_example (1, 1, 10, 10, 0);

  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      g_autoptr (HlViewState) state = hl_view_state_new (pair);
      hl_view_state_set_option (state, view, views[i]);
      hl_view_state_set_option (state, sentences, HL_SENTENCES_B_TO_B);
      g_autofree char *of_part = hl_view_state_describe (state);
      g_assert_nonnull (strstr (of_part, said[i]));
      g_autoptr (HlHeadNumbers) part = hl_head_numbers_new (hl_view_state_get_attention (state), 3, 7);
      hl_view_state_set_numbers (state, part);
      g_assert_true (hl_view_state_get_numbers (state) == part);

      hl_view_state_set_difference (state, hl_example_get_attention (single, 0), NULL);
      g_assert_true (hl_range_equal (hl_view_state_get_shown (state)->queries, (HlRange){ 0, 10 }));
      g_assert_null (hl_view_state_get_numbers (state));
      g_autofree char *of_all = hl_view_state_describe (state);
      g_assert_null (strstr (of_all, said[i]));
      hl_view_state_set_pinned (state, &(HlPick){ HL_PICK_QUERY, .query = 1 });
      g_assert_cmpint (hl_view_state_get_pinned (state)->kind, ==, HL_PICK_QUERY);

      hl_view_state_set_difference (state, NULL, NULL);
      g_assert_true (hl_range_equal (hl_view_state_get_shown (state)->queries, (HlRange){ 3, 7 }));
      g_assert_cmpint (hl_view_state_get_pinned (state)->kind, ==, HL_PICK_NONE);
    }
}

static void
test_other_example (void)
{
  g_autoptr (HlExample) large = make_example (6, 12, 10, 10, 4);
  g_autoptr (HlExample) small = make_example (2, 3, 5, 5, 0);
  g_autoptr (HlViewState) state = hl_view_state_new (large);
  const HlPick pick = { HL_PICK_KEY, .key = 9 };

  hl_view_state_go_to (state, 5, 11);
  hl_view_state_set_option (state, sentences, HL_SENTENCES_B_TO_B);
  hl_view_state_set_pinned (state, &pick);
  hl_view_state_set_example (state, small);
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 1);
  g_assert_cmpuint (hl_view_state_get_head (state), ==, 2);
  g_assert_true (hl_head_set_contains (hl_view_state_get_heads (state), 2));
  g_assert_cmpuint (hl_head_set_count (hl_view_state_get_heads (state)), ==, 1);
  g_assert_cmpint (hl_view_state_get_options (state)->sentences, ==, HL_SENTENCES_ALL);
  g_assert_cmpint (hl_view_state_get_pinned (state)->kind, ==, HL_PICK_NONE);
}

static HlAttention *
make_kind (HlAttentionKind    kind,
           const char *const *queries,
           const char *const *keys)
{
  const gsize n = 3;
  const HlShape shape = { 4, { 1, 1, n, n } };
  g_autofree float *weights = test_make_weights (1, 1, n, n);
  g_autoptr (HlTensor) tensor = test_make_tensor (&shape, weights);
  const HlLayerTensor layer = {
    .tensor = tensor, .layer_axis = 0, .batch_axis = -1, .head_axis = 1, .row_axis = 2, .column_axis = 3
  };
  const HlAttentionInit init = { .kind = kind,
                                 .weights = &layer,
                                 .n_layers = 1,
                                 .tokens = { queries, keys },
                                 .n_used = { n, n },
                                 .rule = { .scale = 1 } };

  return hl_attention_new (&init);
}

/* Of what hears, what the text looks at in the sound is looked at first; of texts, the first as ever. */
static void
test_first_kind (void)
{
  static const char *const times[] = { "0.00 s", "0.02 s", "0.04 s" };
  static const char *const words[] = { "a", "b", "c" };

  for (int is_sound = 0; is_sound < 2; is_sound++)
    for (int has_cross = 0; has_cross < 2; has_cross++)
      {
        const char *const *tokens = is_sound ? times : words;
        g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
        g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);
        g_ptr_array_add (attentions, make_kind (HL_ATTENTION_ENCODER, tokens, tokens));
        g_ptr_array_add (attentions, make_kind (HL_ATTENTION_DECODER, words, words));
        if (has_cross)
          g_ptr_array_add (attentions, make_kind (HL_ATTENTION_CROSS, words, tokens));
        g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
        g_assert_cmpint (hl_attention_get_kind (hl_example_choose_attention (example)), ==,
                         is_sound && has_cross ? HL_ATTENTION_CROSS : HL_ATTENTION_ENCODER);
      }
}

/* One head is looked at without a question, all of them only after it. */
static void
test_expansion (void)
{
  g_autoptr (HlExample) example = test_make_hollow_example (9, 4096);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  g_autoptr (GError) error = NULL;
  guint n_told = 0;

  g_assert_true (hl_view_state_check_picture (state, &error));
  /* The table of heads ranks them. */
  hl_view_state_set_pairs (state, "#1:#2");
  g_assert_true (hl_view_state_wants_ranking (state));
  g_assert_true (hl_view_state_check_picture (state, &error));
  hl_view_state_set_option (state, view, HL_VIEW_CHART);
  g_assert_false (hl_view_state_check_picture (state, NULL));
  hl_view_state_set_option (state, view, HL_VIEW_MODEL);
  g_assert_false (hl_view_state_check_picture (state, &error));
  g_assert_cmpstr (error->message, ==, "this would read 1.1\302\240GiB of numbers, of which the file holds 4 bytes");

  g_signal_connect (state, "notify::allows-expansion", G_CALLBACK (count), &n_told);
  hl_view_state_allow_expansion (state, FALSE);
  g_assert_cmpuint (n_told, ==, 1);
  g_assert_true (hl_view_state_check_picture (state, NULL));
  /* Of the document: its other examples, too. */
  g_autoptr (HlExample) other = test_make_hollow_example (10, 4096);
  hl_view_state_set_example (state, other);
  g_assert_true (hl_view_state_check_picture (state, NULL));
}

/* A map of norms attends to nothing in particular, whoever made it of weights. */
static void
test_names (void)
{
  g_autofree float *weights = test_make_weights (1, 2, 8, 8);
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (attentions, test_make_attention_of (NULL, 2, 8, 8, weights));
  g_ptr_array_add (attentions, test_make_attention_of ("norm", 2, 8, 8, weights));
  g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
  g_autoptr (HlViewState) state = hl_view_state_new (example);

  hl_view_state_set_attention (state, attentions->pdata[0]);
  g_assert_true (hl_view_state_names_heads (state));
  hl_view_state_set_attention (state, attentions->pdata[1]);
  g_assert_false (hl_view_state_names_heads (state));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/view-state/start", test_start);
  g_test_add_func ("/view-state/heads", test_heads);
  g_test_add_func ("/view-state/guests", test_guests);
  g_test_add_func ("/view-state/layers-without", test_layers_without);
  g_test_add_func ("/view-state/heads-of-other-layers", test_heads_of_other_layers);
  g_test_add_func ("/view-state/filters", test_filters);
  g_test_add_func ("/view-state/ranges", test_ranges);
  g_test_add_func ("/view-state/picks", test_picks);
  g_test_add_func ("/view-state/parts-of-difference", test_parts_of_difference);
  g_test_add_func ("/view-state/other-example", test_other_example);
  g_test_add_func ("/view-state/first-kind", test_first_kind);
  g_test_add_func ("/view-state/expansion", test_expansion);
  g_test_add_func ("/view-state/names", test_names);
  return g_test_run ();
}
