/* SPDX-License-Identifier: MIT */
/* What is derived of heads, in pictures: the same as of a document that holds those maps, in two colours where numbers have a sign; and what
 * the view state makes of it. */
#include "core/test-attentions.h"
#include "test-scenes.h"

#include "draw/paint/hl-diverging-map.h"

#include <math.h>

#define N_LAYERS 3
#define N_HEADS 4
#define N 24

static const char *const tokens[N + 1] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l",
                                           "m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x" };

static HlHeadSet
make_heads (guint a,
            guint b)
{
  HlHeadSet heads = { { 0 } };

  hl_head_set_add (&heads, a);
  hl_head_set_add (&heads, b);
  return heads;
}

static HlViewState *
make_state (void)
{
  g_autofree float *weights = test_make_weights (11, N_LAYERS * N_HEADS, N, N);

  return test_make_state (N_LAYERS, N_HEADS, N, N, weights, tokens, 0, (HlMask){ 0 });
}

/* A document whose one head is the mean of heads 1 and 3 of layer 2. */
static HlViewState *
make_mean_state (gboolean transposed)
{
  g_autofree float *weights = test_make_weights (11, N_LAYERS * N_HEADS, N, N);
  float *mean = weights;
  g_autofree float *turned = g_new (float, N *N);

  for (gsize i = 0; i < N * N; i++)
    mean[i] = (float) (((double) weights[(2 * N_HEADS + 1) * N * N + i] + weights[(2 * N_HEADS + 3) * N * N + i]) / 2);
  for (gsize i = 0; i < N; i++)
    for (gsize j = 0; j < N; j++)
      turned[i * N + j] = transposed ? mean[j * N + i] : mean[i * N + j];
  return test_make_state (1, 1, N, N, turned, tokens, 0, (HlMask){ 0 });
}

static void
test_same_picture (gconstpointer data)
{
  const HlViewKind kind = GPOINTER_TO_INT (data) % 10;
  const gboolean transposed = GPOINTER_TO_INT (data) >= 10;
  const HlHeadSet heads = make_heads (1, 3);
  const HlPick pick = { HL_PICK_QUERY, .query = 5 };
  g_autoptr (HlViewState) state = make_state ();
  g_autoptr (HlViewState) stored = make_mean_state (transposed);
  HlLayerSet layers = { { 4 } };

  hl_view_state_set_layer (state, 2);
  hl_view_state_set_heads (state, &heads);
  hl_view_state_set_layers (state, &layers);
  hl_view_state_set_option (state, combine, HL_COMBINE_MEAN);
  hl_view_state_set_option (state, combine_over, kind == HL_VIEW_MODEL ? HL_COMBINE_OVER_ALL : HL_COMBINE_OVER_HEADS);
  if (transposed)
    hl_view_state_set_option (state, direction, HL_DIRECTION_TRANSPOSED);
  /* Captions and swatches say other things; here each caption is one line. */
  for (guint focused = 0; focused < 2; focused++)
    {
      g_autoptr (HlScene) scene = test_make_scene (kind, state, 960, 420, 1);
      g_autoptr (HlScene) reference_scene = test_make_scene (kind, stored, 960, 420, 1);
      const HlScenePart part = focused ? HL_SCENE_OVERLAY : HL_SCENE_PICTURE;

      if (focused && kind == HL_VIEW_MODEL)
        break;
      hl_view_state_set_hovered (state, focused ? &pick : NULL);
      hl_view_state_set_hovered (stored, focused ? &pick : NULL);
      test_prepare (scene);
      test_prepare (reference_scene);
      g_autoptr (cairo_surface_t) picture = test_draw_part (scene, part);
      g_autoptr (cairo_surface_t) reference = test_draw_part (reference_scene, part);
      g_assert_false (test_is_blank (picture));
      test_assert_similar ("lens-same", picture, reference, 1, 0.01);
      if (!transposed && kind != HL_VIEW_MODEL)
        {
          g_autofree char *said = hl_scene_describe (scene, &pick);
          g_autofree char *expected = hl_scene_describe (reference_scene, &pick);
          g_assert_cmpstr (said, ==, expected);
        }
    }
}

