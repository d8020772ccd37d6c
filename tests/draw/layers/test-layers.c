/* SPDX-License-Identifier: MIT */
/* All layers: the lines of each against plain strokes, picks against places, and shares against products of the matrices. */
#include "test-scenes.h"

#include <math.h>
#include <string.h>

#include "core/test-attentions.h"
#include "draw/layers/hl-layers-data.h"
#include "draw/paint/hl-palette.h"

#define N 9
#define N_LAYERS 3
/* Between the middle of a column and lines. */
#define COLUMN_PAD 6

static HlPick
get_token (guint column,
           gsize token)
{
  return column == 0 ? (HlPick){ HL_PICK_KEY, .key = token }
                     : (HlPick){ HL_PICK_QUERY, .query = token, .layer = column - 1 };
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
make_scene (HlReading reading,
            double    width)
{
  g_autoptr (HlViewState) state = test_make_random_state (N_LAYERS, 2, N);

  hl_view_state_set_option (state, view, HL_VIEW_LAYERS);
  hl_view_state_set_option (state, reading, reading);
  hl_view_state_select_all_heads (state);
  return test_make_scene (HL_VIEW_LAYERS, state, width, 400, 1);
}

static void
test_lines (gconstpointer data)
{
  const HlReading reading = GPOINTER_TO_INT (data);
  const double pad = reading == HL_READING_RIGHT_TO_LEFT ? -COLUMN_PAD : COLUMN_PAD;
  g_autoptr (HlScene) scene = make_scene (reading, 640);
  HlAttentionSource *source = hl_view_state_get_shown (hl_scene_get_state (scene))->source;
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
    {
      g_autofree float *first = hl_attention_source_read_head (source, layer, 0, NULL, NULL);
      g_autofree float *second = hl_attention_source_read_head (source, layer, 1, NULL, NULL);
      float greatest = 0;

      for (gsize i = 0; i < N * N; i++)
        greatest = MAX (greatest, MAX (first[i], second[i]));
      /* Each pair in the colour of its strongest head. */
      for (guint head = 0; head < 2; head++)
        for (gsize i = 0; i < N; i++)
          for (gsize j = 0; j < N; j++)
            {
              const HlColour colour = hl_palette_get_head_colour (head, FALSE);
              const float weight = MAX (first[i * N + j], second[i * N + j]);

              if ((second[i * N + j] > first[i * N + j]) != (head == 1))
                continue;
              locate (scene, layer, j, &x, &y);
              locate (scene, layer + 1, i, &x_end, &y_end);
              cairo_set_source_rgba (cr, colour.r, colour.g, colour.b, weight / greatest);
              cairo_move_to (cr, x + pad, y);
              cairo_line_to (cr, x_end - pad, y_end);
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
  test_assert_similar (pad < 0 ? "layers-rtl" : "layers", picture, reference, 24, 0.8);
}

/* However steep, no line is above the first row or below the last. */
static void
test_steep (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_READING_LEFT_TO_RIGHT, 260);
  double x, first, last, x_end;
  guint n_between = 0;

  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  locate (scene, 0, 0, &x, &first);
  locate (scene, N_LAYERS, N - 1, &x_end, &last);
  g_assert_cmpfloat ((x_end - x) / N_LAYERS, <, (last - first) / 4);
  for (int column = (int) x; column < x_end; column++)
    for (int row = 0; row < 400; row++)
      if (row < first - 4 || row > last + 4)
        g_assert_cmphex (test_get_pixel (picture, column, row), ==, 0);
      else
        n_between += test_get_pixel (picture, column, row) != 0;
  g_assert_cmpuint (n_between, >, 0);
}

static void
test_pick (gconstpointer data)
{
  const HlReading reading = GPOINTER_TO_INT (data);
  g_autoptr (HlScene) scene = make_scene (reading, 640);
  HlPick picked;
  double x, y, last = reading == HL_READING_RIGHT_TO_LEFT ? -640 : 0;

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
      if (reading == HL_READING_RIGHT_TO_LEFT)
        x = -x;
      g_assert_cmpfloat (x, >, last);
      last = x;
    }
}

static gboolean
has_ink (cairo_surface_t *picture,
         double           x,
         double           y,
         double           width,
         double           height)
{
  for (double j = y; j < y + height; j++)
    for (double i = x; i < x + width; i++)
      if ((test_get_pixel (picture, i, j) & 0xFF) < 0x80)
        return TRUE;
  return FALSE;
}

/* Read from the right, everything is on the other side: lines, the labels at both ends, and the sources of a token. */
static void
test_mirrored (void)
{
  const HlPick pick = { HL_PICK_QUERY, .query = 4, .layer = 2 };
  g_autoptr (HlScene) scene = make_scene (HL_READING_LEFT_TO_RIGHT, 640);
  g_autoptr (HlScene) other = make_scene (HL_READING_RIGHT_TO_LEFT, 640);

  hl_view_state_set_pinned (hl_scene_get_state (scene), &pick);
  hl_view_state_set_pinned (hl_scene_get_state (other), &pick);
  test_prepare (scene);
  test_prepare (other);
  for (HlScenePart part = HL_SCENE_PICTURE; part <= HL_SCENE_OVERLAY; part++)
    {
      g_autoptr (cairo_surface_t) picture = test_draw_part (scene, part);
      g_autoptr (cairo_surface_t) from_right = test_draw_part (other, part);
      g_autoptr (cairo_surface_t) mirrored = test_make_surface (scene);
      g_autoptr (cairo_t) cr = cairo_create (mirrored);

      g_autoptr (cairo_t) on_picture = cairo_create (picture);
      double first, last, y;

      g_assert_false (test_is_blank (picture));
      cairo_translate (cr, 640, 0);
      cairo_scale (cr, -1, 1);
      cairo_set_source_surface (cr, from_right, 0, 0);
      cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
      cairo_paint (cr);
      /* Letters are not mirrored. */
      cairo_identity_matrix (cr);
      locate (scene, 0, 0, &first, &y);
      locate (scene, N_LAYERS, 0, &last, &y);
      for (guint i = 0; i < 2; i++)
        {
          cairo_t *target = i == 0 ? cr : on_picture;
          cairo_set_operator (target, CAIRO_OPERATOR_CLEAR);
          cairo_rectangle (target, 0, 0, first - 8, 400);
          cairo_rectangle (target, last + 8, 0, 640 - last - 8, 400);
          cairo_fill (target);
        }
      test_assert_similar (part == HL_SCENE_PICTURE ? "layers-mirrored" : "layers-mirrored-focus", mirrored, picture,
                           24, 0.6);
    }

  for (guint i = 0; i < 2; i++)
    {
      HlScene *one = i == 0 ? scene : other;
      g_autoptr (cairo_surface_t) backdrop = test_draw_part (one, HL_SCENE_BACKDROP);
      double input, end, y;

      locate (one, 0, 1, &input, &y);
      locate (one, N_LAYERS, 1, &end, &y);
      g_assert_true ((input < end) == (i == 0));
      g_assert_true (has_ink (backdrop, MIN (input, end) - 30, y - 6, 24, 12));
      g_assert_true (has_ink (backdrop, MAX (input, end) + 6, y - 6, 24, 12));
    }
}

/* Where not all layers are in view, those next to the input are seen first, on the side where reading begins. */
static void
test_scroll (gconstpointer data)
{
  const HlReading reading = GPOINTER_TO_INT (data);
  g_autoptr (HlScene) scene = make_scene (reading, 120);
  const gboolean from_right = reading == HL_READING_RIGHT_TO_LEFT;
  double width, height, x, y, scroll_x;

  hl_scene_measure (scene, &width, &height);
  g_assert_cmpfloat (width, >, 120);
  for (guint i = 0; i < 2; i++)
    {
      hl_scene_get_scroll (scene, &scroll_x, NULL);
      g_assert_cmpfloat (scroll_x, ==, from_right ? width - 120 : 0);
      locate (scene, 0, 0, &x, &y);
      g_assert_true (x > 0 && x < 120 && (x > 60) == from_right);
      locate (scene, N_LAYERS, 0, &x, &y);
      g_assert_true (x < 0 || x > 120);

      hl_scene_set_scroll (scene, from_right ? 0 : width, 0);
      locate (scene, N_LAYERS, 0, &x, &y);
      g_assert_true (x > 0 && x < 120 && (x < 60) == from_right);
      hl_scene_fit (scene);
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
  hl_view_state_set_option (state, view, HL_VIEW_LAYERS);
  g_assert_cmpuint (hl_view_state_get_pinned (state)->layer, ==, 2);
  g_assert_cmpuint (hl_view_state_get_pinned (state)->query, ==, 4);
  hl_view_state_set_option (state, view, HL_VIEW_HEAD_VIEW);
  g_assert_true (hl_pick_equal (hl_view_state_get_pinned (state), &pick));

  const HlPick pair = { HL_PICK_CELL, .query = 4, .key = 1 };
  hl_view_state_set_pinned (state, &pair);
  hl_view_state_set_option (state, view, HL_VIEW_LAYERS);
  g_assert_cmpuint (hl_view_state_get_pinned (state)->layer, ==, 2);
  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  g_assert_true (hl_pick_equal (hl_view_state_get_pinned (state), &pair));
}

static void
test_trace (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_READING_AUTO, 640);
  HlViewState *state = hl_scene_get_state (scene);
  HlAttentionSource *source = hl_view_state_get_shown (state)->source;
  g_autoptr (HlLayersData) data = hl_layers_data_new (hl_view_state_get_shown (state));
  double shares[N] = { 0 };

  g_assert_true (hl_scene_data_read (data, NULL, NULL, NULL));
  g_autofree float *traced = hl_layers_data_trace (data, 2, 5);
  shares[5] = 1;
  for (guint layer = 3; layer-- > 0;)
    {
      g_autofree float *first = hl_attention_source_read_head (source, layer, 0, NULL, NULL);
      g_autofree float *second = hl_attention_source_read_head (source, layer, 1, NULL, NULL);
      double below[N] = { 0 };

      for (gsize i = 0; i < N; i++)
        for (gsize j = 0; j < N; j++)
          below[j] += shares[i] * (((double) first[i * N + j] + second[i * N + j]) / 2 + (i == j)) / 2;
      for (gsize j = 0; j < N; j++)
        {
          g_assert_cmpfloat_with_epsilon (traced[layer * N + j], below[j], 1e-6);
          shares[j] = below[j];
        }
    }
}

/* What comes to a token from one of the input is what it is made of, however it is asked for. */
static void
test_trace_up (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_READING_AUTO, 640);
  HlViewState *state = hl_scene_get_state (scene);
  g_autoptr (HlLayersData) data = hl_layers_data_new (hl_view_state_get_shown (state));

  g_assert_true (hl_scene_data_read (data, NULL, NULL, NULL));
  g_assert_cmpuint (hl_layers_data_get_highest (data), ==, N_LAYERS);
  for (gsize key = 0; key < N; key++)
    {
      g_autofree float *up = hl_layers_data_trace_up (data, key);
      for (guint layer = 0; layer < N_LAYERS; layer++)
        for (gsize query = 0; query < N; query++)
          {
            g_autofree float *traced = hl_layers_data_trace (data, layer, query);
            g_assert_cmpfloat_with_epsilon (up[(layer + 1) * N + query], traced[key], 1e-6);
          }
    }
}

