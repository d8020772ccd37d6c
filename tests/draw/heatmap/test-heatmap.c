/* SPDX-License-Identifier: MIT */
/* The heatmap against a naive enlargement of the matrix, its picks against its pixels, and what happens to jobs that come late. */
#include "test-scenes.h"

#include "core/test-attentions.h"
#include "draw/heatmap/hl-heatmap-data.h"
#include "draw/heatmap/hl-heatmap-strip.h"
#include "draw/paint/hl-colour-map.h"
#include "draw/paint/hl-theme.h"

#include <string.h>

static void
locate_cell (HlScene           *scene,
             gsize              row,
             gsize              column,
             cairo_rectangle_t *box)
{
  const HlPick pick = { HL_PICK_CELL, .query = row, .key = column };

  g_assert_true (hl_scene_locate (scene, &pick, &box->x, &box->y, &box->width, &box->height));
}

/* Each cell a rectangle of its colour where the scene says that it is; of cells that share pixels the largest comes last. */
static cairo_surface_t *
paint_naively (HlScene *scene,
               double   max)
{
  HlViewState *state = hl_scene_get_state (scene);
  HlAttentionSource *source = hl_view_state_get_shown (state)->source;
  const gsize n_rows = hl_attention_source_get_n (source, HL_QUERIES);
  const gsize n_columns = hl_attention_source_get_n (source, HL_KEYS);
  g_autofree float *weights = hl_attention_source_read_head (source, 0, hl_view_state_get_head (state), NULL, NULL);
  cairo_surface_t *surface = test_make_surface (scene);
  g_autoptr (cairo_t) cr = cairo_create (surface);

  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  for (gsize i = 0; i < n_rows; i++)
    for (gsize j = 0; j < n_columns; j++)
      {
        const guint32 pixel = hl_colour_map_lookup (hl_view_state_get_options (state)->colour_map,
                                                    hl_view_state_get_options (state)->dark,
                                                    weights[i * n_columns + j] / max);
        cairo_rectangle_t box;

        locate_cell (scene, i, j, &box);
        cairo_set_source_rgb (cr, (pixel >> 16 & 0xFF) / 255.0, (pixel >> 8 & 0xFF) / 255.0, (pixel & 0xFF) / 255.0);
        cairo_rectangle (cr, box.x, box.y, box.width, box.height);
        cairo_fill (cr);
      }
  return surface;
}

static double
get_max (HlViewState *state)
{
  HlAttentionSource *source = hl_view_state_get_shown (state)->source;
  const gsize n = hl_attention_source_get_n (source, HL_QUERIES) * hl_attention_source_get_n (source, HL_KEYS);
  g_autofree float *weights = hl_attention_source_read_head (source, 0, hl_view_state_get_head (state), NULL, NULL);
  double max = 0;

  for (gsize i = 0; i < n; i++)
    max = MAX (max, weights[i]);
  return max;
}

static void
test_picture (gconstpointer data)
{
  const guint variant = GPOINTER_TO_UINT (data);
  const gboolean dark = variant & 1;
  const double scale = variant & 2 ? 2 : 1;
  g_autoptr (HlViewState) state = test_make_random_state (1, 3, 40);
  g_autoptr (HlScene) scene = NULL;
  g_autofree char *name = g_strdup_printf ("heatmap-%s-%dx", dark ? "dark" : "light", (int) scale);

  hl_view_state_go_to (state, 0, 2);
  hl_view_state_set_option (state, dark, dark);
  hl_view_state_set_option (state, colour_map, HL_COLOUR_MAP_PAPER);
  scene = test_make_scene (HL_VIEW_HEATMAP, state, 560, 480, scale);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  g_autoptr (cairo_surface_t) reference = paint_naively (scene, get_max (state));
  test_assert_similar (name, picture, reference, 1, 0.01);
}

/* Cells of three and a bit pixels: not all as large, but each where the naive picture has it. */
static void
test_uneven_cells (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (1, 1, 90);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 480, 460, 1);

  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  g_autoptr (cairo_surface_t) reference = paint_naively (scene, get_max (state));
  test_assert_similar ("heatmap-uneven", picture, reference, 1, 0.01);
}

