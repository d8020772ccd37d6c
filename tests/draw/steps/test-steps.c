/* SPDX-License-Identifier: MIT */
/* The view of steps: its numbers against NumPy's, its pixels against its numbers, its picks against its places. */
#include "draw/paint/hl-colour-map.h"
#include "test-heads.h"
#include "test-scenes.h"

#include "core/document/hl-document.h"
#include "draw/paint/hl-diverging-map.h"
#include "draw/paint/hl-theme.h"
#include "draw/steps/hl-steps-data.h"
#include "draw/steps/hl-steps-layout.h"

static const struct
{
  const char *name;
  HlStep step;
} names[] = {
  { "Q", HL_STEP_QUERIES },         { "K", HL_STEP_KEYS },          { "V", HL_STEP_VALUES },
  { "products", HL_STEP_PRODUCTS }, { "scaled", HL_STEP_SCALED },   { "capped", HL_STEP_CAPPED },
  { "masked", HL_STEP_MASKED },     { "weights", HL_STEP_WEIGHTS }, { "output", HL_STEP_OUTPUT },
};

static const HlStepsMatrix *
find_matrix (const HlStepsData *data,
             HlStep             step)
{
  for (guint i = 0; i < data->n_matrices; i++)
    if (data->matrices[i].step == step)
      return &data->matrices[i];
  return NULL;
}

static HlStepsData *
read_data (HlViewState *state)
{
  g_autoptr (GError) error = NULL;
  HlStepsData *data = hl_steps_data_new (hl_view_state_get_shown (state));

  hl_scene_data_read (data, NULL, NULL, &error);
  g_assert_no_error (error);
  return data;
}

static void
assert_near (double found,
             double wanted,
             double tolerance)
{
  if (wanted == -INFINITY)
    g_assert_true (found == -INFINITY);
  else
    g_assert_cmpfloat_with_epsilon (found, wanted, tolerance);
}

/* float32 sums of eight products are as exact as the greatest score; so is a softmax of them. */
static double
get_tolerance (JsonObject *matrices)
{
  JsonObject *scaled = json_object_get_object_member (matrices, "scaled");
  const double size =
    MAX (fabs (json_object_get_double_member (scaled, "min")), fabs (json_object_get_double_member (scaled, "max")));

  return 2e-6 + 6e-7 * size;
}

static void
check_matrix (const HlStepsData *data,
              HlStep             step,
              JsonObject        *wanted,
              double             tolerance)
{
  const HlStepsMatrix *matrix = find_matrix (data, step);
  JsonArray *shape = json_object_get_array_member (wanted, "shape");
  g_autoptr (GList) rows = json_object_get_members (json_object_get_object_member (wanted, "rows"));

  g_assert_nonnull (matrix);
  g_assert_cmpuint (matrix->rows.n, ==, json_array_get_int_element (shape, 0));
  g_assert_cmpuint (matrix->columns.n, ==, json_array_get_int_element (shape, 1));
  assert_near (matrix->min, json_object_get_double_member (wanted, "min"), tolerance);
  assert_near (matrix->max, json_object_get_double_member (wanted, "max"), tolerance);
  for (GList *l = rows; l != NULL; l = l->next)
    {
      JsonArray *values = json_object_get_array_member (json_object_get_object_member (wanted, "rows"), l->data);
      const gsize row = (gsize) g_ascii_strtoull (l->data, NULL, 10);
      g_autofree float *numbers = g_new (float, matrix->columns.n);

      g_assert_true (hl_head_steps_get_row (data->steps, step, row, numbers, NULL));
      for (guint column = 0; column < matrix->columns.n; column++)
        {
          const double value = test_get_case_number (json_array_get_element (values, column));
          assert_near (numbers[column], value, tolerance);
          /* In the picture a masked weight is not a weight of 0. */
          if (matrix->grid[row * matrix->grid_columns + column] != -INFINITY)
            assert_near (matrix->grid[row * matrix->grid_columns + column], value, tolerance);
          else
            g_assert_true (value == -INFINITY || (step == HL_STEP_WEIGHTS && value == 0));
        }
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
      g_autoptr (HlStepsData) data = read_data (state);
      HlAttentionSource *source = hl_view_state_get_shown (state)->filtered;
      g_autofree float *weights = hl_attention_source_read_head (source, hl_view_state_get_layer (state),
                                                                 hl_view_state_get_head (state), NULL, NULL);
      const HlStepsMatrix *softmax = find_matrix (data, HL_STEP_WEIGHTS);

      g_test_message ("%s", json_object_get_string_member (test_case, "file"));
      g_assert_cmpuint (data->n_matrices, ==, json_object_get_size (matrices));
      for (guint m = 0; m < G_N_ELEMENTS (names); m++)
        if (json_object_has_member (matrices, names[m].name))
          check_matrix (data, names[m].step, json_object_get_object_member (matrices, names[m].name),
                        get_tolerance (matrices));
      /* Panels and numbers that are exported come from the source: bit for bit the same. */
      for (gsize cell = 0; cell < softmax->grid_rows * softmax->grid_columns; cell++)
        g_assert_cmpfloat (weights[cell], ==, softmax->grid[cell] == -INFINITY ? 0 : softmax->grid[cell]);
    }
}

