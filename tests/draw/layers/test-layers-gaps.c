/* SPDX-License-Identifier: MIT */
/* All layers where some have no attention, and where heads have learned sinks: what is drawn, picked and followed. */
#include "test-scenes.h"

#include <string.h>

#include "core/document/hl-document.h"
#include "core/source/derive/hl-sink-source.h"
#include "core/test-attentions.h"
#include "draw/layers/hl-layers-data.h"

#define N 7
#define N_LAYERS 4
#define WIDTH 640

/* Layers 0 and 2 have no heads; those of the others leave so much of each row to sinks, if there are such. */
static HlViewState *
make_state_of (gboolean has_gaps,
               gboolean has_sinks,
               float    sunk)
{
  static const float sinks[] = { 0, 0 };
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);
  HlLayerTensor layers[N_LAYERS];
  HlAttentionRule rules[N_LAYERS] = { 0 };
  const char *tokens[N + 1] = { NULL };

  for (gsize i = 0; i < N; i++)
    tokens[i] = "i";
  for (guint layer = 0; layer < N_LAYERS; layer++)
    {
      const gsize n_heads = has_gaps && layer % 2 == 0 ? 0 : 2;
      const HlShape shape = { 3, { n_heads, N, N } };
      g_autofree float *weights = test_make_weights (layer, 2, N, N);

      for (gsize i = 0; has_sinks && i < 2 * N * N; i++)
        weights[i] *= 1 - sunk;
      layers[layer] = (HlLayerTensor){ .tensor = test_make_tensor (&shape, weights),
                                       .layer_axis = -1,
                                       .batch_axis = -1,
                                       .head_axis = 0,
                                       .row_axis = 1,
                                       .column_axis = 2 };
      rules[layer].sinks = has_sinks ? sinks : NULL;
    }
  const HlAttentionInit init = { .kind = HL_ATTENTION_SELF,
                                 .weights = layers,
                                 .n_layers = N_LAYERS,
                                 .tokens = { tokens, tokens },
                                 .n_used = { N, N },
                                 .rules = rules };
  g_ptr_array_add (attentions, hl_attention_new (&init));
  for (guint layer = 0; layer < N_LAYERS; layer++)
    g_object_unref (layers[layer].tensor);
  g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
  HlViewState *state = hl_view_state_new (example);
  hl_view_state_set_option (state, view, HL_VIEW_LAYERS);
  hl_view_state_select_all_heads (state);
  return state;
}

static HlViewState *
make_state (gboolean has_gaps,
            gboolean has_sinks)
{
  return make_state_of (has_gaps, has_sinks, 0.5f);
}

static double
get_mean (HlAttention *attention,
          guint        layer,
          gsize        query,
          gsize        key)
{
  g_autoptr (GError) error = NULL;
  double sum = 0;

  for (guint head = 0; head < 2; head++)
    {
      float weight;
      g_assert_true (hl_layer_tensor_read (hl_attention_get_weights (attention, layer), head, query, 1, key, 1, &weight,
                                           NULL, &error));
      sum += weight;
    }
  return sum / 2;
}