/* Many cells in a pixel: the one strong weight among faint ones must be seen. */
static void
test_pooled (void)
{
  const gsize n = 2000;
  g_autofree float *weights = g_new (float, n *n);
  g_autofree const char **tokens = g_new0 (const char *, n + 1);
  const gsize row = 1234, column = 617;
  cairo_rectangle_t box;

  for (gsize i = 0; i < n; i++)
    tokens[i] = "i";
  for (gsize i = 0; i < n * n; i++)
    weights[i] = 0.001f;
  weights[row * n + column] = 1;
  g_autoptr (HlViewState) state = test_make_state (1, 1, n, n, weights, tokens, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 640, 480, 1);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  locate_cell (scene, row, column, &box);
  guint n_bright = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      n_bright += test_get_pixel (picture, box.x + dx, box.y + dy) ==
                  hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, FALSE, 1);
  g_assert_cmpuint (n_bright, ==, 1);
}

/* A marker in the matrix is where pick() finds it, at every zoom. */
static void
test_pick (void)
{
  const gsize n_queries = 30, n_keys = 50;
  g_autofree float *weights = g_new0 (float, n_queries *n_keys);
  g_autofree const char **tokens = g_new0 (const char *, n_keys + 1);
  const guint32 bright = hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, FALSE, 1);
  HlPick pick;

  for (gsize i = 0; i < n_keys; i++)
    tokens[i] = "i";
  weights[21 * n_keys + 33] = 1;
  g_autoptr (HlViewState) state = test_make_state (1, 1, n_queries, n_keys, weights, tokens, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 700, 500, 1);

  for (guint zoom = 0; zoom < 4; zoom++)
    {
      cairo_rectangle_t box;
      guint n_bright = 0;

      test_prepare (scene);
      g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
      for (int y = 0; y < 500; y++)
        for (int x = 0; x < 700; x++)
          if (test_get_pixel (picture, x, y) == bright)
            {
              n_bright++;
              hl_scene_pick (scene, x + 0.5, y + 0.5, &pick);
              g_assert_cmpint (pick.kind, ==, HL_PICK_CELL);
              g_assert_cmpuint (pick.query, ==, 21);
              g_assert_cmpuint (pick.key, ==, 33);
            }
      locate_cell (scene, 21, 33, &box);
      /* A number may be written into it. */
      g_assert_cmpfloat (n_bright, >, box.width * box.height * 0.6);
      hl_scene_zoom (scene, 1.6, box.x + box.width / 2, box.y + box.height / 2);
    }

  hl_scene_fit (scene);
  double x, y, width, height;
  g_assert_true (hl_scene_locate (scene, &(HlPick){ HL_PICK_QUERY, .query = 7 }, &x, &y, &width, &height));
  hl_scene_pick (scene, x - 8, y + height / 2, &pick);
  g_assert_true (hl_pick_equal (&pick, &(HlPick){ HL_PICK_QUERY, .query = 7 }));
  g_assert_true (hl_scene_locate (scene, &(HlPick){ HL_PICK_KEY, .key = 9 }, &x, &y, &width, &height));
  hl_scene_pick (scene, x + width / 2, y - 8, &pick);
  g_assert_true (hl_pick_equal (&pick, &(HlPick){ HL_PICK_KEY, .key = 9 }));
  hl_scene_pick (scene, 2, 2, &pick);
  g_assert_cmpint (pick.kind, ==, HL_PICK_NONE);
}

/* Zoomed and moved by many small steps, tiles reused: the same pixels as drawn from nothing. */
static void
test_tiles (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (1, 1, 700);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 640, 520, 1);
  double x, y;

  for (guint i = 0; i < 12; i++)
    {
      hl_scene_zoom (scene, 1.2, 300, 300);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) step = test_draw_part (scene, HL_SCENE_PICTURE);
    }
  for (guint i = 0; i < 20; i++)
    {
      hl_scene_get_scroll (scene, &x, &y);
      hl_scene_set_scroll (scene, x + 37, y + 23);
      test_prepare (scene);
    }
  g_assert_null (hl_scene_create_job (scene));
  g_autoptr (HlScene) fresh = test_make_scene (HL_VIEW_HEATMAP, state, 640, 520, 1);
  hl_scene_set_zoom (fresh, hl_scene_get_zoom (scene));
  hl_scene_get_scroll (scene, &x, &y);
  hl_scene_set_scroll (fresh, x, y);
  test_prepare (fresh);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  g_autoptr (cairo_surface_t) reference = test_draw_part (fresh, HL_SCENE_PICTURE);
  test_assert_similar ("heatmap-tiles", picture, reference, 0, 0);

  /* While zooming, stand-ins fill the plot: nothing is blank. */
  hl_scene_zoom (scene, 1.5, 300, 300);
  g_autoptr (cairo_surface_t) standing_in = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_cmphex (test_get_pixel (standing_in, 300, 300) >> 24, ==, 0xFF);
}