/* A Linformer: E and F make fewer keys and values, number by number, and its keys are named by what they gather. */
static void
test_projections (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "fixtures", "linformer-layers.h5", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, &error);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  hl_view_state_go_to (state, 1, 3);
  g_autoptr (HlStepsData) data = read_data (state);
  const HlStep steps[] = { HL_STEP_KEYS, HL_STEP_VALUES };

  g_assert_cmpuint (find_matrix (data, HL_STEP_KEY_PROJECTION)->rows.n, ==, 4);
  g_assert_cmpuint (find_matrix (data, HL_STEP_KEY_PROJECTION)->columns.n, ==, 10);
  g_assert_cmpuint (find_matrix (data, HL_STEP_TOKEN_KEYS)->rows.n, ==, 10);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    for (gsize row = 0; row < 4; row++)
      for (gsize column = 0; column < 8; column++)
        {
          float numbers[8];
          double total = 0;
          HlStepSum sum;

          g_assert_true (hl_head_steps_get_row (data->steps, steps[i], row, numbers, NULL));
          g_assert_true (hl_head_steps_get_sum (data->steps, steps[i], row, column, &sum));
          g_assert_cmpuint (sum.n, ==, 10);
          for (gsize token = 0; token < sum.n; token++)
            total += sum.terms[token];
          g_assert_cmpfloat_with_epsilon (numbers[column], total, 1e-5);
          g_free (sum.terms);
        }

  /* What is pointed at is found where it is, and told. */
  hl_view_state_set_option (state, view, HL_VIEW_STEPS);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_STEPS, state, 1100, 900, 1);
  const HlPick cell = { HL_PICK_CELL, .query = 7, .key = 2, .step = HL_STEP_VALUE_PROJECTION };
  const HlPick key = { HL_PICK_KEY, .key = 1, .step = HL_STEP_KEYS, .feature = 2 };
  double x, y, width, height;
  HlPick found;
  test_prepare (scene);
  g_assert_true (hl_scene_locate (scene, &cell, &x, &y, &width, &height));
  hl_scene_pick (scene, x + width / 2, y + height / 2, &found);
  g_assert_true (hl_pick_equal (&found, &cell));
  g_autofree char *told = hl_scene_describe (scene, &cell);
  g_assert_nonnull (strstr (told, "F · fruit → "));
  g_autofree char *sum_told = hl_scene_describe (scene, &key);
  g_assert_nonnull (strstr (sum_told, " = Σ E·K ("));
}