/* The share of a token from the input on: row @query of rollout, however it is asked for, and nothing below the layer that it begins with. */
static void
test_rollout (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_READING_AUTO, 640);
  HlViewState *state = hl_scene_get_state (scene);

  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  hl_view_state_set_option (state, quantity, HL_QUANTITY_ROLLOUT);
  for (guint first = 0; first < 2; first++)
    {
      hl_view_state_set_option (state, rollout_from, first);
      g_autofree float *rollout =
        hl_attention_source_read_head (hl_view_state_get_shown (state)->source, 2, 0, NULL, NULL);

      for (HlQuantity quantity = 0; quantity < HL_N_QUANTITIES; quantity++)
        {
          if (quantity != HL_QUANTITY_ROLLOUT && quantity != HL_QUANTITY_FLOW && first > 0)
            continue;
          hl_view_state_set_option (state, view, HL_VIEW_LAYERS);
          hl_view_state_set_option (state, quantity, quantity);
          g_autoptr (HlLayersData) data = hl_layers_data_new (hl_view_state_get_shown (state));
          g_assert_true (hl_scene_data_read (data, NULL, NULL, NULL));
          g_autofree float *traced = hl_layers_data_trace (data, 2, 5);
          g_autofree char *caption = hl_view_state_describe (state);
          for (gsize key = 0; key < N; key++)
            {
              g_assert_cmpfloat_with_epsilon (traced[first * N + key], rollout[5 * N + key], 1e-6);
              g_assert_true (first == 0 || traced[key] == 0);
            }
          g_assert_nonnull (
            strstr (caption, first == 0 ? "a token: its rollout, with" : "a token: its rollout from layer 1 on, with"));
        }
      hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
      hl_view_state_set_option (state, quantity, HL_QUANTITY_ROLLOUT);
    }
}