static void
test_zoom_keeps_place (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (1, 1, 300);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 640, 520, 1);
  HlPick before, after;
  double width, height;

  hl_scene_zoom (scene, 8, 250, 320);
  hl_scene_pick (scene, 250, 320, &before);
  g_assert_cmpint (before.kind, ==, HL_PICK_CELL);
  for (guint i = 0; i < 10; i++)
    hl_scene_zoom (scene, 1.05, 250, 320);
  hl_scene_pick (scene, 250, 320, &after);
  g_assert_true (hl_pick_equal (&before, &after));
  hl_scene_fit (scene);
  hl_scene_measure (scene, &width, &height);
  g_assert_cmpfloat (width, <=, 640.01);
  g_assert_cmpfloat (height, <=, 520.01);
}

/* Masked, zero and NaN are three different things. */
static void
test_kinds_of_nothing (void)
{
  const gsize n = 10;
  const char *tokens[] = { "i", "i", "i", "i", "i", "i", "i", "i", "i", "i", NULL };
  g_autofree float *weights = g_new0 (float, n *n);
  const HlTheme *theme = hl_theme_get (FALSE);
  const guint32 zero = hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, FALSE, 0);
  const guint32 masked = 0xFF000000u | (guint32) lround (theme->masked.r * 255) * 0x010101u;
  cairo_rectangle_t box;
  guint n_masked = 0, n_zero = 0, n_nan = 0;

  for (gsize i = 0; i < n; i++)
    weights[i * n + i] = 1;
  weights[5 * n + 2] = NAN;
  g_autoptr (HlViewState) state = test_make_state (1, 1, n, n, weights, tokens, 0, (HlMask){ TRUE, 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 420, 340, 1);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);

  locate_cell (scene, 2, 7, &box);
  for (double y = box.y; y < box.y + box.height; y++)
    for (double x = box.x; x < box.x + box.width; x++)
      {
        g_assert_cmphex (test_get_pixel (picture, x, y), !=, zero);
        n_masked += test_get_pixel (picture, x, y) == masked;
      }
  /* Stripes take a seventh. */
  g_assert_cmpfloat (n_masked, >, box.width * box.height * 0.7);
  g_assert_cmpfloat (n_masked, <, box.width * box.height);

  locate_cell (scene, 7, 2, &box);
  for (double y = box.y; y < box.y + box.height; y++)
    for (double x = box.x; x < box.x + box.width; x++)
      n_zero += test_get_pixel (picture, x, y) == zero;
  g_assert_cmpuint (n_zero, ==, (guint) (box.width * box.height));

  locate_cell (scene, 5, 2, &box);
  for (double y = box.y; y < box.y + box.height; y++)
    for (double x = box.x; x < box.x + box.width; x++)
      n_nan += test_get_pixel (picture, x, y) != zero && test_get_pixel (picture, x, y) != masked;
  g_assert_cmpuint (n_nan, ==, (guint) (box.width * box.height));

  /* On paper NaN has stripes as well, on the ground: it is no colour. */
  g_object_set (scene, "vector", TRUE, NULL);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) paper = test_draw_part (scene, HL_SCENE_PICTURE);
  const guint32 ground = hl_colour_to_pixel (&theme->background);
  guint n_ground = 0, n_striped = 0;
  locate_cell (scene, 5, 2, &box);
  for (double y = box.y; y < box.y + box.height; y++)
    for (double x = box.x; x < box.x + box.width; x++)
      {
        n_ground += test_get_pixel (paper, x, y) == ground;
        n_striped += test_get_pixel (paper, x, y) != ground && test_get_pixel (paper, x, y) != zero;
      }
  g_assert_cmpfloat (n_ground, >, box.width * box.height * 0.3);
  g_assert_cmpfloat (n_striped, >, box.width * box.height * 0.2);
  locate_cell (scene, 7, 2, &box);
  g_assert_cmphex (test_get_pixel (paper, box.x + box.width / 2, box.y + box.height / 2), ==, zero);
  g_object_set (scene, "vector", FALSE, NULL);
  test_prepare (scene);

  g_autofree char *text = hl_scene_describe (scene, &(HlPick){ HL_PICK_CELL, .query = 2, .key = 7 });
  g_assert_cmpstr (text, ==, "i → i: masked");
  g_autofree char *nan = hl_scene_describe (scene, &(HlPick){ HL_PICK_CELL, .query = 5, .key = 2 });
  g_assert_cmpstr (nan, ==, "i → i NaN");
}