/* A bias by distance, an input, more keys than queries: against sums written out. */
static void
test_bias_and_input (void)
{
  const gsize n_queries = 5, n_keys = 9;
  float bias[2 * 13];
  for (guint i = 0; i < G_N_ELEMENTS (bias); i++)
    bias[i] = (float) sin (i);
  const TestHeads heads = { 2, 1, n_queries, n_keys, 4, 6, TRUE, { .scale = 1, .mask = { TRUE, 0 }, .bias = bias } };
  g_autoptr (HlViewState) state = test_make_head_state (&heads);
  hl_view_state_set_option (state, view, HL_VIEW_STEPS);
  hl_view_state_go_to (state, 0, 1);
  g_autoptr (HlStepsData) data = read_data (state);
  const HlStepsMatrix *biased = find_matrix (data, HL_STEP_BIASED);
  const HlStepsMatrix *masked = find_matrix (data, HL_STEP_MASKED);
  const HlStepsMatrix *weights = find_matrix (data, HL_STEP_WEIGHTS);
  const HlStepsMatrix *output = find_matrix (data, HL_STEP_OUTPUT);
  const HlStepsMatrix *input = find_matrix (data, HL_STEP_INPUT);

  g_assert_cmpuint (data->n_matrices, ==, 10);
  g_assert_null (find_matrix (data, HL_STEP_CAPPED));
  g_assert_cmpuint (input->columns.n, ==, 6);
  for (gsize i = 0; i < n_queries; i++)
    {
      double sum = 0;

      for (gsize j = 0; j < n_keys; j++)
        {
          double score = bias[13 + j + n_queries - 1 - i];
          for (gsize f = 0; f < 4; f++)
            score += (double) hl_head_steps_get_projection (data->steps, HL_QUERIES, i)[f] *
                     hl_head_steps_get_projection (data->steps, HL_KEYS, j)[f];
          g_assert_cmpfloat_with_epsilon (biased->grid[i * n_keys + j], score, 5e-6);
          /* The last query stands at the last key. */
          if (j > i + n_keys - n_queries)
            g_assert_true (masked->grid[i * n_keys + j] == -INFINITY && weights->grid[i * n_keys + j] == -INFINITY);
          else
            sum += exp (score);
        }
      for (gsize f = 0; f < 4; f++)
        {
          double wanted = 0;
          for (gsize j = 0; j <= i + n_keys - n_queries; j++)
            wanted += exp (biased->grid[i * n_keys + j]) / sum * hl_head_steps_get_value (data->steps, j)[f];
          g_assert_cmpfloat_with_epsilon (output->grid[i * 4 + f], wanted, 1e-5);
        }
    }
}

/* In a small window cards are narrower, so that the weights are in view; where that does not help they stay as they were. */
static void
test_weights_in_view (void)
{
  static const double heights[] = { 720, 300 };
  float bias[2 * 13] = { 0 };
  const TestHeads heads = { 2, 1, 5, 9, 4, 6, TRUE, { .scale = 1, .mask = { TRUE, 0 }, .bias = bias } };
  g_autoptr (HlViewState) state = test_make_head_state (&heads);
  hl_view_state_set_option (state, view, HL_VIEW_STEPS);

  for (guint i = 0; i < G_N_ELEMENTS (heights); i++)
    {
      /* Ten cards, of which two would be wide enough. */
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_STEPS, state, 560, heights[i], 1);
      const HlStepsLayout *layout = hl_scene_get_frame (scene)->layout;
      const HlStepsCard *weights = hl_steps_layout_find_card (layout, HL_STEP_WEIGHTS);

      g_assert_cmpuint (layout->n_cards, ==, 10);
      if (heights[i] == 720)
        g_assert_cmpfloat (weights->box.y + weights->box.height, <=, heights[i]);
      else
        g_assert_cmpfloat (layout->card_width, >=, 150);
    }
}

/* One-hot with a large scale, flat with a small one. */
static void
test_scale (void)
{
  const TestHeads heads = { 1, 1, 12, 12, 16, 0, FALSE, { .scale = 0.25 } };
  g_autoptr (HlViewState) state = test_make_head_state (&heads);

  hl_view_state_set_option (state, view, HL_VIEW_STEPS);
  hl_view_state_set_option (state, score_scale, 100);
  g_autoptr (HlStepsData) sharp = read_data (state);
  g_assert_cmpfloat (find_matrix (sharp, HL_STEP_WEIGHTS)->max, >, 0.999);
  hl_view_state_set_option (state, score_scale, 0.1);
  g_autoptr (HlStepsData) flat = read_data (state);
  g_assert_cmpfloat (find_matrix (flat, HL_STEP_WEIGHTS)->max, <, 0.2);
  g_autofree char *caption = hl_view_state_describe (state);
  g_assert_nonnull (strstr (caption, "scores × 0.1"));
}

static guint32
get_wanted_pixel (HlViewState         *state,
                  const HlStepsMatrix *matrix,
                  float                value)
{
  const gboolean dark = hl_view_state_get_options (state)->dark;

  if (matrix->step == HL_STEP_WEIGHTS)
    return hl_colour_map_lookup (hl_view_state_get_options (state)->colour_map, dark, value / matrix->max);
  return hl_diverging_map_lookup (dark, value / MAX (fabs (matrix->min), fabs (matrix->max)));
}

