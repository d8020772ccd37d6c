/* SPDX-License-Identifier: MIT */
/* The neuron view: its numbers against NumPy's, its pixels against its numbers, and what the pointer unfolds. */
#include "test-heads.h"
#include "test-scenes.h"

#include "core/test-attentions.h"
#include "draw/neuron/hl-neuron-data.h"
#include "draw/paint/hl-diverging-map.h"
#include "draw/paint/hl-palette.h"

static HlNeuronData *
read_data (HlViewState *state)
{
  g_autoptr (GError) error = NULL;
  HlNeuronData *data = hl_neuron_data_new (hl_view_state_get_shown (state));

  hl_scene_data_read (data, NULL, NULL, &error);
  g_assert_no_error (error);
  return data;
}

static void
check_row (const float *found,
           JsonObject  *matrices,
           const char  *name,
           const char  *row,
           double       tolerance)
{
  JsonObject *rows = json_object_get_object_member (json_object_get_object_member (matrices, name), "rows");
  JsonArray *values = json_object_get_array_member (rows, row);

  for (guint i = 0; i < json_array_get_length (values); i++)
    {
      const double wanted = test_get_case_number (json_array_get_element (values, i));
      if (isfinite (wanted))
        g_assert_cmpfloat_with_epsilon (found[i], wanted, tolerance);
    }
}

static void
test_numbers (void)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonArray *cases = test_load_cases (parser);

  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      JsonObject *test_case = json_array_get_object_element (cases, i);
      JsonObject *matrices = json_object_get_object_member (test_case, "matrices");
      g_autoptr (HlViewState) state = test_load_head_state (test_case);
      g_autoptr (HlNeuronData) data = read_data (state);
      JsonObject *scaled = json_object_get_object_member (matrices, "scaled");
      const double size = MAX (fabs (json_object_get_double_member (scaled, "min")),
                               fabs (json_object_get_double_member (scaled, "max")));
      const double tolerance = 2e-6 + 6e-7 * size;
      HlNeuronRow row = { NULL };

      hl_neuron_row_follow (&row, data, 5);
      check_row (hl_head_steps_get_projection (data->steps, HL_QUERIES, 5), matrices, "Q", "5", 1e-6);
      check_row (hl_head_steps_get_projection (data->steps, HL_KEYS, 9), matrices, "K", "9", 1e-6);
      check_row (row.products, matrices, "products", "5", 1e-5);
      check_row (row.scores, matrices, json_object_has_member (matrices, "capped") ? "capped" : "scaled", "5",
                 tolerance);
      check_row (row.weights, matrices, "weights", "5", tolerance);
      hl_neuron_row_clear (&row);
    }
}

static void
assert_colour (cairo_surface_t *picture,
               HlScene         *scene,
               const HlPick    *pick,
               double           value,
               double           limit)
{
  const gboolean dark = hl_view_state_get_options (hl_scene_get_state (scene))->dark;
  const guint32 wanted = hl_diverging_map_lookup (dark, value / limit);
  double x, y, width, height;
  HlPick found;

  g_assert_true (hl_scene_locate (scene, pick, &x, &y, &width, &height));
  const guint32 pixel = test_get_pixel (picture, x + width / 2, y + height / 2);
  for (guint shift = 0; shift < 24; shift += 8)
    g_assert_cmpint (ABS ((int) (pixel >> shift & 0xFF) - (int) (wanted >> shift & 0xFF)), <=, 1);
  hl_scene_pick (scene, x + width / 2, y + height / 2, &found);
  g_assert_true (hl_pick_equal (&found, pick));
}