static guint32
get_cell_colour (HlScene         *scene,
                 cairo_surface_t *picture,
                 gsize            query,
                 gsize            key)
{
  cairo_rectangle_t box;

  locate_cell (scene, query, key, &box);
  return test_get_pixel (picture, box.x + 2, box.y + 2);
}

/* Single cells that are masked look so and say so, on the screen and on paper; a visible 0 beside them does not. */
static void
test_scattered (void)
{
  const float weights[] = { 0.5f, -0.0f, 0.5f, 0, 0.25f, 0.75f, -0.0f, -0.0f, 1 };
  const char *tokens[] = { "i", "j", "k", NULL };
  const HlTheme *theme = hl_theme_get (FALSE);
  const guint32 zero = hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, FALSE, 0);
  const guint32 masked = 0xFF000000u | (guint32) lround (theme->masked.r * 255) * 0x010101u;
  const guint32 hatch = 0xFF000000u | (guint32) lround (theme->hatch.r * 255) * 0x010101u;
  g_autoptr (HlViewState) state = test_make_state (1, 1, 3, 3, weights, tokens, 0, (HlMask){ .scattered = TRUE });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 420, 340, 1);
  cairo_rectangle_t box;

  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  for (gsize query = 0; query < 3; query++)
    for (gsize key = 0; key < 3; key++)
      {
        const gboolean is_masked = signbit (weights[query * 3 + key]) != 0;
        const HlPick pick = { HL_PICK_CELL, .query = query, .key = key };
        g_autofree char *text = hl_scene_describe (scene, &pick);
        guint n_masked = 0, n_hatch = 0;

        locate_cell (scene, query, key, &box);
        for (double y = box.y; y < box.y + box.height; y++)
          for (double x = box.x; x < box.x + box.width; x++)
            {
              n_masked += test_get_pixel (picture, x, y) == masked;
              n_hatch += test_get_pixel (picture, x, y) == hatch;
            }
        g_assert_true (g_str_has_suffix (text, ": masked") == is_masked);
        g_assert_true ((n_masked > box.width * box.height * 0.7) == is_masked);
        g_assert_true ((n_hatch > 0) == is_masked);
      }
  locate_cell (scene, 1, 0, &box);
  g_assert_cmphex (test_get_pixel (picture, box.x + 2, box.y + 2), ==, zero);

  /* The same numbers where nothing says that cells are masked are zeros. */
  g_autoptr (HlViewState) plain = test_make_state (1, 1, 3, 3, weights, tokens, 0, (HlMask){ 0 });
  g_autoptr (HlScene) other = test_make_scene (HL_VIEW_HEATMAP, plain, 420, 340, 1);
  test_prepare (other);
  g_autoptr (cairo_surface_t) zeros = test_draw_part (other, HL_SCENE_PICTURE);
  locate_cell (other, 0, 1, &box);
  g_assert_cmphex (test_get_pixel (zeros, box.x + 2, box.y + 2), ==, zero);
}

/* The scale that nobody chose follows the quantity; who chose one keeps it. */
static void
test_auto_scale (void)
{
  const float weights[] = { 0.94f, 0.04f, 0.02f, 0.03f, 0.96f, 0.01f, 0.01f, 0.02f, 0.97f };
  const char *tokens[] = { "i", "j", "k", NULL };
  g_autoptr (HlViewState) state = test_make_state (1, 1, 3, 3, weights, tokens, 0, (HlMask){ 0 });

  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  for (HlQuantity quantity = 0; quantity < HL_N_QUANTITIES; quantity++)
    {
      const gboolean keeps_itself = quantity == HL_QUANTITY_RESIDUAL || quantity == HL_QUANTITY_ROLLOUT ||
                                    quantity == HL_QUANTITY_FLOW;

      hl_view_state_set_option (state, quantity, quantity);
      g_autofree char *caption = hl_view_state_describe (state);
      g_assert_cmpint (hl_view_state_get_shown (state)->value_scale, ==,
                       keeps_itself ? HL_VALUE_SCALE_OFF_DIAGONAL : HL_VALUE_SCALE_LINEAR);
      g_assert_true ((strstr (caption, "Linear off the diagonal") != NULL) == keeps_itself);
      hl_view_state_set_option (state, value_scale, HL_VALUE_SCALE_LINEAR);
      g_assert_cmpint (hl_view_state_get_shown (state)->value_scale, ==, HL_VALUE_SCALE_LINEAR);
      hl_view_state_set_option (state, value_scale, HL_VALUE_SCALE_AUTO);
    }
  /* What is subtracted has no diagonal that outweighs all else. */
  hl_view_state_set_option (state, direction, HL_DIRECTION_ASYMMETRY);
  g_assert_cmpint (hl_view_state_get_shown (state)->value_scale, ==, HL_VALUE_SCALE_LINEAR);

  const char *others[] = { "i", "j", NULL };
  g_autoptr (HlViewState) crossed = test_make_state (1, 1, 3, 2, weights, others, 0, (HlMask){ 0 });
  hl_view_state_set_option (crossed, view, HL_VIEW_HEATMAP);
  hl_view_state_set_option (crossed, quantity, HL_QUANTITY_RESIDUAL);
  g_assert_cmpint (hl_view_state_get_shown (crossed)->value_scale, ==, HL_VALUE_SCALE_LINEAR);
  g_autofree char *none = hl_view_state_describe (crossed);
  g_assert_null (strstr (none, "diagonal"));
}

