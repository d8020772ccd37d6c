/* SPDX-License-Identifier: MIT */
/* All layers: the lines of each against plain strokes, picks against places, and shares against products of the matrices. */
#include "test-scenes.h"

#include <string.h>

#include "core/test-blocks.h"
#include "draw/hl-layers-data.h"
#include "draw/hl-palette.h"

#define N 9
#define N_LAYERS 3
/* Between the middle of a column and lines. */
#define COLUMN_PAD 6

static HlPick
get_token (guint column,
           gsize token)
{
  return column == 0 ? (HlPick){ HL_PICK_KEY, .key = token } : (HlPick){ HL_PICK_QUERY, .query = token, .layer = column - 1 };
}

static void
locate (HlScene *scene,
        guint    column,
        gsize    token,
        double  *x,
        double  *y)
{
  const HlPick pick = get_token (column, token);
  double width, height;

  g_assert_true (hl_scene_locate (scene, &pick, x, y, &width, &height));
  *x += width / 2;
  *y += height / 2;
}

static HlScene *
make_scene (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (N_LAYERS, 2, N);

  hl_view_state_set_view (state, HL_VIEW_LAYERS);
  hl_view_state_select_all_heads (state);
  return test_make_scene (HL_VIEW_LAYERS, state, 640, 400, 1);
}

static void
test_lines (void)
{
  g_autoptr (HlScene) scene = make_scene ();
  HlAttentionSource *source = hl_view_state_get_source (hl_scene_get_state (scene));
  double x, y, x_end, y_end, next;

  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  g_autoptr (cairo_surface_t) reference = test_make_surface (scene);
  g_autoptr (cairo_t) cr = cairo_create (reference);
  g_autoptr (cairo_t) on_picture = cairo_create (picture);
  locate (scene, 0, 0, &x, &y);
  locate (scene, 0, 1, &x, &next);
  cairo_set_line_width (cr, CLAMP ((next - y) * 0.09, 0.4, 2));
  for (guint layer = 0; layer < N_LAYERS; layer++)
    for (guint head = 0; head < 2; head++)
      {
        const HlColour colour = hl_palette_get_head_colour (head, FALSE);
        g_autofree float *weights = hl_attention_source_read_head (source, layer, head, NULL, NULL);

        for (gsize i = 0; i < N; i++)
          for (gsize j = 0; j < N; j++)
            {
              locate (scene, layer, j, &x, &y);
              locate (scene, layer + 1, i, &x_end, &y_end);
              cairo_set_source_rgba (cr, colour.r, colour.g, colour.b, weights[i * N + j] / 2);
              cairo_move_to (cr, x + COLUMN_PAD, y);
              cairo_line_to (cr, x_end - COLUMN_PAD, y_end);
              cairo_stroke (cr);
            }
      }
  g_assert_false (test_is_blank (picture));
  /* Steep strokes end some pixels beyond or before the edge, where the raster ends all at the same abscissa. */
  for (guint column = 0; column <= N_LAYERS; column++)
    {
      locate (scene, column, 0, &x, &y);
      for (guint side = 0; side < 2; side++)
        {
          cairo_t *target = side == 0 ? cr : on_picture;
          cairo_set_operator (target, CAIRO_OPERATOR_CLEAR);
          cairo_rectangle (target, x - COLUMN_PAD - 4, 0, 2 * COLUMN_PAD + 8, 400);
          cairo_fill (target);
        }
    }
  test_assert_similar ("layers", picture, reference, 14, 0.6);
}

static void
test_pick (void)
{
  g_autoptr (HlScene) scene = make_scene ();
  HlPick picked;
  double x, y, last = 0;

  test_prepare (scene);
  for (guint column = 0; column <= N_LAYERS; column++)
    {
      for (gsize token = 0; token < N; token++)
        {
          const HlPick pick = get_token (column, token);
          g_autofree char *text = NULL;

          locate (scene, column, token, &x, &y);
          hl_scene_pick (scene, x, y, &picked);
          g_assert_true (hl_pick_equal (&picked, &pick));
          text = hl_scene_describe (scene, &pick);
          g_assert_nonnull (strstr (text, column == 0 ? "input · " : "layer "));
          g_assert_nonnull (strstr (text, "(mean of 2 heads)"));
        }
      g_assert_cmpfloat (x, >, last);
      last = x;
    }
}

/* A token that is pinned elsewhere stays pinned in the layer that is shown, and the other way round. */
static void
test_pin (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (N_LAYERS, 2, N);
  const HlPick pick = { HL_PICK_QUERY, .query = 4 };

  hl_view_state_set_layer (state, 2);
  hl_view_state_set_pinned (state, &pick);
  hl_view_state_set_view (state, HL_VIEW_LAYERS);
  g_assert_cmpuint (hl_view_state_get_pinned (state)->layer, ==, 2);
  g_assert_cmpuint (hl_view_state_get_pinned (state)->query, ==, 4);
  hl_view_state_set_view (state, HL_VIEW_HEAD_VIEW);
  g_assert_true (hl_pick_equal (hl_view_state_get_pinned (state), &pick));
}

static void
test_trace (void)
{
  g_autoptr (HlScene) scene = make_scene ();
  HlViewState *state = hl_scene_get_state (scene);
  HlAttentionSource *source = hl_view_state_get_source (state);
  g_autoptr (HlLayersData) data = hl_layers_data_new (state);
  double shares[N] = { 0 };

  g_assert_true (hl_layers_data_read (data, NULL, NULL, NULL));
  g_autofree float *traced = hl_layers_data_trace (data, 2, 5);
  shares[5] = 1;
  for (guint layer = 3; layer-- > 0;)
    {
      g_autofree float *first = hl_attention_source_read_head (source, layer, 0, NULL, NULL);
      g_autofree float *second = hl_attention_source_read_head (source, layer, 1, NULL, NULL);
      double below[N] = { 0 };

      for (gsize i = 0; i < N; i++)
        for (gsize j = 0; j < N; j++)
          below[j] += shares[i] * ((double) first[i * N + j] + second[i * N + j]) / 2;
      for (gsize j = 0; j < N; j++)
        {
          g_assert_cmpfloat_with_epsilon (traced[layer * N + j], below[j], 1e-6);
          shares[j] = below[j];
        }
    }
}

/* Queries that are no keys cannot be joined: nothing is drawn, and nothing is found. */
static void
test_not_square (void)
{
  g_autofree float *weights = test_make_attention (1, 1, 4, 6);
  const char *tokens[] = { "a", "b", "c", "d", "e", "f", NULL };
  g_autoptr (HlViewState) state = test_make_state (1, 1, 4, 6, weights, tokens, 0, (HlMask){ 0 });
  HlPick picked;

  hl_view_state_set_view (state, HL_VIEW_LAYERS);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_LAYERS, state, 500, 300, 1);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_true (test_is_blank (picture));
  hl_scene_pick (scene, 250, 120, &picked);
  g_assert_cmpint (picked.kind, ==, HL_PICK_NONE);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layers/lines", test_lines);
  g_test_add_func ("/layers/pick", test_pick);
  g_test_add_func ("/layers/pin", test_pin);
  g_test_add_func ("/layers/trace", test_trace);
  g_test_add_func ("/layers/not-square", test_not_square);
  return g_test_run ();
}