/* Every feature has the colour of its number, and is picked where it is. */
static void
test_picture (gconstpointer user_data)
{
  const guint variant = GPOINTER_TO_UINT (user_data);
  const TestHeads heads = { 4, 2, 9, 13, 32, 0, FALSE, { .scale = 0.2, .mask = { TRUE, 0 } } };
  const HlPick pinned = { HL_PICK_QUERY, .query = 4 };
  g_autoptr (HlViewState) state = test_make_head_state (&heads);

  hl_view_state_set_option (state, dark, variant & 1);
  hl_view_state_go_to (state, 0, 2);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_NEURON, state, 1000, 500, variant & 2 ? 2 : 1);
  g_object_set (scene, "vector", (variant & 4) != 0, NULL);
  hl_view_state_set_pinned (state, &pinned);
  test_prepare (scene);
  g_assert_cmpfloat (hl_scene_get_picture_opacity (scene), ==, 0);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_OVERLAY);
  g_autoptr (HlNeuronData) data = read_data (state);
  HlNeuronRow row = { NULL };
  const float *q = hl_head_steps_get_projection (data->steps, HL_QUERIES, 4);

  hl_neuron_row_follow (&row, data, 4);
  for (gsize f = 0; f < 32; f++)
    {
      const HlPick of_query = { HL_PICK_QUERY, .query = 4, .step = HL_STEP_QUERIES, .feature = f };
      assert_colour (picture, scene, &of_query, q[f], row.query_limit);
      for (gsize key = 0; key < 13; key++)
        {
          const HlPick of_key = { HL_PICK_CELL, .query = 4, .key = key, .step = HL_STEP_KEYS, .feature = f };
          const HlPick of_term = { HL_PICK_CELL, .query = 4, .key = key, .step = HL_STEP_PRODUCTS, .feature = f };
          const float *k = hl_head_steps_get_projection (data->steps, HL_KEYS, key);
          assert_colour (picture, scene, &of_key, k[f], data->key_limit);
          assert_colour (picture, scene, &of_term, q[f] * k[f], row.term_limit);
        }
    }
  hl_neuron_row_clear (&row);
}

static gboolean
is_near (guint32 pixel,
         guint32 wanted)
{
  gboolean near = TRUE;

  for (guint shift = 0; shift < 24; shift += 8)
    near = near && ABS ((int) (pixel >> shift & 0xFF) - (int) (wanted >> shift & 0xFF)) <= 1;
  return near;
}

/* A few words and many frames of sound are all in view, each found where it is; frames that share a pixel show one of them. */
static void
test_spread (gconstpointer user_data)
{
  const double height = GPOINTER_TO_UINT (user_data);
  const TestHeads heads = { 1, 1, 6, 300, 8, 0, FALSE, { .scale = 0.2 } };
  const HlPick pinned = { HL_PICK_QUERY, .query = 3 };
  g_autoptr (HlViewState) state = test_make_head_state (&heads);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_NEURON, state, 900, height, 1);
  g_autoptr (HlNeuronData) data = read_data (state);
  double x, y, width, row_height, all_width, all_height;
  HlPick found;

  test_prepare (scene);
  hl_scene_measure (scene, &all_width, &all_height);
  g_assert_cmpfloat (all_height, <=, height + 1);
  for (gsize query = 0; query < 6; query++)
    {
      const HlPick pick = hl_pick_of (HL_QUERIES, query);
      g_assert_true (hl_scene_locate (scene, &pick, &x, &y, &width, &row_height));
      g_assert_cmpfloat (row_height, >=, 20);
      g_assert_cmpfloat (y + row_height, <=, height);
      hl_scene_pick (scene, x + width / 2, y + row_height / 2, &found);
      g_assert_true (hl_pick_equal (&found, &pick));
    }
  hl_view_state_set_pinned (state, &pinned);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_OVERLAY);
  for (gsize key = 0; key < 300; key++)
    {
      const HlPick pick = { HL_PICK_CELL, .query = 3, .key = key, .step = HL_STEP_KEYS, .feature = 5 };
      g_assert_true (hl_scene_locate (scene, &pick, &x, &y, &width, &row_height));
      g_assert_cmpfloat (y + row_height, <=, height);
      hl_scene_pick (scene, x + width / 2, y + row_height / 2, &found);
      g_assert_true (hl_pick_equal (&found, &pick));
      const guint32 pixel = test_get_pixel (picture, x + width / 2, y + row_height / 2);
      gboolean shows_one = FALSE;
      for (gsize near = key - MIN (key, 3); near < MIN (key + 4, 300) && !shows_one; near++)
        shows_one =
          is_near (pixel, hl_diverging_map_lookup (FALSE, hl_head_steps_get_projection (data->steps, HL_KEYS, near)[5] /
                                                            data->key_limit));
      g_assert_true (shows_one);
    }
}