/* What numbers are called may be longer than the bar of colours: it goes on below that, as far as the map does. */
static void
test_long_title (void)
{
  g_autofree float *weights = test_make_weights (2, 2 * 3, 16, 16);
  g_autoptr (HlViewState) state = test_make_state (2, 3, 16, 16, weights, NULL, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 900, 700, 1);

  for (guint is_long = 0; is_long < 2; is_long++)
    {
      hl_view_state_set_option (state, quantity, is_long ? HL_QUANTITY_ROLLOUT : HL_QUANTITY_WEIGHT);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_BACKDROP);
      cairo_rectangle_t last, first;
      guint n_drawn = 0;

      locate_cell (scene, 0, 15, &first);
      locate_cell (scene, 15, 15, &last);
      g_assert_cmpfloat (last.y - first.y, >, 300);
      for (int y = (int) first.y + 230; y < last.y; y++)
        for (int x = (int) (last.x + last.width) + 60; x < 900; x++)
          n_drawn += test_get_pixel (picture, x, y) != test_get_pixel (picture, 899, 699);
      g_assert_cmpuint (n_drawn > 0, ==, is_long);
    }
}

/* The greatest weight off the diagonal has the colour of the diagonal, which is said; without a diagonal nothing has. */
static void
test_off_diagonal (void)
{
  const float weights[] = { 0.94f, 0.04f, 0.02f, 0.03f, 0.96f, 0.01f, 0.01f, 0.02f, 0.97f };
  const char *tokens[] = { "i", "j", "k", NULL };
  const guint32 top = hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, FALSE, 1);
  g_autoptr (HlViewState) state = test_make_state (1, 1, 3, 3, weights, tokens, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 420, 340, 1);

  hl_view_state_set_option (state, value_scale, HL_VALUE_SCALE_OFF_DIAGONAL);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  for (gsize i = 0; i < 3; i++)
    g_assert_cmphex (get_cell_colour (scene, picture, i, i), ==, top);
  g_assert_cmphex (get_cell_colour (scene, picture, 0, 1), ==, top);
  g_assert_cmphex (get_cell_colour (scene, picture, 0, 2), ==,
                   hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, FALSE, 0.02f / 0.04f));
  g_autofree char *caption = hl_view_state_describe (state);
  g_assert_cmpstr (caption, ==, "attention weight · layer 0 · head 0 · Linear off the diagonal");

  /* Back to all weights, which are read no differently. */
  hl_view_state_set_option (state, value_scale, HL_VALUE_SCALE_LINEAR);
  test_prepare (scene);
  g_autoptr (cairo_surface_t) linear = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_cmphex (get_cell_colour (scene, linear, 0, 1), ==,
                   hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, FALSE, 0.04f / 0.97f));

  hl_view_state_set_option (state, view, HL_VIEW_MODEL);
  hl_view_state_set_option (state, value_scale, HL_VALUE_SCALE_OFF_DIAGONAL);
  g_autofree char *heads = hl_view_state_describe (state);
  g_assert_cmpstr (heads, ==, "attention weight · 1 layer × 1 head · each head by itself · Linear off the diagonal");

  const char *others[] = { "i", "j", NULL };
  g_autoptr (HlViewState) crossed = test_make_state (1, 1, 3, 2, weights, others, 0, (HlMask){ 0 });
  hl_view_state_set_option (crossed, view, HL_VIEW_HEATMAP);
  hl_view_state_set_option (crossed, value_scale, HL_VALUE_SCALE_OFF_DIAGONAL);
  g_assert_cmpint (hl_view_state_get_shown (crossed)->value_scale, ==, HL_VALUE_SCALE_LINEAR);
  g_autofree char *none = hl_view_state_describe (crossed);
  g_assert_nonnull (strstr (none, "linear colours, as there is no diagonal"));
}