/*
 * Only of what is a part of each row is a product a share, and only where the rows of a layer are the columns of the next:
 * nothing else is followed, or said to be, nor is rollout said to be shown.
 */
static void
test_followed (void)
{
  const struct
  {
    HlQuantity quantity;
    HlCombine combine;
    HlDirection direction;
    HlLayersFollow follow;
    HlCombineOver over;
  } cases[] = {
    { HL_QUANTITY_WEIGHT, HL_COMBINE_NONE, HL_DIRECTION_AS_IS, HL_LAYERS_FOLLOW_WEIGHTS },
    { HL_QUANTITY_WEIGHT, HL_COMBINE_MEAN, HL_DIRECTION_AS_IS, HL_LAYERS_FOLLOW_WEIGHTS },
    { HL_QUANTITY_WEIGHT, HL_COMBINE_MAX, HL_DIRECTION_AS_IS, HL_LAYERS_FOLLOW_NOTHING },
    { HL_QUANTITY_WEIGHT, HL_COMBINE_SUM, HL_DIRECTION_AS_IS, HL_LAYERS_FOLLOW_NOTHING },
    { HL_QUANTITY_WEIGHT, HL_COMBINE_NONE, HL_DIRECTION_TRANSPOSED, HL_LAYERS_FOLLOW_NOTHING },
    { HL_QUANTITY_WEIGHT, HL_COMBINE_NONE, HL_DIRECTION_ASYMMETRY, HL_LAYERS_FOLLOW_NOTHING },
    { HL_QUANTITY_RESIDUAL, HL_COMBINE_NONE, HL_DIRECTION_AS_IS, HL_LAYERS_FOLLOW_RESIDUAL },
    { HL_QUANTITY_RESIDUAL, HL_COMBINE_MEAN, HL_DIRECTION_AS_IS, HL_LAYERS_FOLLOW_RESIDUAL },
    { HL_QUANTITY_RESIDUAL, HL_COMBINE_SUM, HL_DIRECTION_AS_IS, HL_LAYERS_FOLLOW_NOTHING },
    { HL_QUANTITY_ROLLOUT, HL_COMBINE_NONE, HL_DIRECTION_AS_IS, HL_LAYERS_FOLLOW_RESIDUAL },
    { HL_QUANTITY_ROLLOUT, HL_COMBINE_SUM, HL_DIRECTION_AS_IS, HL_LAYERS_FOLLOW_RESIDUAL },
    { HL_QUANTITY_ROLLOUT, HL_COMBINE_NONE, HL_DIRECTION_TRANSPOSED, HL_LAYERS_FOLLOW_NOTHING },
    { HL_QUANTITY_WEIGHT, HL_COMBINE_MEAN, HL_DIRECTION_AS_IS, HL_LAYERS_FOLLOW_NOTHING, HL_COMBINE_OVER_LAYERS },
    { HL_QUANTITY_WEIGHT, HL_COMBINE_MEAN, HL_DIRECTION_AS_IS, HL_LAYERS_FOLLOW_NOTHING, HL_COMBINE_OVER_ALL },
    { HL_QUANTITY_RESIDUAL, HL_COMBINE_MEAN, HL_DIRECTION_AS_IS, HL_LAYERS_FOLLOW_NOTHING, HL_COMBINE_OVER_ALL },
    { HL_QUANTITY_ROLLOUT, HL_COMBINE_MEAN, HL_DIRECTION_AS_IS, HL_LAYERS_FOLLOW_NOTHING, HL_COMBINE_OVER_LAYERS },
  };
  g_autoptr (HlScene) scene = make_scene (HL_READING_AUTO, 640);
  HlViewState *state = hl_scene_get_state (scene);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      hl_view_state_set_option (state, quantity, cases[i].quantity);
      hl_view_state_set_option (state, combine, cases[i].combine);
      hl_view_state_set_option (state, combine_over, cases[i].over);
      hl_view_state_set_option (state, direction, cases[i].direction);
      const HlShown *shown = hl_view_state_get_shown (state);
      g_autoptr (HlLayersData) data = hl_layers_data_new (shown);
      g_autofree char *caption = hl_view_state_describe (state);
      const gboolean follows = cases[i].follow != HL_LAYERS_FOLLOW_NOTHING;

      g_test_message ("%s", caption);
      g_assert_cmpint (data->follow, ==, cases[i].follow);
      g_assert_cmpint (strstr (caption, "a token: its rollout") != NULL, ==, follows);
      g_assert_cmpint (strstr (caption, "“Rollout” only in other views") != NULL, ==,
                       cases[i].quantity == HL_QUANTITY_ROLLOUT && !follows);
      g_autofree char *said = hl_scene_describe (scene, &(HlPick){ HL_PICK_QUERY, .query = 5 });
      g_assert_cmpint (g_str_has_prefix (said, "layer 0 · "), ==, !shown->merges_layers);
      g_assert_cmpint (hl_layers_data_get_lowest (data, data->n_layers - 1), ==, follows ? 0 : data->n_layers - 1);
    }
}