/* How wide the bar of a key is, in pixels. */
static guint
measure_bar (HlViewState *state,
             gsize        key,
             gboolean     whole)
{
  const HlPick pinned = { HL_PICK_QUERY, .query = 2 };
  const HlPick cell = { HL_PICK_CELL, .query = 2, .key = key, .step = HL_STEP_PRODUCTS };
  const HlColour colour = hl_palette_get_head_colour (0, FALSE);
  double x, y, width, height;
  guint n = 0;

  hl_view_state_set_option (state, whole_bars, whole);
  hl_view_state_set_pinned (state, &pinned);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_NEURON, state, 1000, 400, 1);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_OVERLAY);
  g_assert_true (hl_scene_locate (scene, &cell, &x, &y, &width, &height));
  for (int at = (int) x; at < 1000; at++)
    n += test_get_pixel (picture, at, (int) (y + height / 2)) == hl_colour_to_pixel (&colour);
  return n;
}

/* As parts of 1, bars of two heads are of one scale; else the longest of each is as long as there is room. */
static void
test_bars (void)
{
  const TestHeads heads = { 1, 1, 4, 3, 4, 0, FALSE, { .scale = 0.1 } };
  g_autoptr (HlViewState) state = test_make_head_state (&heads);
  g_autoptr (HlNeuronData) data = read_data (state);
  HlNeuronRow row = { NULL };
  gsize best = 0;

  hl_neuron_row_follow (&row, data, 2);
  for (gsize key = 1; key < 3; key++)
    if (row.weights[key] > row.weights[best])
      best = key;
  const guint longest = measure_bar (state, best, FALSE);
  g_assert_cmpuint (longest, >, 20);
  for (gsize key = 0; key < 3; key++)
    {
      g_assert_cmpfloat_with_epsilon (measure_bar (state, key, FALSE), longest * row.weights[key] / row.greatest, 1.5);
      g_assert_cmpfloat_with_epsilon (measure_bar (state, key, TRUE), longest * row.weights[key], 1.5);
    }
  hl_neuron_row_clear (&row);
}

/* Lines until a query is pointed at; then its keys are cells, so that the pointer may go there. */
static void
test_unfolding (void)
{
  const TestHeads heads = { 2, 2, 8, 8, 16, 0, TRUE, { .scale = 0.25 } };
  const HlPick query = { HL_PICK_QUERY, .query = 2 };
  const HlPick key = { HL_PICK_KEY, .key = 6 };
  g_autoptr (HlViewState) state = test_make_head_state (&heads);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_NEURON, state, 800, 400, 1);
  double x, y, width, height;
  HlPick found;

  test_prepare (scene);
  g_assert_cmpfloat (hl_scene_get_picture_opacity (scene), ==, 1);
  g_autoptr (cairo_surface_t) lines = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_false (test_is_blank (lines));
  g_autoptr (cairo_surface_t) nothing = test_draw_part (scene, HL_SCENE_OVERLAY);
  g_assert_true (test_is_blank (nothing));

  hl_scene_locate (scene, &key, &x, &y, &width, &height);
  hl_scene_pick (scene, x + 2, y + height / 2, &found);
  g_assert_true (hl_pick_equal (&found, &key));
  hl_view_state_set_hovered (state, &key);
  g_autoptr (cairo_surface_t) of_key = test_draw_part (scene, HL_SCENE_OVERLAY);
  g_assert_false (test_is_blank (of_key));
  g_assert_cmpfloat (hl_scene_get_picture_opacity (scene), ==, 0);

  hl_view_state_set_hovered (state, &query);
  hl_scene_pick (scene, x + 2, y + height / 2, &found);
  g_assert_cmpint (found.kind, ==, HL_PICK_CELL);
  g_assert_cmpuint (found.query, ==, 2);
  g_assert_cmpuint (found.key, ==, 6);
  hl_scene_locate (scene, &query, &x, &y, &width, &height);
  hl_scene_pick (scene, x + 2, y + height * 1.5, &found);
  g_assert_cmpint (found.kind, ==, HL_PICK_QUERY);
  g_assert_cmpuint (found.query, ==, 3);
}