/* The ends of a part that lies on the diagonal, beside it and across it, with more rows than are read at a time. */
static void
test_off_diagonal_read (void)
{
  const gsize n = 1200;
  g_autoptr (HlViewState) state = test_make_random_state (1, 1, n);
  HlAttentionSource *source = hl_view_state_get_shown (state)->source;
  g_autofree float *weights = hl_attention_source_read_head (source, 0, 0, NULL, NULL);
  const HlHeatmapPart parts[] = {
    { source, 0, 0, { 0, n }, { 0, n }, TRUE },
    { source, 0, 0, { 0, 40 }, { 40, 60 }, TRUE },
    { source, 0, 0, { 50, 40 }, { 0, 50 }, TRUE },
    { source, 0, 0, { 7, 3 }, { 8, 5 }, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      const HlHeatmapPart *part = &parts[i];
      HlHeatmapExtremes extremes;
      double max = -INFINITY, whole_min = INFINITY, whole_max = -INFINITY;

      for (gsize query = part->queries.first; query < part->queries.first + part->queries.n; query++)
        for (gsize key = part->keys.first; key < part->keys.first + part->keys.n; key++)
          {
            whole_min = MIN (whole_min, weights[query * n + key]);
            whole_max = MAX (whole_max, weights[query * n + key]);
            max = query != key ? MAX (max, weights[query * n + key]) : max;
          }
      g_assert_true (hl_heatmap_extremes_find (part, &extremes, NULL, NULL));
      g_assert_cmpfloat (extremes.max, ==, max);
      g_assert_cmpfloat (extremes.whole_min, ==, whole_min);
      g_assert_cmpfloat (extremes.whole_max, ==, whole_max);
    }
}

/* The colour of a cell under each scale. */
static void
test_scales (void)
{
  const float weights[] = { 0.5f, 0.1f, 0.02f, 0.01f };
  const char *tokens[] = { "i", "i", NULL };
  const double expected[][4] = {
    [HL_VALUE_SCALE_LINEAR] = { 1, 0.2, 0.04, 0.02 },
    [HL_VALUE_SCALE_LOG] = { 1, 1 - log (5) / log (50), log (2) / log (50), 0 },
    [HL_VALUE_SCALE_ROW] = { 1, 0.2, 1, 0.5 },
  };
  g_autoptr (HlViewState) state = test_make_state (1, 1, 2, 2, weights, tokens, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 420, 340, 1);

  for (guint kind = HL_VALUE_SCALE_LINEAR; kind < G_N_ELEMENTS (expected); kind++)
    {
      hl_view_state_set_option (state, value_scale, kind);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
      for (guint i = 0; i < 4; i++)
        {
          cairo_rectangle_t box;
          locate_cell (scene, i / 2, i % 2, &box);
          const guint32 pixel = test_get_pixel (picture, box.x + 2, box.y + 2);
          const guint32 wanted = hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, FALSE, expected[kind][i]);
          for (guint shift = 0; shift < 24; shift += 8)
            g_assert_cmpint (ABS ((int) (pixel >> shift & 0xFF) - (int) (wanted >> shift & 0xFF)), <=, 3);
        }
    }
}