/*
 * Scores of a file are no parts of a 1, beside which there would be next to nothing of what the residual connection keeps: they
 * are seen beside the strongest, however little that is.
 */
static void
check_scores (float scale)
{
  g_autofree float *numbers = g_new (float, N *N);
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  for (gsize i = 0; i < N * N; i++)
    numbers[i] = (1 + i) * scale;
  g_ptr_array_add (attentions, test_make_attention_of ("score", 1, N, N, numbers));
  g_autoptr (HlExample) example = hl_example_new (NULL, NULL, NULL, attentions, checks);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  hl_view_state_set_option (state, view, HL_VIEW_LAYERS);
  g_autoptr (HlLayersData) data = hl_layers_data_new (hl_view_state_get_shown (state));
  g_autofree char *caption = hl_view_state_describe (state);

  g_assert_cmpint (data->follow, ==, HL_LAYERS_FOLLOW_NOTHING);
  g_assert_null (strstr (caption, "rollout"));
  g_assert_true (hl_scene_data_read (data, NULL, NULL, NULL));
  g_autofree float *traced = hl_layers_data_trace (data, 0, 5);
  g_autofree float *up = hl_layers_data_trace_up (data, 2);
  const float greatest = scale > 0 ? numbers[N * N - 1] : 1;
  for (gsize i = 0; i < N; i++)
    {
      g_assert_cmpfloat_with_epsilon (traced[i], numbers[5 * N + i] / greatest, 1e-6);
      g_assert_cmpfloat_with_epsilon (up[N + i], numbers[i * N + 2] / greatest, 1e-6);
      g_assert_cmpfloat_with_epsilon (hl_layers_data_get_part (data, 0, 5, i), traced[i], 1e-6);
    }
}

static void
test_scores (void)
{
  check_scores (1);
  check_scores (1e-6f);
  check_scores (0);
}