static HlPick
make_pick (const HlStepsMatrix *matrix,
           gsize                row,
           gsize                column)
{
  if (hl_step_is_map (matrix->step))
    return (HlPick){ HL_PICK_CELL, .query = row, .key = column, .step = matrix->step };
  if (hl_step_get_side (matrix->step) == HL_KEYS)
    return (HlPick){ HL_PICK_KEY, .key = row, .step = matrix->step, .feature = column };
  return (HlPick){ HL_PICK_QUERY, .query = row, .step = matrix->step, .feature = column };
}

/* Every cell of every matrix has the colour of its number, and is picked where it is. */
static void
check_cells (HlScene         *scene,
             cairo_surface_t *picture)
{
  HlViewState *state = hl_scene_get_state (scene);
  g_autoptr (HlStepsData) data = read_data (state);

  for (guint m = 0; m < data->n_matrices; m++)
    for (gsize row = 0; row < data->matrices[m].rows.n; row++)
      for (gsize column = 0; column < data->matrices[m].columns.n; column++)
        {
          const HlStepsMatrix *matrix = &data->matrices[m];
          const float value = matrix->grid[row * matrix->grid_columns + column];
          const HlPick wanted = make_pick (matrix, row, column);
          double x, y, width, height;
          HlPick pick;

          g_assert_true (hl_scene_locate (scene, &wanted, &x, &y, &width, &height));
          hl_scene_pick (scene, x + width / 2, y + height / 2, &pick);
          g_assert_true (hl_pick_equal (&pick, &wanted));
          if (value == -INFINITY)
            continue;
          const guint32 found = test_get_pixel (picture, x + width / 2, y + height / 2);
          const guint32 colour = get_wanted_pixel (state, matrix, value);
          for (guint shift = 0; shift < 24; shift += 8)
            g_assert_cmpint (ABS ((int) (found >> shift & 0xFF) - (int) (colour >> shift & 0xFF)), <=, 1);
        }
}

static void
test_picture (gconstpointer user_data)
{
  const guint variant = GPOINTER_TO_UINT (user_data);
  const TestHeads heads = { 4, 2, 11, 14, 8, 20, TRUE, { .scale = 0.3, .softcap = 2, .mask = { FALSE, 5 } } };
  g_autoptr (HlViewState) state = test_make_head_state (&heads);

  hl_view_state_set_option (state, dark, variant & 1);
  hl_view_state_go_to (state, 0, 3);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_STEPS, state, 900, 1400, variant & 2 ? 2 : 1);
  g_object_set (scene, "vector", (variant & 4) != 0, NULL);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  check_cells (scene, picture);
}

/* Thousands of tokens: the one strong number among many that share a pixel is seen, and what is said of it is exact. */
static void
test_pooled (void)
{
  const TestHeads heads = { 1, 1, 2500, 2500, 4, 0, FALSE, { .scale = 1 } };
  g_autoptr (HlViewState) state = test_make_head_state (&heads);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_STEPS, state, 800, 700, 1);
  g_autoptr (HlStepsData) data = read_data (state);
  const HlStepsMatrix *matrix = find_matrix (data, HL_STEP_PRODUCTS);
  float greatest = 0;
  g_autofree float *row = g_new (float, 2500);

  g_assert_cmpuint (matrix->grid_rows, ==, HL_STEPS_MAX_GRID);
  for (gsize i = 0; i < matrix->grid_rows * matrix->grid_columns; i++)
    greatest = MAX (greatest, matrix->grid[i]);
  g_assert_cmpfloat (greatest, ==, (float) matrix->max);
  g_assert_true (hl_head_steps_get_row (data->steps, HL_STEP_PRODUCTS, 1234, row, NULL));
  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_all (scene);
  g_assert_false (test_is_blank (picture));

  const HlPick pick = { HL_PICK_CELL, .query = 1234, .key = 777, .step = HL_STEP_PRODUCTS };
  g_autofree char *text = hl_scene_describe (scene, &pick);
  char number[16];
  g_ascii_formatd (number, sizeof number, "%.3g", fabs (row[777]));
  g_assert_true (g_str_has_prefix (text, "1234 → 777: q·k "));
  g_assert_nonnull (strstr (text, number));
}