static void
test_stale (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (2, 3, 20);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 420, 340, 1);
  g_autoptr (HlSceneJob) old = hl_scene_create_job (scene);

  g_assert_true (hl_scene_job_run (old, NULL, NULL));
  hl_view_state_go_to (state, 1, 2);
  hl_scene_accept (scene, old);
  g_autoptr (cairo_surface_t) blank = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_true (test_is_blank (blank));
  test_prepare (scene);
  g_autoptr (cairo_surface_t) fresh = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_false (test_is_blank (fresh));
  hl_view_state_go_to (state, 0, 2);
  g_autoptr (cairo_surface_t) other = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_true (test_is_blank (other));

  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (HlSceneJob) cancelled = hl_scene_create_job (scene);
  g_autoptr (GError) error = NULL;
  g_cancellable_cancel (cancellable);
  g_assert_false (hl_scene_job_run (cancelled, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* A head too large to be kept: tiles, numbers and descriptions come from the source. */
static void
test_large (void)
{
  const gsize n = 4200;
  g_autofree float *weights = g_new (float, n *n);
  g_autofree const char **tokens = g_new0 (const char *, n + 1);
  const HlPick cell = { HL_PICK_CELL, .query = 4001, .key = 17 };
  cairo_rectangle_t box;

  for (gsize i = 0; i < n; i++)
    tokens[i] = "i";
  for (gsize i = 0; i < n * n; i++)
    weights[i] = 0.0001f;
  weights[cell.query * n + cell.key] = 0.75f;
  g_autoptr (HlViewState) state = test_make_state (1, 1, n, n, weights, tokens, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 640, 520, 1);

  test_prepare (scene);
  g_autofree char *before = hl_scene_describe (scene, &cell);
  g_assert_cmpstr (before, ==, "i → i");
  hl_view_state_set_hovered (state, &cell);
  test_prepare (scene);
  g_autofree char *after = hl_scene_describe (scene, &cell);
  g_assert_cmpstr (after, ==, "i → i 0.75");
  const HlPick key = { HL_PICK_KEY, .key = 17 };
  hl_view_state_set_hovered (state, &key);
  test_prepare (scene);
  g_autofree char *column = hl_scene_describe (scene, &key);
  g_assert_true (g_str_has_prefix (column, "i (key 17): i 0.75, "));

  locate_cell (scene, cell.query, cell.key, &box);
  hl_scene_zoom (scene, 1000, box.x, box.y);
  /* A pixel was ten cells, so that the cell may be out of view by now. */
  double x, y;
  hl_scene_get_scroll (scene, &x, &y);
  locate_cell (scene, cell.query, cell.key, &box);
  hl_scene_set_scroll (scene, x + box.x - 300, y + box.y - 250);
  test_prepare (scene);
  locate_cell (scene, cell.query, cell.key, &box);
  g_assert_cmpfloat (box.width, ==, 64);
  g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
  g_assert_cmphex (test_get_pixel (picture, box.x + 3, box.y + 3), ==,
                   hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, FALSE, 1));
  /* Ink of the number, on yellow. */
  guint n_dark = 0;
  for (y = box.y; y < box.y + box.height; y++)
    for (x = box.x; x < box.x + box.width; x++)
      n_dark += (test_get_pixel (picture, x, y) >> 16 & 0xFF) < 0x60;
  g_assert_cmpuint (n_dark, >, 20);
}

static void
test_degenerate (void)
{
  const float weights[] = { 0 };
  const char *tokens[] = { "", NULL };
  const double sizes[][2] = { { 0, 0 }, { 1, 1 }, { 30, 900 }, { 900, 30 }, { 400, 300 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (HlViewState) state = test_make_state (1, 1, 1, 1, weights, tokens, 0, (HlMask){ 0 });
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, sizes[i][0], sizes[i][1], 1);

      hl_view_state_set_hovered (state, &(HlPick){ HL_PICK_CELL });
      test_prepare (scene);
      g_autoptr (cairo_surface_t) picture = test_draw_all (scene);
      hl_scene_zoom (scene, 100, 10, 10);
      hl_scene_zoom (scene, 0.001, 10, 10);
      test_prepare (scene);
    }
}

/* Keys from the right: the same cells the other way round, on a screen and on paper, found where they are at every zoom. */
/* A strip has the colours of the mean of queries below the map, and of the sum of keys beside it, and the map stays. */
static void
test_gathered (void)
{
  const gsize n = 12, chosen[2] = { 3, 9 };
  const char *tokens[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", NULL };
  g_autofree float *weights = test_make_weights (3, 1, n, n);

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      g_autoptr (HlViewState) state = test_make_state (1, 1, n, n, weights, tokens, 0, (HlMask){ 0 });
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 620, 560, 1);
      cairo_rectangle_t box, cell;

      test_prepare (scene);
      g_autoptr (cairo_surface_t) before = test_draw_part (scene, HL_SCENE_PICTURE);
      for (gsize t = 0; t < G_N_ELEMENTS (chosen); t++)
        {
          const HlPick pick = hl_pick_of (side, chosen[t]);
          hl_view_state_gather (state, &pick);
        }
      g_autofree char *caption = hl_view_state_describe (state);
      g_assert_nonnull (strstr (caption, side == HL_QUERIES ? "mean of 2 queries: d, j" : "sum of 2 keys: d, j"));
      test_prepare (scene);
      g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
      g_autoptr (cairo_surface_t) overlay = test_draw_part (scene, HL_SCENE_OVERLAY);
      test_assert_similar ("heatmap-gathered", picture, before, 0, 0);
      g_assert_true (hl_heatmap_strip_get_box (hl_scene_get_frame (scene)->layout, side, &box));
      for (gsize i = 0; i < n; i++)
        {
          double value = 0;
          for (gsize t = 0; t < G_N_ELEMENTS (chosen); t++)
            value += side == HL_QUERIES ? weights[chosen[t] * n + i] / 2 : weights[i * n + chosen[t]];
          const guint32 wanted = hl_colour_map_lookup (hl_view_state_get_options (state)->colour_map, FALSE,
                                                       MIN (1, value / get_max (state)));
          locate_cell (scene, side == HL_QUERIES ? 0 : i, side == HL_QUERIES ? i : 0, &cell);
          const guint32 seen = side == HL_QUERIES ? test_get_pixel (overlay, cell.x + 2, box.y + 2)
                                                  : test_get_pixel (overlay, box.x + 2, cell.y + 2);
          for (guint shift = 0; shift < 24; shift += 8)
            g_assert_cmpint (ABS ((int) (seen >> shift & 0xFF) - (int) (wanted >> shift & 0xFF)), <=, 3);
        }
    }
}