/* What is infinite is no part of a share: the others keep theirs. Where nothing is followed, it is seen as it is. */
static void
test_infinite (void)
{
  enum
  {
    N_TOKENS = 4
  };
  const HlQuantity quantities[] = { HL_QUANTITY_WEIGHT, HL_QUANTITY_RESIDUAL, HL_QUANTITY_ROLLOUT };
  const char *names[] = { "p", "q", "r", "s", NULL };
  float weights[2 * N_TOKENS * N_TOKENS];

  for (gsize i = 0; i < G_N_ELEMENTS (weights); i++)
    weights[i] = 0.25f;
  weights[3 * N_TOKENS] = weights[(N_TOKENS + 3) * N_TOKENS] = INFINITY;
  g_autoptr (HlViewState) state = test_make_state (2, 1, N_TOKENS, N_TOKENS, weights, names, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_LAYERS, state, 640, 400, 1);
  for (guint i = 0; i < G_N_ELEMENTS (quantities); i++)
    {
      hl_view_state_set_option (state, quantity, quantities[i]);
      g_autoptr (HlLayersData) data = hl_layers_data_new (hl_view_state_get_shown (state));
      g_assert_true (hl_scene_data_read (data, NULL, NULL, NULL));
      g_autofree float *traced = hl_layers_data_trace (data, 1, 3);
      float sum = 0;

      for (gsize key = 0; key < N_TOKENS; key++)
        {
          g_autofree float *up = hl_layers_data_trace_up (data, key);
          const float part = key == 0 ? 0 : (key == 3 ? 1.25f : 0.25f) / 1.75f;

          g_assert_cmpfloat_with_epsilon (traced[N_TOKENS + key], part, 1e-6);
          g_assert_cmpfloat_with_epsilon (hl_layers_data_get_part (data, 1, 3, key), part, 1e-6);
          g_assert_cmpfloat_with_epsilon (up[2 * N_TOKENS + 3], traced[key], 1e-6);
          sum += traced[key];
        }
      g_assert_cmpfloat_with_epsilon (sum, 1, 1e-6);
    }

  hl_view_state_set_option (state, quantity, HL_QUANTITY_WEIGHT);
  test_prepare (scene);
  g_autofree char *text = hl_scene_describe (scene, &(HlPick){ HL_PICK_QUERY, .query = 3, .layer = 1 });
  g_assert_nonnull (strstr (text, ": p ∞, q 0.25"));
  hl_view_state_set_option (state, direction, HL_DIRECTION_TRANSPOSED);
  g_autoptr (HlLayersData) data = hl_layers_data_new (hl_view_state_get_shown (state));
  g_assert_true (hl_scene_data_read (data, NULL, NULL, NULL));
  g_autofree float *traced = hl_layers_data_trace (data, 1, 0);
  g_autofree float *up = hl_layers_data_trace_up (data, 1);
  g_assert_cmpfloat (traced[N_TOKENS + 1], ==, 0.25f);
  g_assert_cmpfloat (traced[N_TOKENS + 3], ==, INFINITY);
  g_assert_cmpfloat (up[N_TOKENS], ==, 0.25f);
}

/* How many pixels of the overlay are drawn halfway between the column and the next. */
static guint
count_between (HlScene *scene,
               guint    column)
{
  double x, y, next;
  guint n = 0;

  test_prepare (scene);
  g_autoptr (cairo_surface_t) overlay = test_draw_part (scene, HL_SCENE_OVERLAY);
  locate (scene, column, 0, &x, &y);
  locate (scene, column + 1, 0, &next, &y);
  for (int row = 0; row < 400; row++)
    n += test_get_pixel (overlay, (x + next) / 2, row) != 0;
  return n;
}

static gboolean
is_left (const HlHeadViewData *layer,
         gsize                 cell)
{
  for (guint head = 0; head < layer->n_heads; head++)
    if (hl_head_view_data_get_map (layer, head)[cell] != 0)
      return TRUE;
  return FALSE;
}

/* Shares are of all weights, whatever a filter leaves. Numbers that are not followed are as they are where something is left of them. */
static void
test_filter (void)
{
  const struct
  {
    HlQuantity quantity;
    HlDirection direction;
  } cases[] = { { HL_QUANTITY_WEIGHT, HL_DIRECTION_AS_IS },
                { HL_QUANTITY_RESIDUAL, HL_DIRECTION_AS_IS },
                { HL_QUANTITY_ROLLOUT, HL_DIRECTION_AS_IS },
                { HL_QUANTITY_WEIGHT, HL_DIRECTION_TRANSPOSED } };
  g_autoptr (HlScene) scene = make_scene (HL_READING_LEFT_TO_RIGHT, 640);
  HlViewState *state = hl_scene_get_state (scene);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      hl_view_state_set_option (state, quantity, cases[i].quantity);
      hl_view_state_set_option (state, direction, cases[i].direction);
      hl_view_state_set_option (state, threshold, 0);
      g_autoptr (HlLayersData) whole = hl_layers_data_new (hl_view_state_get_shown (state));
      g_assert_true (hl_scene_data_read (whole, NULL, NULL, NULL));
      hl_view_state_set_option (state, threshold, cases[i].quantity == HL_QUANTITY_WEIGHT ? 0.15 : 0.075);
      g_autoptr (HlLayersData) data = hl_layers_data_new (hl_view_state_get_shown (state));
      g_assert_true (hl_scene_data_read (data, NULL, NULL, NULL));
      guint n_left = 0;

      for (gsize token = 0; token < N; token++)
        {
          g_autofree float *traced = hl_layers_data_trace (whole, 2, token);
          g_autofree float *left = hl_layers_data_trace (data, 2, token);
          g_autofree float *up = hl_layers_data_trace_up (whole, token);
          g_autofree float *left_up = hl_layers_data_trace_up (data, token);

          for (gsize j = 0; whole->follow != HL_LAYERS_FOLLOW_NOTHING && j < (N_LAYERS + 1) * N; j++)
            {
              g_assert_cmpfloat_with_epsilon (traced[j], left[j], 1e-6);
              g_assert_cmpfloat_with_epsilon (up[j], left_up[j], 1e-6);
            }
          for (gsize key = 0; key < N; key++)
            {
              const gboolean counts = is_left (data->layers[2], token * N + key);
              const float part = hl_layers_data_get_part (whole, 2, token, key);

              n_left += counts;
              g_assert_cmpfloat_with_epsilon (hl_layers_data_get_part (data, 2, token, key),
                                              counts || whole->follow != HL_LAYERS_FOLLOW_NOTHING ? part : 0, 1e-6);
            }
        }
      g_assert_cmpuint (n_left, >, 0);
      g_assert_cmpuint (n_left, <, N * N);
    }
}