static void
test_describe (void)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *test_case = json_array_get_object_element (test_load_cases (parser), 4);
  g_autoptr (HlViewState) state = test_load_head_state (test_case);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_NEURON, state, 800, 700, 1);
  const HlPick term = { HL_PICK_CELL, .query = 5, .key = 2, .step = HL_STEP_PRODUCTS, .feature = 1 };
  const HlPick feature = { HL_PICK_CELL, .query = 5, .key = 2, .step = HL_STEP_KEYS, .feature = 1 };
  const HlPick cell = { HL_PICK_CELL, .query = 5, .key = 7 };
  const HlPick query = { HL_PICK_QUERY, .query = 5 };

  test_prepare (scene);
  g_autofree char *of_term = hl_scene_describe (scene, &term);
  g_assert_true (g_str_has_prefix (of_term, "arrow → flies · feature 1: "));
  g_assert_nonnull (strstr (of_term, " × "));
  g_autofree char *of_feature = hl_scene_describe (scene, &feature);
  g_assert_true (g_str_has_prefix (of_feature, "K · flies (key 2) · feature 1: "));
  g_autofree char *of_cell = hl_scene_describe (scene, &cell);
  g_assert_true (g_str_has_suffix (of_cell, ", masked"));
  g_autofree char *of_query = hl_scene_describe (scene, &query);
  g_assert_true (g_str_has_prefix (of_query, "arrow (query 5): "));
}

/* Thousands of tokens have no lines: a query is there from the start. Only the rows in view are drawn. */
static void
test_long (void)
{
  const TestHeads heads = { 1, 1, 3000, 3000, 64, 0, FALSE, { .scale = 0.125 } };
  g_autoptr (HlViewState) state = test_make_head_state (&heads);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_NEURON, state, 700, 500, 1);
  const HlPick last = { HL_PICK_CELL, .query = 0, .key = 2999 };
  double width, height, x, y;

  test_prepare (scene);
  g_assert_cmpfloat (hl_scene_get_picture_opacity (scene), ==, 0);
  hl_scene_measure (scene, &width, &height);
  g_assert_cmpfloat (height, >, 3000 * 13);
  hl_scene_set_scroll (scene, 0, height);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_OVERLAY);
  g_assert_false (test_is_blank (picture));
  g_assert_true (hl_scene_locate (scene, &last, &x, &y, &width, &height));
  g_assert_cmpfloat (y, >, 400);
  g_assert_cmpfloat (y + height, <=, 500);
}

/* Features that do not fit share pixels, so that the keys are in view; each is picked all the same. */
static void
test_wide (void)
{
  const TestHeads heads = { 1, 1, 4, 4, 256, 0, FALSE, { .scale = 1.0 / 16 } };
  g_autoptr (HlViewState) state = test_make_head_state (&heads);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_NEURON, state, 700, 300, 1);
  const HlPick pinned = { HL_PICK_QUERY, .query = 1 };
  const HlPick last = { HL_PICK_CELL, .query = 1, .key = 3, .step = HL_STEP_PRODUCTS, .feature = 255 };
  double width, height, x, y;
  HlPick found;

  hl_view_state_set_pinned (state, &pinned);
  test_prepare (scene);
  hl_scene_measure (scene, &width, &height);
  g_assert_cmpfloat (width, ==, 700);
  g_assert_true (hl_scene_locate (scene, &last, &x, &y, &width, &height));
  g_assert_cmpfloat (width, <, 1);
  hl_scene_pick (scene, x + width / 2, y + height / 2, &found);
  g_assert_true (hl_pick_equal (&found, &last));
}