/* What a sink takes brings nothing; a token is followed as far as there is attention. */
static void
test_trace (gconstpointer user_data)
{
  const gboolean has_gaps = GPOINTER_TO_UINT (user_data) & 1, has_sinks = GPOINTER_TO_UINT (user_data) & 2;
  g_autoptr (HlViewState) state = make_state (has_gaps, has_sinks);
  const HlShown *shown = hl_view_state_get_shown (state);
  g_autoptr (HlLayersData) data = hl_layers_data_new (shown);
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_layers_data_is_square (data));
  g_assert_true (hl_scene_data_read (data, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (hl_layers_data_get_lowest (data, 3), ==, has_gaps ? 3 : 0);
  g_assert_cmpuint (hl_layers_data_get_lowest (data, 2), ==, has_gaps ? 3 : 0);
  g_autofree float *shares = hl_layers_data_trace (data, 3, 4);
  for (gsize key = 0; key < N; key++)
    {
      double sum = 1, whole = 0;

      for (gsize i = 0; i < N; i++)
        sum += get_mean (shown->original, 3, 4, i);
      g_assert_cmpfloat_with_epsilon (shares[3 * N + key], (get_mean (shown->original, 3, 4, key) + (key == 4)) / sum,
                                      1e-6);
      for (gsize i = 0; i < N; i++)
        whole += shares[2 * N + i];
      g_assert_cmpfloat_with_epsilon (whole, has_gaps ? 0 : 1, 1e-5);
    }
  g_assert_cmpfloat_with_epsilon (hl_layers_data_get_sunk (data, 3, 4), has_sinks ? 0.5 : 0, 1e-6);
}

/* A layer that has none of the heads is no more followed through than one without attention, be they combined or not. */
static void
test_few_heads (gconstpointer user_data)
{
  const gboolean combines = GPOINTER_TO_UINT (user_data);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "fixtures", "heads-differ.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  const HlHeadSet heads = { { 2 } };

  hl_view_state_set_option (state, view, HL_VIEW_LAYERS);
  hl_view_state_set_layer (state, 2);
  hl_view_state_set_heads (state, &heads);
  if (combines)
    hl_view_state_set_option (state, combine, HL_COMBINE_MEAN);
  g_autoptr (HlLayersData) data = hl_layers_data_new (hl_view_state_get_shown (state));
  g_assert_true (hl_scene_data_read (data, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (hl_layers_data_get_lowest (data, 2), ==, 2);
  g_assert_cmpuint (hl_layers_data_get_lowest (data, 0), ==, 0);
  g_assert_cmpuint (hl_layers_data_get_highest (data), ==, 1);
  g_autofree float *shares = hl_layers_data_trace (data, 2, 0);
  for (gsize key = 0; key < data->n; key++)
    g_assert_cmpfloat (shares[data->n + key], ==, 0);
}

/* Of a sum, which is of no whole, what the sink takes is drawn beside the strongest, as all else is. */
static void
test_sum (void)
{
  g_autoptr (HlViewState) state = make_state (FALSE, TRUE);
  float sum = 0;

  hl_view_state_set_option (state, combine, HL_COMBINE_SUM);
  hl_view_state_set_option (state, combine_over, HL_COMBINE_OVER_ALL);
  g_autoptr (HlLayersData) data = hl_layers_data_new (hl_view_state_get_shown (state));
  g_assert_true (hl_scene_data_read (data, NULL, NULL, NULL));
  g_assert_cmpfloat_with_epsilon (data->layers[0]->greatest, N_LAYERS, 1e-5);
  for (gsize key = 0; key < N; key++)
    sum += hl_layers_data_get_part (data, 0, 4, key);
  g_assert_cmpfloat_with_epsilon (sum, 1, 1e-5);
  g_assert_cmpfloat_with_epsilon (hl_layers_data_get_sunk (data, 0, 4), 1, 1e-5);
}

static guint
count_ink (cairo_surface_t *picture,
           double           left,
           double           right)
{
  guint n = 0;

  for (int x = (int) left; x < right; x++)
    for (int y = 60; y < 400; y++)
      n += test_get_pixel (picture, x, y) != 0;
  return n;
}

/* There are no lines where there is no attention; a token of such a layer says so. */
static void
test_gaps (void)
{
  g_autoptr (HlViewState) state = make_state (TRUE, FALSE);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_LAYERS, state, WIDTH, 400, 1);
  double x[N_LAYERS + 1], y, width, height;

  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  for (guint column = 0; column <= N_LAYERS; column++)
    {
      const HlPick pick = column == 0 ? (HlPick){ HL_PICK_KEY, .key = 2 }
                                      : (HlPick){ HL_PICK_QUERY, .query = 2, .layer = column - 1 };
      const gboolean has_attention = column == 2 || column == 4;
      g_autofree char *text = hl_scene_describe (scene, &pick);

      g_assert_true (hl_scene_locate (scene, &pick, &x[column], &y, &width, &height));
      x[column] += width / 2;
      g_assert_true ((strstr (text, "no attention in this layer") == NULL) == has_attention);
      g_assert_true ((strstr (text, "(mean of 2 heads)") != NULL) == has_attention);
    }
  for (guint layer = 0; layer < N_LAYERS; layer++)
    g_assert_true ((count_ink (picture, x[layer] + 12, x[layer + 1] - 12) > 0) == (layer % 2 == 1));
  g_autofree char *caption = hl_view_state_describe (state);
  g_assert_nonnull (strstr (caption, "as far as there is attention"));
}

/* Whether a token that is pinned has a line to the sink of its layer. */
static gboolean
has_line_to_sink (HlScene *scene)
{
  const HlPick sink = { HL_PICK_KEY, .key = 0 }, token = { HL_PICK_QUERY, .query = 3, .layer = 0 };
  double sink_x, sink_y, token_x, token_y, width, height;
  guint n = 0;

  hl_view_state_set_pinned (hl_scene_get_state (scene), &token);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) overlay = test_draw_part (scene, HL_SCENE_OVERLAY);
  g_assert_true (hl_scene_locate (scene, &sink, &sink_x, &sink_y, &width, &height));
  g_assert_true (hl_scene_locate (scene, &token, &token_x, &token_y, &width, &height));
  const int middle_x = (int) ((sink_x + token_x + width) / 2), middle_y = (int) ((sink_y + token_y + height) / 2);
  for (int i = -2; i <= 2; i++)
    n += test_get_pixel (overlay, middle_x, middle_y + i) != 0;
  return n > 0;
}

/* The sink has a row above the tokens, which is picked at the input; tokens stand where they are picked. */
static void
test_sink (void)
{
  g_autoptr (HlViewState) state = make_state (FALSE, TRUE);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_LAYERS, state, WIDTH, 400, 1);
  const HlPick sink = { HL_PICK_KEY, .key = 0 };
  double x, y, width, height, above = 0;
  HlPick picked;

  test_prepare (scene);
  for (gsize key = 0; key <= N; key++)
    {
      const HlPick pick = { HL_PICK_KEY, .key = key };

      g_assert_true (hl_scene_locate (scene, &pick, &x, &y, &width, &height));
      g_assert_cmpfloat (y, >, above);
      above = y;
      hl_scene_pick (scene, x + width / 2, y + height / 2, &picked);
      g_assert_true (hl_pick_equal (&picked, &pick));
      if (key == 0)
        continue;
      const HlPick query = { HL_PICK_QUERY, .query = key - 1, .layer = 1 };
      double query_y;
      g_assert_true (hl_scene_locate (scene, &query, &x, &query_y, &width, &height));
      g_assert_cmpfloat (query_y, ==, y);
      hl_scene_pick (scene, x + width / 2, y + height / 2, &picked);
      g_assert_true (hl_pick_equal (&picked, &query));
    }
  g_autofree char *text = hl_scene_describe (scene, &sink);
  g_assert_nonnull (strstr (text, "[sink]: "));
  g_assert_null (strstr (text, "key 0"));
  const HlPick token = { HL_PICK_QUERY, .query = 3, .layer = 0 };
  g_autofree char *row = hl_scene_describe (scene, &token);
  g_assert_nonnull (strstr (row, "[sink] 0.50"));

  g_assert_true (has_line_to_sink (scene));
  hl_view_state_set_option (state, threshold, 0.6);
  g_assert_false (has_line_to_sink (scene));
}