/* Every cell of A − Aᵀ has the colour that its number has on a scale with zero in the middle. */
static void
test_asymmetry_heatmap (void)
{
  g_autoptr (HlViewState) state = make_state ();
  g_autofree float *weights = test_make_weights (11, N_LAYERS * N_HEADS, N, N);
  double limit = 0;

  hl_view_state_set_option (state, direction, HL_DIRECTION_ASYMMETRY);
  for (guint dark = 0; dark < 2; dark++)
    {
      hl_view_state_set_option (state, dark, dark > 0);
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 640, 560, 1);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
      for (gsize i = 0; i < N * N; i++)
        limit = MAX (limit, fabsf (weights[i] - weights[i % N * N + i / N]));
      for (gsize i = 0; i < N; i++)
        for (gsize j = 0; j < N; j++)
          {
            const HlPick cell = { HL_PICK_CELL, .query = i, .key = j };
            const guint32 expected =
              hl_diverging_map_lookup (dark > 0, (weights[i * N + j] - weights[j * N + i]) / limit);
            double x, y, width, height;
            g_assert_true (hl_scene_locate (scene, &cell, &x, &y, &width, &height));
            const guint32 found = test_get_pixel (picture, x + 2, y + 2);
            for (guint shift = 0; shift < 24; shift += 8)
              g_assert_cmpint (ABS ((int) (found >> shift & 0xFF) - (int) (expected >> shift & 0xFF)), <=, 2);
          }
    }
}

static int
get_blueness (guint32 pixel)
{
  return (int) (pixel & 0xFF) - (int) (pixel >> 16 & 0xFF);
}

/* Of two tokens one looks at the other more than that one looks back: one line is blue, the other orange. */
static void
test_asymmetry_lines (void)
{
  static const float weights[] = { 0.5f, 0.5f, 0.9f, 0.1f };
  static const char *const two[] = { "a", "b", NULL };
  g_autoptr (HlViewState) state = test_make_state (1, 1, 2, 2, weights, two, 0, (HlMask){ 0 });

  hl_view_state_set_option (state, direction, HL_DIRECTION_ASYMMETRY);
  for (guint focused = 0; focused < 2; focused++)
    for (gsize query = 0; query < 2; query++)
      {
        const HlPick pick = { HL_PICK_QUERY, .query = query };
        double x, y, width, height;
        int found = 0;

        hl_view_state_set_hovered (state, focused ? &pick : NULL);
        g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 480, 300, 1);
        test_prepare (scene);
        g_autoptr (cairo_surface_t) picture = test_draw_part (scene, focused ? HL_SCENE_OVERLAY : HL_SCENE_PICTURE);
        g_assert_true (hl_scene_locate (scene, &pick, &x, &y, &width, &height));
        /* Where its line begins. */
        for (int dx = 0; dx < 24 && found == 0; dx++)
          for (int dy = -3; dy <= 3 && found == 0; dy++)
            {
              const guint32 pixel = test_get_pixel (picture, x + width + 6 + dx, y + height / 2 + dy);
              if (pixel >> 24 > 40)
                found = get_blueness (pixel);
            }
        g_assert_cmpint (found, !=, 0);
        g_assert_true ((found > 0) == (query == 1));
        g_autofree char *said = hl_scene_describe (scene, &pick);
        g_assert_cmpstr (said, ==, query == 0 ? "a (query 0): b −0.40" : "b (query 1): a 0.40");
      }
}

/* Thumbnails have both colours too, as heatmaps and as lines. */
static void
test_asymmetry_thumbnails (void)
{
  g_autoptr (HlViewState) state = make_state ();

  hl_view_state_set_option (state, direction, HL_DIRECTION_ASYMMETRY);
  for (HlThumbnailKind kind = HL_THUMBNAIL_HEATMAP; kind <= HL_THUMBNAIL_LINES; kind++)
    {
      guint n_blue = 0, n_orange = 0;
      hl_view_state_set_option (state, thumbnails, kind);
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_MODEL, state, 480, 420, 1);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
      for (int y = 0; y < 420; y++)
        for (int x = 0; x < 480; x++)
          {
            n_blue += get_blueness (test_get_pixel (picture, x, y)) > 30;
            n_orange += get_blueness (test_get_pixel (picture, x, y)) < -30;
          }
      g_assert_cmpuint (n_blue, >, 200);
      g_assert_cmpuint (n_orange, >, 200);
    }
}