/* Lines are those that a filter leaves, and what a token keeps; dots tell the share of each token all the same. */
static void
test_filtered_lines (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_READING_LEFT_TO_RIGHT, 640);
  HlViewState *state = hl_scene_get_state (scene);
  const HlPick token = get_token (3, 4);
  guint n_before[N_LAYERS];
  double x, y;

  hl_view_state_set_pinned (state, &token);
  for (guint column = 0; column < N_LAYERS; column++)
    n_before[column] = count_between (scene, column);
  hl_view_state_set_option (state, threshold, 0.99);
  for (guint column = 0; column < N_LAYERS; column++)
    {
      const guint n = count_between (scene, column);
      g_assert_cmpuint (n, >, 0);
      g_assert_cmpuint (n, <, n_before[column] / 2);
    }
  g_autoptr (cairo_surface_t) overlay = test_draw_part (scene, HL_SCENE_OVERLAY);
  g_autofree float *first = hl_attention_source_read_head (hl_view_state_get_shown (state)->source, 2, 0, NULL, NULL);
  g_autofree float *second = hl_attention_source_read_head (hl_view_state_get_shown (state)->source, 2, 1, NULL, NULL);
  guint n_dots = 0;
  for (gsize key = 0; key < N; key++)
    {
      const float share = ((first[4 * N + key] + second[4 * N + key]) / 2 + (key == 4)) / 2;
      const gboolean has_dot = share >= 1.0 / 256;
      locate (scene, 2, key, &x, &y);
      g_assert_cmpint (test_get_pixel (overlay, x, y) != 0, ==, has_dot);
      n_dots += has_dot;
    }
  g_assert_cmpuint (n_dots, >, N / 2);
}

/* Of a pair one line is drawn, in its layer, and the others are dimmed. */
static void
test_pair (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_READING_LEFT_TO_RIGHT, 640);
  const HlPick pair = { HL_PICK_CELL, .query = 6, .key = 2, .layer = 1 };
  double x, y, x_end, y_end;

  hl_view_state_set_pinned (hl_scene_get_state (scene), &pair);
  g_assert_cmpuint (hl_view_state_get_layer (hl_scene_get_state (scene)), ==, 1);
  for (guint column = 0; column < N_LAYERS; column++)
    g_assert_cmpint (count_between (scene, column) > 0, ==, column == 1);
  g_autoptr (cairo_surface_t) overlay = test_draw_part (scene, HL_SCENE_OVERLAY);
  locate (scene, 1, 2, &x, &y);
  locate (scene, 2, 6, &x_end, &y_end);
  g_assert_cmpuint (test_get_pixel (overlay, x, y), !=, 0);
  g_assert_cmpuint (test_get_pixel (overlay, (x + x_end) / 2, (y + y_end) / 2), !=, 0);
  g_assert_cmpuint (test_get_pixel (overlay, x_end, y_end), !=, 0);
  g_assert_cmpfloat (hl_scene_get_picture_opacity (scene), <, 1);
}

/* Lines end where the shares end: at the layer that rollout begins with, and of other numbers one layer below the token. */
static void
test_end_of_lines (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_READING_LEFT_TO_RIGHT, 640);
  HlViewState *state = hl_scene_get_state (scene);
  const HlPick token = get_token (3, 4);

  hl_view_state_set_pinned (state, &token);
  for (guint column = 0; column < 3; column++)
    g_assert_cmpuint (count_between (scene, column), >, 0);
  hl_view_state_set_option (state, quantity, HL_QUANTITY_ROLLOUT);
  hl_view_state_set_option (state, rollout_from, 1);
  for (guint column = 0; column < 3; column++)
    g_assert_cmpuint (count_between (scene, column) > 0, ==, column >= 1);
  hl_view_state_set_option (state, quantity, HL_QUANTITY_WEIGHT);
  hl_view_state_set_option (state, direction, HL_DIRECTION_ASYMMETRY);
  for (guint column = 0; column < 3; column++)
    g_assert_cmpuint (count_between (scene, column) > 0, ==, column == 2);
}