static void
test_describe (void)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *test_case = json_array_get_object_element (test_load_cases (parser), 4);
  g_autoptr (HlViewState) state = test_load_head_state (test_case);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_STEPS, state, 800, 700, 1);
  const HlPick feature = { HL_PICK_KEY, .key = 3, .step = HL_STEP_KEYS, .feature = 2 };
  const HlPick visible = { HL_PICK_CELL, .query = 5, .key = 2, .step = HL_STEP_SCALED };
  const HlPick hidden = { HL_PICK_CELL, .query = 5, .key = 7, .step = HL_STEP_WEIGHTS };

  test_prepare (scene);
  g_autofree char *of_feature = hl_scene_describe (scene, &feature);
  g_assert_true (g_str_has_prefix (of_feature, "K · like (key 3) · feature 2: "));
  g_autofree char *of_visible = hl_scene_describe (scene, &visible);
  g_assert_true (g_str_has_prefix (of_visible, "arrow → flies: q·k 4.98, scaled 1.76, softmax 0.3"));
  g_autofree char *of_hidden = hl_scene_describe (scene, &hidden);
  g_assert_true (g_str_has_suffix (of_hidden, ", masked"));

  hl_view_state_set_option (state, mask, FALSE);
  test_prepare (scene);
  g_autofree char *of_shown = hl_scene_describe (scene, &hidden);
  g_assert_nonnull (strstr (of_shown, "softmax"));
  g_autofree char *caption = hl_view_state_describe (state);
  g_assert_true (g_str_has_suffix (caption, "mask off"));
}

/* Without queries there is no picture, and a sentence that says why. */
static void
test_impossible (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (1, 2, 8);
  const HlPick pick = { HL_PICK_QUERY, .query = 1 };

  for (HlViewKind kind = HL_VIEW_STEPS; kind <= HL_VIEW_NEURON; kind++)
    {
      g_autoptr (HlScene) scene = test_make_scene (kind, state, 500, 400, 1);
      HlPick found;

      hl_view_state_set_option (state, score_scale, 10);
      test_prepare (scene);
      hl_scene_pick (scene, 250, 200, &found);
      g_assert_cmpint (found.kind, ==, HL_PICK_NONE);
      hl_scene_zoom (scene, 2, 100, 100);
      hl_scene_fit (scene);
      g_autoptr (cairo_surface_t) picture = test_draw_all (scene);
      g_autofree char *text = hl_scene_describe (scene, &pick);
      g_assert_cmpstr (text, ==, "i (query 1)");
      g_autofree char *caption = hl_view_state_describe (state);
      g_assert_true (strstr (caption, "no queries and keys") != NULL);
    }
}

/* A job that comes when another head is shown changes nothing. */
static void
test_stale (void)
{
  const TestHeads heads = { 3, 3, 9, 9, 4, 0, TRUE, { .scale = 0.5 } };
  g_autoptr (HlViewState) state = test_make_head_state (&heads);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_STEPS, state, 600, 500, 1);
  g_autoptr (HlSceneJob) job = hl_scene_create_job (scene);

  g_assert_true (hl_scene_job_run (job, NULL, NULL));
  hl_view_state_set_option (state, score_scale, 2);
  hl_scene_accept (scene, job);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_true (test_is_blank (picture));
  hl_view_state_set_option (state, score_scale, 1);
  hl_scene_accept (scene, job);
  g_autoptr (cairo_surface_t) right = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_false (test_is_blank (right));
  g_assert_null (hl_scene_create_job (scene));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/steps/numbers", test_numbers);
  g_test_add_func ("/steps/projections", test_projections);
  g_test_add_func ("/steps/bias-and-input", test_bias_and_input);
  g_test_add_func ("/steps/weights-in-view", test_weights_in_view);
  g_test_add_func ("/steps/scale", test_scale);
  for (guint variant = 0; variant < 6; variant++)
    {
      g_autofree char *path = g_strdup_printf ("/steps/picture/%s-%s%s", variant & 1 ? "dark" : "light",
                                               variant & 2 ? "2x" : "1x", variant & 4 ? "-vector" : "");
      g_test_add_data_func (path, GUINT_TO_POINTER (variant), test_picture);
    }
  g_test_add_func ("/steps/pooled", test_pooled);
  g_test_add_func ("/steps/describe", test_describe);
  g_test_add_func ("/steps/impossible", test_impossible);
  g_test_add_func ("/steps/stale", test_stale);
  return g_test_run ();
}