static void
assert_says (HlViewState *state,
             const char  *expected)
{
  g_autofree char *text = hl_view_state_describe (state);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_describe (void)
{
  const HlHeadSet heads = make_heads (0, 2);
  const HlLayerSet layers = { { 6 } };
  g_autoptr (HlViewState) state = make_state ();

  hl_view_state_set_layer (state, 1);
  hl_view_state_set_heads (state, &heads);
  hl_view_state_set_option (state, combine, HL_COMBINE_MEAN);
  assert_says (state, "mean of heads 0, 2 · attention weight · layer 1");
  hl_view_state_set_option (state, view, HL_VIEW_MODEL);
  assert_says (state, "mean of heads 0, 2 · attention weight · 3 layers · each head up to its own maximum");
  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  hl_view_state_set_option (state, combine_over, HL_COMBINE_OVER_LAYERS);
  assert_says (state, "mean of all 3 layers · attention weight · head 0");
  hl_view_state_set_layers (state, &layers);
  hl_view_state_set_option (state, view, HL_VIEW_HEAD_VIEW);
  assert_says (state,
               "mean of layers 1, 2 · attention weight · heads 0, 2 · each pair in the colour of its strongest head");
  hl_view_state_set_option (state, combine, HL_COMBINE_MAX);
  hl_view_state_set_option (state, combine_over, HL_COMBINE_OVER_ALL);
  assert_says (state, "maximum of heads 0, 2 of layers 1, 2 · attention weight");
  hl_view_state_set_option (state, direction, HL_DIRECTION_ASYMMETRY);
  hl_view_state_set_option (state, threshold, 0.1);
  assert_says (state,
               "asymmetry A − Aᵀ, A: maximum of heads 0, 2 of layers 1, 2 · attention weight · weights from 0.1 · "
               "blue above zero, orange below");
  hl_view_state_set_option (state, direction, HL_DIRECTION_TRANSPOSED);
  hl_view_state_set_option (state, combine, HL_COMBINE_NONE);
  hl_view_state_select_no_heads (state);
  assert_says (state, "attention weight, transposed: rows are keys · layer 1 · no heads · weights from 0.1");
}

static void
count (GObject    *object,
       GParamSpec *pspec,
       guint      *n)
{
  (*n)++;
}

/* What is chosen and what is shown are two things, of which each changes when it must and only then. */
static void
test_state (void)
{
  const HlHeadSet heads = make_heads (1, 3);
  g_autoptr (HlViewState) state = make_state ();
  HlAttention *attention = hl_view_state_get_attention (state);
  guint n_sources = 0, n_attentions = 0;

  g_signal_connect (state, "notify::source", G_CALLBACK (count), &n_sources);
  g_signal_connect (state, "notify::shown-attention", G_CALLBACK (count), &n_attentions);
  g_assert_true (hl_view_state_get_shown (state)->attention == attention);
  hl_view_state_go_to (state, 2, 1);
  hl_view_state_set_heads (state, &heads);
  g_assert_cmpuint (hl_view_state_get_shown (state)->layer, ==, 2);
  g_assert_cmpuint (hl_view_state_get_shown (state)->head, ==, 1);
  g_assert_true (hl_head_set_equal (&hl_view_state_get_shown (state)->heads, hl_view_state_get_heads (state)));
  g_assert_cmpuint (n_sources + n_attentions, ==, 0);

  hl_view_state_set_option (state, combine, HL_COMBINE_MEAN);
  g_assert_cmpuint (n_sources, ==, 1);
  g_assert_cmpuint (n_attentions, ==, 1);
  g_assert_true (hl_view_state_get_attention (state) == attention);
  g_assert_cmpuint (hl_view_state_get_head (state), ==, 1);
  g_assert_cmpuint (hl_view_state_get_n_heads (state), ==, N_HEADS);
  g_assert_cmpuint (hl_view_state_get_shown (state)->layer, ==, 2);
  g_assert_cmpuint (hl_view_state_get_shown (state)->head, ==, 0);
  g_assert_cmpuint (hl_view_state_get_shown (state)->n_heads, ==, 1);
  g_assert_cmpuint (hl_head_set_count (&hl_view_state_get_shown (state)->heads), ==, 1);

  /* The maps of all layers are there: another layer is no other source. Other heads are. */
  hl_view_state_set_layer (state, 0);
  g_assert_cmpuint (n_sources, ==, 1);
  hl_view_state_toggle_head (state, 0);
  g_assert_cmpuint (n_sources, ==, 2);
  hl_view_state_select_no_heads (state);
  g_assert_cmpuint (hl_head_set_count (&hl_view_state_get_shown (state)->heads), ==, 0);

  /* Views of how weights are made show how weights are made. */
  hl_view_state_set_option (state, view, HL_VIEW_STEPS);
  g_assert_true (hl_view_state_get_shown (state)->attention == attention);
  g_assert_cmpuint (hl_view_state_get_shown (state)->head, ==, hl_view_state_get_head (state));
  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  g_assert_true (hl_view_state_get_shown (state)->attention != attention);

  hl_view_state_set_option (state, combine, HL_COMBINE_NONE);
  g_assert_true (hl_view_state_get_shown (state)->attention == attention);
}

static void
test_go_to (void)
{
  g_autoptr (HlViewState) state = make_state ();

  hl_view_state_select_all_heads (state);
  hl_view_state_set_option (state, combine, HL_COMBINE_MAX);
  hl_view_state_go_to_shown (state, 2, 0);
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 2);
  g_assert_cmpuint (hl_head_set_count (hl_view_state_get_heads (state)), ==, N_HEADS);

  hl_view_state_set_option (state, combine_over, HL_COMBINE_OVER_LAYERS);
  hl_view_state_go_to_shown (state, 0, 3);
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 2);
  g_assert_cmpuint (hl_view_state_get_head (state), ==, 3);
  g_assert_cmpuint (hl_head_set_count (hl_view_state_get_heads (state)), ==, 1);

  hl_view_state_set_option (state, combine, HL_COMBINE_NONE);
  hl_view_state_go_to_shown (state, 1, 2);
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 1);
  g_assert_cmpuint (hl_view_state_get_head (state), ==, 2);
}