/* A token of the input is followed up to the last layer, or where nothing can be followed, through the first; others step back. */
static void
test_input (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_READING_LEFT_TO_RIGHT, 640);
  HlViewState *state = hl_scene_get_state (scene);
  const HlPick token = get_token (0, 4);

  hl_view_state_set_hovered (state, &token);
  for (guint column = 0; column < 3; column++)
    g_assert_cmpuint (count_between (scene, column), >, 0);
  g_assert_cmpfloat (hl_scene_get_picture_opacity (scene), <, 1);
  hl_view_state_set_pinned (state, &token);
  hl_view_state_set_hovered (state, &(HlPick){ HL_PICK_NONE });
  for (guint column = 0; column < 3; column++)
    g_assert_cmpuint (count_between (scene, column), >, 0);
  hl_view_state_set_option (state, quantity, HL_QUANTITY_ROLLOUT);
  hl_view_state_set_option (state, rollout_from, 1);
  for (guint column = 0; column < 3; column++)
    g_assert_cmpuint (count_between (scene, column) > 0, ==, column >= 1);
  hl_view_state_set_option (state, quantity, HL_QUANTITY_WEIGHT);
  hl_view_state_set_option (state, direction, HL_DIRECTION_ASYMMETRY);
  for (guint column = 0; column < 3; column++)
    g_assert_cmpuint (count_between (scene, column) > 0, ==, column == 0);
}

/* The strongest line of a layer is at full strength, and the caption says so; of sums, which have no 1 that they are parts of, even where true
 * weights are asked for. */
static void
test_scaled_lines (void)
{
  g_autoptr (HlScene) scene = make_scene (HL_READING_AUTO, 640);
  HlViewState *state = hl_scene_get_state (scene);

  for (HlCombine combine = HL_COMBINE_NONE; combine <= HL_COMBINE_SUM; combine++)
    {
      hl_view_state_set_option (state, combine, combine);
      hl_view_state_set_option (state, relative_lines, FALSE);
      g_autoptr (HlLayersData) data = hl_layers_data_new (hl_view_state_get_shown (state));
      g_autofree char *caption = hl_view_state_describe (state);
      float greatest = 0;

      g_assert_true (hl_scene_data_read (data, NULL, NULL, NULL));
      const float *weights = g_bytes_get_data (data->layers[1]->weights[0], NULL);
      for (gsize i = 0; i < N * N; i++)
        greatest = MAX (greatest, weights[i]);
      for (guint head = 1; head < data->layers[1]->n_heads; head++)
        for (gsize i = 0; i < N * N; i++)
          greatest = MAX (greatest, hl_head_view_data_get_map (data->layers[1], head)[i]);
      g_assert_cmpfloat (data->layers[1]->greatest, ==, greatest);
      const double gain = hl_head_view_data_get_gain (data->layers[1], greatest);
      g_assert_cmpfloat_with_epsilon (gain, combine == HL_COMBINE_SUM ? 1 / greatest : 1, 1e-6);
      g_assert_cmpint (strstr (caption, "lines to the strongest of each layer") != NULL, ==, combine == HL_COMBINE_SUM);
      hl_view_state_set_option (state, relative_lines, TRUE);
      g_autofree char *relative = hl_view_state_describe (state);
      g_assert_nonnull (strstr (relative, "lines to the strongest of each layer"));
    }
}

/* Queries that are no keys cannot be joined: nothing is drawn, and nothing is found. */
static void
test_not_square (void)
{
  g_autofree float *weights = test_make_weights (1, 1, 4, 6);
  const char *tokens[] = { "a", "b", "c", "d", "e", "f", NULL };
  g_autoptr (HlViewState) state = test_make_state (1, 1, 4, 6, weights, tokens, 0, (HlMask){ 0 });
  HlPick picked;

  hl_view_state_set_option (state, view, HL_VIEW_LAYERS);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_LAYERS, state, 500, 300, 1);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_true (test_is_blank (picture));
  hl_scene_pick (scene, 250, 120, &picked);
  g_assert_cmpint (picked.kind, ==, HL_PICK_NONE);

  /* There is nothing to scroll to, and a figure is no higher than what says so. */
  double width, height;
  hl_scene_measure (scene, &width, &height);
  g_assert_cmpfloat (height, ==, 300);
  hl_scene_measure_cut (scene, 400, &width, &height);
  g_assert_cmpfloat (height, <=, 160);
  g_autoptr (cairo_surface_t) said = test_draw_part (scene, HL_SCENE_BACKDROP);
  g_assert_false (test_is_blank (said));
}

/* In cross attention no query is a key of the next layer, however many there are of either. */
static void
test_cross (void)
{
  g_autofree float *numbers = test_make_weights (1, 1, 4, 4);
  const char *tokens[] = { "a", "b", "c", "d", NULL };
  const HlShape shape = { .rank = 3, .dims = { 1, 4, 4 } };

  for (HlAttentionKind kind = HL_ATTENTION_SELF; kind <= HL_ATTENTION_CROSS; kind++)
    {
      g_autoptr (HlTensor) tensor = test_make_tensor (&shape, numbers);
      const HlLayerTensor layer = {
        .tensor = tensor, .layer_axis = -1, .batch_axis = -1, .head_axis = 0, .row_axis = 1, .column_axis = 2
      };
      g_autoptr (HlAttention) attention = hl_attention_new (&(HlAttentionInit){ .kind = kind,
                                                                                .weights = &layer,
                                                                                .n_layers = 1,
                                                                                .tokens = { tokens, tokens },
                                                                                .n_used = { 4, 4 },
                                                                                .rule = { .scale = 1 } });
      g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
      g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);
      g_ptr_array_add (attentions, g_object_ref (attention));
      g_autoptr (HlExample) example = hl_example_new (NULL, NULL, NULL, attentions, checks);
      g_autoptr (HlViewState) state = hl_view_state_new (example);

      g_assert_true ((hl_view_kind_get_lack (HL_VIEW_LAYERS, attention) == NULL) == (kind != HL_ATTENTION_CROSS));
      hl_view_state_set_option (state, view, HL_VIEW_LAYERS);
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_LAYERS, state, 500, 300, 1);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
      g_assert_true (test_is_blank (picture) == (kind == HL_ATTENTION_CROSS));
    }
}

