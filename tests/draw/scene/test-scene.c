/* SPDX-License-Identifier: MIT */
/* What all scenes have in common: one is never scrolled past the end of what there is; what they hear, and tell. */
#include "core/test-attentions.h"
#include "test-scenes.h"

static HlScene *
make_scrolled (HlViewState *state,
               HlViewKind   kind)
{
  HlScene *scene = test_make_scene (kind, state, 400, 300, 1);
  double width, height, x, y;

  hl_scene_set_zoom (scene, 16);
  hl_scene_measure (scene, &width, &height);
  g_assert_cmpfloat (height, >, 2000);
  hl_scene_set_scroll (scene, width, height);
  hl_scene_get_scroll (scene, &x, &y);
  g_assert_cmpfloat (x, ==, width - 400);
  g_assert_cmpfloat (y, ==, height - 300);
  return scene;
}

static void
count (HlScene *scene,
       guint   *n)
{
  double width, height, page_width, page_height, x, y;

  hl_scene_measure (scene, &width, &height);
  hl_scene_get_viewport (scene, &page_width, &page_height, NULL);
  hl_scene_get_scroll (scene, &x, &y);
  g_assert_cmpfloat (x, <=, MAX (0, width - page_width));
  g_assert_cmpfloat (y, <=, MAX (0, height - page_height));
  (*n)++;
}