static void
test_layers (void)
{
  const HlLayerSet none = { { 0 } };
  g_autoptr (HlViewState) state = make_state ();

  g_assert_cmpuint (hl_layer_set_count (hl_view_state_get_layers (state)), ==, N_LAYERS);
  hl_view_state_toggle_layer (state, 0);
  hl_view_state_toggle_layer (state, 2);
  g_assert_cmpuint (hl_layer_set_count (hl_view_state_get_layers (state)), ==, 1);
  hl_view_state_toggle_layer (state, 1); /* the last one stays */
  g_assert_true (hl_layer_set_contains (hl_view_state_get_layers (state), 1));
  hl_view_state_set_layers (state, &none);
  g_assert_cmpuint (hl_layer_set_count (hl_view_state_get_layers (state)), ==, N_LAYERS);
}

/* A pin stays with its token when rows and columns change over. */
static void
test_pins (void)
{
  const HlPick query = { HL_PICK_QUERY, .query = 7 };
  const HlPick cell = { HL_PICK_CELL, .query = 3, .key = 9 };
  g_autoptr (HlViewState) state = make_state ();

  hl_view_state_set_pinned (state, &query);
  hl_view_state_set_option (state, direction, HL_DIRECTION_TRANSPOSED);
  g_assert_cmpint (hl_view_state_get_pinned (state)->kind, ==, HL_PICK_KEY);
  g_assert_cmpuint (hl_view_state_get_pinned (state)->key, ==, 7);
  hl_view_state_set_option (state, combine, HL_COMBINE_MEAN);
  g_assert_cmpint (hl_view_state_get_pinned (state)->kind, ==, HL_PICK_KEY);
  hl_view_state_set_option (state, direction, HL_DIRECTION_ASYMMETRY);
  g_assert_true (hl_pick_equal (hl_view_state_get_pinned (state), &query));
  hl_view_state_set_pinned (state, &cell);
  hl_view_state_set_option (state, direction, HL_DIRECTION_TRANSPOSED);
  g_assert_cmpuint (hl_view_state_get_pinned (state)->query, ==, 9);
  g_assert_cmpuint (hl_view_state_get_pinned (state)->key, ==, 3);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/lens-views/same-picture/head-view", GINT_TO_POINTER (HL_VIEW_HEAD_VIEW), test_same_picture);
  g_test_add_data_func ("/lens-views/same-picture/heatmap", GINT_TO_POINTER (HL_VIEW_HEATMAP), test_same_picture);
  g_test_add_data_func ("/lens-views/same-picture/model-view", GINT_TO_POINTER (HL_VIEW_MODEL), test_same_picture);
  g_test_add_data_func ("/lens-views/same-picture/head-view-transposed", GINT_TO_POINTER (10 + HL_VIEW_HEAD_VIEW),
                        test_same_picture);
  g_test_add_data_func ("/lens-views/same-picture/heatmap-transposed", GINT_TO_POINTER (10 + HL_VIEW_HEATMAP),
                        test_same_picture);
  g_test_add_func ("/lens-views/asymmetry-heatmap", test_asymmetry_heatmap);
  g_test_add_func ("/lens-views/asymmetry-lines", test_asymmetry_lines);
  g_test_add_func ("/lens-views/asymmetry-thumbnails", test_asymmetry_thumbnails);
  g_test_add_func ("/lens-views/describe", test_describe);
  g_test_add_func ("/lens-views/state", test_state);
  g_test_add_func ("/lens-views/go-to", test_go_to);
  g_test_add_func ("/lens-views/layers", test_layers);
  g_test_add_func ("/lens-views/pins", test_pins);
  return g_test_run ();
}