/* Nor are keys that are other tokens the queries of the layer below, as many as they be. */
static void
test_other_keys (void)
{
  static const char *const text[] = { "a", "a", "##b", "c", "[SEP]", NULL };
  static const char *const same[] = { "a", "a", "##b", "c", "[SEP]", NULL };
  static const char *const other[] = { "a", "a", "##b", "d", "[SEP]", NULL };
  const struct
  {
    const char *const *queries;
    const char *const *keys;
    const char *hidden;
    gboolean words;
    gboolean is_square;
  } cases[] = {
    { text, text, NULL, FALSE, TRUE },     { text, same, NULL, FALSE, TRUE },     { text, same, NULL, TRUE, TRUE },
    { text, same, "1", FALSE, TRUE },      { text, NULL, NULL, FALSE, TRUE },     { NULL, text, "1", FALSE, TRUE },
    { NULL, NULL, "1", FALSE, TRUE },      { text, text, "q4,k0", FALSE, FALSE }, { text, text, "q0,k1", FALSE, FALSE },
    { NULL, NULL, "q4,k0", FALSE, FALSE }, { text, other, NULL, FALSE, FALSE },   { text, other, "0", FALSE, FALSE },
    { text, other, NULL, TRUE, FALSE },    { text, other, "3", FALSE, TRUE },
  };
  g_autofree float *weights = test_make_weights (1, 2, 5, 5);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (HlDirection direction = HL_DIRECTION_AS_IS; direction <= HL_DIRECTION_TRANSPOSED; direction++)
      {
        g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
        g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

        g_ptr_array_add (attentions, test_make_attention_full (2, 1, 5, 5, weights, cases[i].queries, cases[i].keys, 5,
                                                               0, (HlMask){ 0 }));
        g_autoptr (HlExample) example = hl_example_new (NULL, NULL, NULL, attentions, checks);
        g_autoptr (HlViewState) state = hl_view_state_new (example);
        hl_view_state_set_option (state, view, HL_VIEW_LAYERS);
        hl_view_state_set_option (state, words, cases[i].words);
        hl_view_state_set_option (state, direction, direction);
        if (cases[i].hidden != NULL)
          hl_view_state_set_hidden (state, cases[i].hidden);
        g_autoptr (HlLayersData) data = hl_layers_data_new (hl_view_state_get_shown (state));
        g_test_message ("%u", i);
        g_assert_cmpint (hl_layers_data_is_square (data), ==, cases[i].is_square);
      }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (HlReading reading = HL_READING_LEFT_TO_RIGHT; reading <= HL_READING_RIGHT_TO_LEFT; reading++)
    {
      const char *name = reading == HL_READING_LEFT_TO_RIGHT ? "ltr" : "rtl";
      g_autofree char *lines = g_strdup_printf ("/layers/lines/%s", name);
      g_autofree char *pick = g_strdup_printf ("/layers/pick/%s", name);
      g_autofree char *scroll = g_strdup_printf ("/layers/scroll/%s", name);

      g_test_add_data_func (lines, GINT_TO_POINTER (reading), test_lines);
      g_test_add_data_func (pick, GINT_TO_POINTER (reading), test_pick);
      g_test_add_data_func (scroll, GINT_TO_POINTER (reading), test_scroll);
    }
  g_test_add_func ("/layers/mirrored", test_mirrored);
  g_test_add_func ("/layers/pin", test_pin);
  g_test_add_func ("/layers/pair", test_pair);
  g_test_add_func ("/layers/steep", test_steep);
  g_test_add_func ("/layers/trace", test_trace);
  g_test_add_func ("/layers/trace-up", test_trace_up);
  g_test_add_func ("/layers/input", test_input);
  g_test_add_func ("/layers/rollout", test_rollout);
  g_test_add_func ("/layers/followed", test_followed);
  g_test_add_func ("/layers/scores", test_scores);
  g_test_add_func ("/layers/infinite", test_infinite);
  g_test_add_func ("/layers/filter", test_filter);
  g_test_add_func ("/layers/filtered-lines", test_filtered_lines);
  g_test_add_func ("/layers/end-of-lines", test_end_of_lines);
  g_test_add_func ("/layers/scaled-lines", test_scaled_lines);
  g_test_add_func ("/layers/not-square", test_not_square);
  g_test_add_func ("/layers/other-keys", test_other_keys);
  g_test_add_func ("/layers/cross", test_cross);
  return g_test_run ();
}