/* A weight that a filter hides is not said to be 0. */
static void
test_left_out (gconstpointer data)
{
  const HlViewKind kind = GPOINTER_TO_UINT (data);
  const float weights[] = { 0.5f, 0.25f, 0.25f, 0, 1, 0, 0.1f, 0.1f, 0.8f };
  const char *tokens[] = { "a", "b", "c", NULL };
  const HlPick weak = { HL_PICK_CELL, .query = 0, .key = 1 };
  const HlPick strong = { HL_PICK_CELL, .query = 0, .key = 0 };
  g_autoptr (HlViewState) state = test_make_state (1, 1, 3, 3, weights, tokens, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (kind, state, 480, 360, 1);

  hl_view_state_set_option (state, view, kind);
  for (guint i = 0; i < 3; i++)
    {
      hl_view_state_set_option (state, threshold, i == 1 ? 0.3 : 0);
      hl_view_state_set_option (state, top_mass, i == 2 ? 0.4 : 1);
      test_prepare (scene);
      g_autofree char *text = hl_scene_describe (scene, &weak);
      g_autofree char *other = hl_scene_describe (scene, &strong);
      g_assert_cmpstr (text, ==, i == 0 ? "a → b 0.25" : "a → b: left out");
      g_assert_cmpstr (other, ==, "a → a 0.50");
    }
  if (kind != HL_VIEW_HEATMAP)
    return;
  hl_view_state_set_option (state, value_scale, HL_VALUE_SCALE_CUMULATIVE);
  test_prepare (scene);
  g_autofree char *mass = hl_scene_describe (scene, &weak);
  g_assert_cmpstr (mass, ==, "a → b: cumulative mass 0");
}

/*
 * What is left of any head, or of any query that was gathered, is a mean over all of them, as it is without a filter: nothing of it
 * counts as 0.
 */
static void
test_means (gconstpointer data)
{
  const HlViewKind kind = GPOINTER_TO_UINT (data);
  const float weights[] = { 0.6f, 0.2f, 0.2f, 0.5f,  0.1f,  0.4f,  1, 0, 0, /* of head 0 */
                            0.5f, 0.4f, 0.1f, 0.24f, 0.14f, 0.62f, 1, 0, 0 };
  const char *tokens[] = { "a", "b", "c", NULL };
  const HlPick picks[] = { { HL_PICK_QUERY, .query = 0 },
                           { HL_PICK_KEY, .key = 1 },
                           { HL_PICK_CELL, .query = 0, .key = 1 },
                           { HL_PICK_CELL, .query = 0, .key = 2 } };
  const char *wanted[] = { "a (query 0): a 0.55, b 0.30 (mean of 2 heads)", "b (key 1): a 0.30 (mean of 2 heads)",
                           "a → b 0.30 (mean of 2 heads)", "a → c: left out" };
  const char *places[] = { "layer 0 · ", "input · " };
  g_autoptr (HlViewState) state = test_make_state (1, 2, 3, 3, weights, tokens, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (kind, state, 480, 360, 1);

  hl_view_state_set_option (state, threshold, 0.3);
  hl_view_state_select_all_heads (state);
  test_prepare (scene);
  for (guint i = 0; kind != HL_VIEW_HEATMAP && i < (kind == HL_VIEW_LAYERS ? 2 : G_N_ELEMENTS (picks)); i++)
    {
      g_autofree char *text = hl_scene_describe (scene, &picks[i]);
      g_autofree char *expected = g_strconcat (kind == HL_VIEW_LAYERS ? places[i] : "", wanted[i], NULL);
      g_assert_cmpstr (text, ==, expected);
    }
  for (gsize query = 0; query < 2; query++)
    hl_view_state_gather (state, &(HlPick){ HL_PICK_QUERY, .query = query });
  test_prepare (scene);
  g_autofree char *gathered = hl_scene_describe_focus (scene);
  g_assert_cmpstr (gathered, ==,
                   kind == HL_VIEW_HEATMAP ? "mean of 2 queries: a, b: a 0.55, c 0.30"
                                           : "mean of 2 queries: a, b: a 0.46, c 0.33, b 0.21 (mean of 2 heads)");
}

/* Two layers, of which one sees less far back than the other. */
static HlViewState *
make_rules_state (void)
{
  const float weights[] = { 1, 0, 0, 0.5f, 0.5f, 0, 0.4f, 0.2f, 0.4f, 1, 0, 0, 0.5f, 0.5f, 0, 0, 0.5f, 0.5f };
  const char *tokens[] = { "a", "b", "c", NULL };
  const HlAttentionRule rules[] = { { .scale = 1, .mask = { .causal = TRUE } },
                                    { .scale = 1, .mask = { .causal = TRUE, .window = 2 } } };
  g_autoptr (HlTensor) tensor = test_make_tensor (&(HlShape){ 4, { 2, 1, 3, 3 } }, weights);
  const HlLayerTensor layers[] = { { tensor, 0, 0, -1, 0, 1, 2, 3 }, { tensor, 0, 1, -1, 0, 1, 2, 3 } };
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (
    attentions,
    hl_attention_new (&(HlAttentionInit){
      .weights = layers, .n_layers = 2, .tokens = { tokens, tokens }, .n_used = { 3, 3 }, .rules = rules }));
  g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
  return hl_view_state_new (example);
}

/* Of heads of several layers a pair is masked where none of them sees it, whichever layer leads. */
static void
test_rules (void)
{
  g_autoptr (HlViewState) state = make_rules_state ();
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 480, 360, 1);
  const HlPick cell = { HL_PICK_CELL, .query = 2, .key = 0 }, ahead = { HL_PICK_CELL, .query = 0, .key = 2 };

  for (guint layer = 0; layer < 2; layer++)
    {
      hl_view_state_go_to (state, layer, 0);
      test_prepare (scene);
      g_autofree char *alone = hl_scene_describe (scene, &cell);
      g_assert_cmpstr (alone, ==, layer == 0 ? "c → a 0.40" : "c → a: masked");
      hl_view_state_toggle_head_of (state, 1 - layer, 0);
      test_prepare (scene);
      g_autofree char *together = hl_scene_describe (scene, &cell);
      g_assert_cmpstr (together, ==, "c → a 0.20 (mean of 2 heads)");
      g_autofree char *none = hl_scene_describe (scene, &ahead);
      g_assert_cmpstr (none, ==, "a → c: masked");
      hl_view_state_toggle_head_of (state, layer, 0);
      test_prepare (scene);
      g_autofree char *other = hl_scene_describe (scene, &cell);
      g_assert_cmpstr (other, ==, layer == 1 ? "c → a 0.40" : "c → a: masked");
      hl_view_state_toggle_head_of (state, layer, 0);
    }

  /* Of the heads that are chosen, this shows one. */
  hl_view_state_go_to (state, 1, 0);
  hl_view_state_toggle_head_of (state, 0, 0);
  g_autoptr (HlScene) heatmap = test_make_scene (HL_VIEW_HEATMAP, state, 480, 360, 1);
  test_prepare (heatmap);
  g_autofree char *one = hl_scene_describe (heatmap, &cell);
  g_assert_cmpstr (one, ==, "c → a: masked");
}

/* An arrow leads from the token that attends, on whichever side it is. */
static void
test_arrow (gconstpointer data)
{
  const HlViewKind kind = GPOINTER_TO_UINT (data);
  const float weights[] = { 0.5f, 0.25f, 0.25f, 0, 1, 0, 0.1f, 0.1f, 0.8f };
  const char *tokens[] = { "a", "b", "c", NULL };
  g_autoptr (HlViewState) state = test_make_state (1, 1, 3, 3, weights, tokens, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (kind, state, 480, 360, 1);

  hl_view_state_set_option (state, direction, HL_DIRECTION_TRANSPOSED);
  test_prepare (scene);
  g_autofree char *text = hl_scene_describe (scene, &(HlPick){ HL_PICK_CELL, .query = 1, .key = 0 });
  g_assert_cmpstr (text, ==, "a → b 0.25");
}

/* A short text after a long one is in view. */
static void
test_shorter (gconstpointer data)
{
  const HlViewKind kind = GPOINTER_TO_UINT (data);
  g_autoptr (HlViewState) state = test_make_random_state (2, 2, 200);
  g_autoptr (HlViewState) other = test_make_random_state (2, 2, 4);
  g_autoptr (HlScene) scene = make_scrolled (state, kind);
  guint n_measured = 0;
  double x, y;

  test_prepare (scene);
  g_signal_connect (scene, "measured", G_CALLBACK (count), &n_measured);
  hl_view_state_set_example (state, hl_view_state_get_example (other));
  g_assert_cmpuint (n_measured, >, 0);
  hl_scene_get_scroll (scene, &x, &y);
  g_assert_cmpfloat (x, ==, 0);
  g_assert_cmpfloat (y, ==, 0);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_false (test_is_blank (picture));
}

/* A page that is laid out may have more room for a moment; one is where one was when that has passed. */
static void
test_larger (gconstpointer data)
{
  const HlViewKind kind = GPOINTER_TO_UINT (data);
  g_autoptr (HlViewState) state = test_make_random_state (2, 2, 200);
  g_autoptr (HlScene) scene = make_scrolled (state, kind);
  double width, height, scale, x, y, x_after, y_after;

  hl_scene_get_viewport (scene, &width, &height, &scale);
  hl_scene_get_scroll (scene, &x, &y);
  g_assert_cmpfloat (y, >, 0);
  hl_scene_set_viewport (scene, 2 * width, 2 * height, scale);
  hl_scene_set_viewport (scene, width, height, scale);
  hl_scene_get_scroll (scene, &x_after, &y_after);
  g_assert_cmpfloat (x_after, ==, x);
  g_assert_cmpfloat (y_after, ==, y);
}

typedef struct
{
  guint n_measured;
  guint parts; /* a bit for each that changed */
} Heard;

static void
on_measured (Heard *heard)
{
  heard->n_measured++;
}

static void
on_changed (Heard      *heard,
            HlScenePart part)
{
  heard->parts |= 1u << part;
}

/* A hover concerns what is over the picture, and what changed together is told once. */
static void
test_heard (gconstpointer data)
{
  const HlViewKind kind = GPOINTER_TO_UINT (data);
  const HlPick pick = { kind == HL_VIEW_MODEL ? HL_PICK_MAP : HL_PICK_QUERY, .query = 1 };
  g_autoptr (HlViewState) state = test_make_random_state (2, 2, 20);
  g_autoptr (HlScene) scene = test_make_scene (kind, state, 400, 300, 1);
  Heard heard = { 0 };

  test_prepare (scene);
  const gconstpointer layout = hl_scene_get_frame (scene)->layout;
  g_assert_nonnull (layout);
  g_signal_connect_swapped (scene, "measured", G_CALLBACK (on_measured), &heard);
  g_signal_connect_swapped (scene, "changed", G_CALLBACK (on_changed), &heard);
  hl_view_state_set_hovered (state, &pick);
  g_assert_cmpuint (heard.parts, ==, 1u << HL_SCENE_OVERLAY);
  g_assert_cmpuint (heard.n_measured, ==, 0);
  g_assert_true (hl_pick_equal (hl_scene_get_frame (scene)->focus, hl_view_state_get_focus (state)));
  g_object_freeze_notify (G_OBJECT (state));
  hl_view_state_set_option (state, hide_first, TRUE);
  hl_view_state_set_option (state, dark, TRUE);
  g_object_thaw_notify (G_OBJECT (state));
  g_assert_cmpuint (heard.parts, ==, (1u << HL_SCENE_N_PARTS) - 1);
  g_assert_cmpuint (heard.n_measured, ==, 1);
}

static void
ask (HlScene **scene,
     HlChanges changes)
{
  double width, height;

  /* Of twice as many tokens, while the scene has not yet heard of them. */
  hl_scene_measure (*scene, &width, &height);
  g_assert_cmpfloat (height, >, 3000);
}

/* Somebody who hears of a change first gets no answer from before. */
static void
test_asked_early (gconstpointer data)
{
  const HlViewKind kind = GPOINTER_TO_UINT (data);
  g_autoptr (HlViewState) state = test_make_random_state (2, 2, 100);
  g_autoptr (HlViewState) other = test_make_random_state (2, 2, 200);
  HlScene *early = NULL;
  double width, height;

  const gulong id = g_signal_connect_swapped (state, "changed", G_CALLBACK (ask), &early);
  g_signal_handler_block (state, id);
  g_autoptr (HlScene) scene = test_make_scene (kind, state, 400, 300, 1);
  early = scene;
  hl_scene_set_zoom (scene, 16);
  hl_scene_measure (scene, &width, &height);
  g_assert_cmpfloat (height, <, 3000);
  g_signal_handler_unblock (state, id);
  hl_view_state_set_example (state, hl_view_state_get_example (other));
}

/* What suits tokens that run down does not suit those that run across; from where they are read changes nothing. */
static void
test_turned (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (2, 2, 200);
  g_autoptr (HlScene) scene = make_scrolled (state, HL_VIEW_HEAD_VIEW);
  double y;

  hl_view_state_set_option (state, reading, HL_READING_RIGHT_TO_LEFT);
  hl_scene_get_progress (scene, NULL, &y);
  g_assert_cmpfloat (y, >, 0);
  g_assert_cmpfloat (hl_scene_get_zoom (scene), ==, 16);
  hl_view_state_set_option (state, orientation, HL_ORIENTATION_HORIZONTAL);
  hl_scene_get_progress (scene, NULL, &y);
  g_assert_cmpfloat (y, ==, 0);
  g_assert_cmpfloat (hl_scene_get_zoom (scene), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/scene/shorter/head-view", GUINT_TO_POINTER (HL_VIEW_HEAD_VIEW), test_shorter);
  g_test_add_data_func ("/scene/shorter/heatmap", GUINT_TO_POINTER (HL_VIEW_HEATMAP), test_shorter);
  g_test_add_data_func ("/scene/shorter/layers", GUINT_TO_POINTER (HL_VIEW_LAYERS), test_shorter);
  g_test_add_data_func ("/scene/larger/head-view", GUINT_TO_POINTER (HL_VIEW_HEAD_VIEW), test_larger);
  g_test_add_data_func ("/scene/larger/heatmap", GUINT_TO_POINTER (HL_VIEW_HEATMAP), test_larger);
  g_test_add_data_func ("/scene/larger/layers", GUINT_TO_POINTER (HL_VIEW_LAYERS), test_larger);
  g_test_add_data_func ("/scene/heard/head-view", GUINT_TO_POINTER (HL_VIEW_HEAD_VIEW), test_heard);
  g_test_add_data_func ("/scene/heard/heatmap", GUINT_TO_POINTER (HL_VIEW_HEATMAP), test_heard);
  g_test_add_data_func ("/scene/heard/model", GUINT_TO_POINTER (HL_VIEW_MODEL), test_heard);
  g_test_add_data_func ("/scene/heard/layers", GUINT_TO_POINTER (HL_VIEW_LAYERS), test_heard);
  g_test_add_data_func ("/scene/asked-early/head-view", GUINT_TO_POINTER (HL_VIEW_HEAD_VIEW), test_asked_early);
  g_test_add_data_func ("/scene/asked-early/heatmap", GUINT_TO_POINTER (HL_VIEW_HEATMAP), test_asked_early);
  g_test_add_data_func ("/scene/asked-early/layers", GUINT_TO_POINTER (HL_VIEW_LAYERS), test_asked_early);
  g_test_add_data_func ("/scene/left-out/head-view", GUINT_TO_POINTER (HL_VIEW_HEAD_VIEW), test_left_out);
  g_test_add_data_func ("/scene/left-out/heatmap", GUINT_TO_POINTER (HL_VIEW_HEATMAP), test_left_out);
  g_test_add_data_func ("/scene/means/head-view", GUINT_TO_POINTER (HL_VIEW_HEAD_VIEW), test_means);
  g_test_add_data_func ("/scene/means/heatmap", GUINT_TO_POINTER (HL_VIEW_HEATMAP), test_means);
  g_test_add_data_func ("/scene/means/layers", GUINT_TO_POINTER (HL_VIEW_LAYERS), test_means);
  g_test_add_func ("/scene/rules", test_rules);
  g_test_add_data_func ("/scene/arrow/head-view", GUINT_TO_POINTER (HL_VIEW_HEAD_VIEW), test_arrow);
  g_test_add_data_func ("/scene/arrow/heatmap", GUINT_TO_POINTER (HL_VIEW_HEATMAP), test_arrow);
  g_test_add_func ("/scene/turned", test_turned);
  return g_test_run ();
}