static void
test_right_to_left (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (1, 1, 40);
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, 560, 480, 1);
  cairo_rectangle_t first, second;
  double width, height, x, y;

  hl_view_state_set_option (state, reading, HL_READING_RIGHT_TO_LEFT);
  for (guint zoom = 0; zoom < 2; zoom++)
    {
      const HlPick keys[] = { { HL_PICK_KEY, .key = 20 }, { HL_PICK_KEY, .key = 21 } };

      test_prepare (scene);
      g_autoptr (cairo_surface_t) picture = test_draw_part (scene, HL_SCENE_PICTURE);
      g_autoptr (cairo_surface_t) reference = paint_naively (scene, get_max (state));
      g_assert_false (test_is_blank (picture));
      /* Enlarged, the naive picture goes on beyond the plot. */
      if (zoom == 0)
        test_assert_similar ("heatmap-right-to-left", picture, reference, 1, 0.01);
      for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
        {
          const HlPick cell = { HL_PICK_CELL, .query = 20, .key = keys[i].key };
          cairo_rectangle_t *box = i == 0 ? &first : &second;
          HlPick picked;

          g_assert_true (hl_scene_locate (scene, &cell, &box->x, &box->y, &box->width, &box->height));
          hl_scene_pick (scene, box->x + box->width / 2, box->y + box->height / 2, &picked);
          g_assert_true (hl_pick_equal (&picked, &cell));
          g_assert_true (hl_scene_locate (scene, &keys[i], &box->x, &box->y, &box->width, &box->height));
          hl_scene_pick (scene, box->x + box->width / 2, box->y - 8, &picked);
          g_assert_cmpint (picked.kind, ==, HL_PICK_KEY);
        }
      g_assert_cmpfloat (second.x, <, first.x);
      hl_scene_zoom (scene, 1.8, first.x, first.y + first.height / 2);
    }

  /* It begins at the right. */
  hl_scene_set_progress (scene, 0, 0);
  hl_scene_measure (scene, &width, &height);
  hl_scene_get_scroll (scene, &x, &y);
  g_assert_cmpfloat (x, ==, width - 560);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/heatmap/picture/light-1x", GUINT_TO_POINTER (0), test_picture);
  g_test_add_data_func ("/heatmap/picture/dark-1x", GUINT_TO_POINTER (1), test_picture);
  g_test_add_data_func ("/heatmap/picture/light-2x", GUINT_TO_POINTER (2), test_picture);
  g_test_add_data_func ("/heatmap/picture/dark-2x", GUINT_TO_POINTER (3), test_picture);
  g_test_add_func ("/heatmap/uneven-cells", test_uneven_cells);
  g_test_add_func ("/heatmap/pooled", test_pooled);
  g_test_add_func ("/heatmap/pick", test_pick);
  g_test_add_func ("/heatmap/tiles", test_tiles);
  g_test_add_func ("/heatmap/zoom", test_zoom_keeps_place);
  g_test_add_func ("/heatmap/kinds-of-nothing", test_kinds_of_nothing);
  g_test_add_func ("/heatmap/scales", test_scales);
  g_test_add_func ("/heatmap/scattered", test_scattered);
  g_test_add_func ("/heatmap/auto-scale", test_auto_scale);
  g_test_add_func ("/heatmap/long-title", test_long_title);
  g_test_add_func ("/heatmap/off-diagonal", test_off_diagonal);
  g_test_add_func ("/heatmap/off-diagonal-read", test_off_diagonal_read);
  g_test_add_func ("/heatmap/stale", test_stale);
  g_test_add_func ("/heatmap/large", test_large);
  g_test_add_func ("/heatmap/degenerate", test_degenerate);
  g_test_add_func ("/heatmap/gathered", test_gathered);
  g_test_add_func ("/heatmap/right-to-left", test_right_to_left);

  return g_test_run ();
}