static void
test_stale (void)
{
  const TestHeads heads = { 3, 1, 9, 9, 4, 0, TRUE, { .scale = 0.5 } };
  g_autoptr (HlViewState) state = test_make_head_state (&heads);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_NEURON, state, 600, 500, 1);
  g_autoptr (HlSceneJob) job = hl_scene_create_job (scene);

  g_assert_true (hl_scene_job_run (job, NULL, NULL));
  hl_view_state_go_to (state, 0, 1);
  hl_scene_accept (scene, job);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_true (test_is_blank (picture));
  test_prepare (scene);
  g_autoptr (cairo_surface_t) right = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_false (test_is_blank (right));
}

/* Scores of a file are no parts of a 1, in whatever view there are lines of them; what is made of queries and keys is. */
static void
test_scores (void)
{
  const HlShape shape = { 3, { 1, 4, 4 } };
  float numbers[16];

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    numbers[i] = (1 + i) / 4000.0f;
  g_autoptr (HlTensor) tensor = test_make_tensor (&shape, numbers);
  const HlLayerTensor layer = {
    .tensor = tensor, .layer_axis = -1, .batch_axis = -1, .head_axis = 0, .row_axis = 1, .column_axis = 2
  };
  const HlAttentionInit init = { .kind = HL_ATTENTION_SELF,
                                 .weights = &layer,
                                 .projections = { &layer, &layer },
                                 .n_layers = 1,
                                 .n_used = { 4, 4 },
                                 .rule = { .scale = 1 },
                                 .quantity = "score" };
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (attentions, hl_attention_new (&init));
  g_autoptr (HlExample) example = hl_example_new (NULL, NULL, NULL, attentions, checks);
  g_autoptr (HlViewState) state = hl_view_state_new (example);

  hl_view_state_set_option (state, view, HL_VIEW_NEURON);
  for (guint i = 0; i < 4; i++)
    {
      const gboolean relative = i & 1, are_weights = i & 2;

      hl_view_state_set_option (state, relative_lines, relative);
      hl_view_state_set_option (state, score_scale, are_weights ? 2 : 1);
      g_autoptr (HlNeuronData) data = read_data (state);
      g_autofree char *caption = hl_view_state_describe (state);
      const double greatest = data->lines->greatest;

      g_test_message ("%s", caption);
      g_assert_cmpfloat_with_epsilon (hl_head_view_data_get_gain (data->lines, greatest),
                                      relative || !are_weights ? 1 / greatest : 1, 1e-6);
      g_assert_true ((strstr (caption, "lines to the strongest") != NULL) == (relative || !are_weights));
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/neuron/numbers", test_numbers);
  for (guint variant = 0; variant < 6; variant++)
    {
      g_autofree char *path = g_strdup_printf ("/neuron/picture/%s-%s%s", variant & 1 ? "dark" : "light",
                                               variant & 2 ? "2x" : "1x", variant & 4 ? "-vector" : "");
      g_test_add_data_func (path, GUINT_TO_POINTER (variant), test_picture);
    }
  g_test_add_func ("/neuron/bars", test_bars);
  g_test_add_func ("/neuron/unfolding", test_unfolding);
  g_test_add_func ("/neuron/describe", test_describe);
  g_test_add_func ("/neuron/long", test_long);
  g_test_add_func ("/neuron/wide", test_wide);
  g_test_add_func ("/neuron/stale", test_stale);
  g_test_add_func ("/neuron/scores", test_scores);
  g_test_add_data_func ("/neuron/spread", GUINT_TO_POINTER (600), test_spread);
  g_test_add_data_func ("/neuron/spread-fine", GUINT_TO_POINTER (230), test_spread);
  return g_test_run ();
}