/* Of a difference, what a sink takes less is seen as what it takes more is. */
static void
test_difference (void)
{
  const float sunk[] = { 0.25f, 0.75f };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (HlViewState) state = make_state_of (FALSE, TRUE, sunk[i]);
      g_autoptr (HlViewState) other = make_state_of (FALSE, TRUE, sunk[1 - i]);
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_LAYERS, state, WIDTH, 400, 1);

      hl_view_state_set_difference (state, hl_view_state_get_attention (other), &(HlHeadPairing){ -1, -1 });
      g_assert_true (has_line_to_sink (scene));
    }
}

/* In token lines too, tokens stand beside themselves, and the sink above them. */
static void
test_head_view (void)
{
  g_autoptr (HlViewState) state = make_state (FALSE, TRUE);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, WIDTH, 400, 1);
  double x, y, width, height, key_y;

  test_prepare (scene);
  for (gsize token = 0; token < N; token++)
    {
      const HlPick query = { HL_PICK_QUERY, .query = token }, key = { HL_PICK_KEY, .key = token + 1 };
      HlPick picked;

      g_assert_true (hl_scene_locate (scene, &query, &x, &y, &width, &height));
      hl_scene_pick (scene, x + width / 2, y + height / 2, &picked);
      g_assert_true (hl_pick_equal (&picked, &query));
      g_assert_true (hl_scene_locate (scene, &key, &x, &key_y, &width, &height));
      g_assert_cmpfloat (y, ==, key_y);
      hl_scene_pick (scene, x + width / 2, y + height / 2, &picked);
      g_assert_true (hl_pick_equal (&picked, &key));
    }
  g_autofree char *caption = hl_view_state_describe (state);
  g_assert_nonnull (strstr (caption, "[sink]: what a learned sink takes of each row"));
  g_autofree char *cell = hl_scene_describe (scene, &(HlPick){ HL_PICK_CELL, .query = 2, .key = 0 });
  g_assert_nonnull (strstr (cell, "[sink] 0.50"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/layers-gaps/trace", GUINT_TO_POINTER (0), test_trace);
  g_test_add_data_func ("/layers-gaps/trace/gaps", GUINT_TO_POINTER (1), test_trace);
  g_test_add_data_func ("/layers-gaps/trace/sinks", GUINT_TO_POINTER (2), test_trace);
  g_test_add_data_func ("/layers-gaps/trace/both", GUINT_TO_POINTER (3), test_trace);
  g_test_add_data_func ("/layers-gaps/few-heads", GUINT_TO_POINTER (FALSE), test_few_heads);
  g_test_add_data_func ("/layers-gaps/few-heads/mean", GUINT_TO_POINTER (TRUE), test_few_heads);
  g_test_add_func ("/layers-gaps/gaps", test_gaps);
  g_test_add_func ("/layers-gaps/sink", test_sink);
  g_test_add_func ("/layers-gaps/sum", test_sum);
  g_test_add_func ("/layers-gaps/difference", test_difference);
  g_test_add_func ("/layers-gaps/head-view", test_head_view);
  return g_test_run ();
}
