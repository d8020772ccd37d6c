/* SPDX-License-Identifier: MIT */
/* How strong lines are, whose colours they have, and what is told of the one that is pointed at. */
#include "test-scenes.h"

#include <math.h>
#include <string.h>

#include "core/test-attentions.h"
#include "draw/paint/hl-contrast.h"
#include "draw/paint/hl-diverging-map.h"
#include "draw/paint/hl-palette.h"
#include "draw/paint/hl-theme.h"

#define N 8
/* Lines begin and end this far from the labels. */
#define LABEL_PAD 8

static const char *const tokens[] = { "a", "b", "c", "d", "e", "f", "g", "h", NULL };

static cairo_rectangle_t
locate (HlScene *scene,
        HlSide   side,
        gsize    token)
{
  const HlPick pick = hl_pick_of (side, token);
  cairo_rectangle_t box;

  g_assert_true (hl_scene_locate (scene, &pick, &box.x, &box.y, &box.width, &box.height));
  return box;
}

/* A point of the line of a pair, so far from the query to the key. */
static void
find_point (HlScene *scene,
            gsize    query,
            gsize    key,
            double   t,
            double  *x,
            double  *y)
{
  const cairo_rectangle_t from = locate (scene, HL_QUERIES, query);
  const cairo_rectangle_t to = locate (scene, HL_KEYS, key);
  const double x_query = from.x + from.width + LABEL_PAD, x_key = to.x - LABEL_PAD;
  const double y_query = from.y + from.height / 2, y_key = to.y + to.height / 2;

  *x = x_query + t * (x_key - x_query);
  *y = y_query + t * (y_key - y_query);
}

/* The contrast of what is drawn along a line with the ground, where it is strongest. */
static double
get_contrast (HlScene         *scene,
              cairo_surface_t *picture,
              gsize            query,
              gsize            key)
{
  const HlTheme *theme = hl_theme_get (hl_view_state_get_options (hl_scene_get_state (scene))->dark);
  double x, y, best = 0;

  find_point (scene, query, key, 0.43, &x, &y);
  for (int dy = -2; dy <= 2; dy++)
    {
      const guint32 pixel = test_get_pixel (picture, x, y + dy);
      const HlColour colour = { (pixel >> 16 & 0xFF) / 255.0f, (pixel >> 8 & 0xFF) / 255.0f, (pixel & 0xFF) / 255.0f,
                                1 };
      best = MAX (best, hl_contrast_get (&colour, &theme->background));
    }
  return best;
}

/* A query that spreads its weight thin over all keys but one. */
static HlViewState *
make_thin (guint n_heads)
{
  g_autofree float *weights = g_new0 (float, n_heads *N *N);

  for (guint head = 0; head < n_heads; head++)
    {
      float *row = weights + head * N * N + 2 * N;
      for (gsize j = 0; j < N; j++)
        row[j] = 0.02f;
      row[5] = 0.1f;
      weights[head * N * N + 6 * N + 1] = 0.3f;
    }
  return test_make_state (1, n_heads, N, N, weights, tokens, 0, (HlMask){ 0 });
}

/* The strongest line of a query is seen, however little it is; true weights are as they were. */
static void
test_strongest_is_seen (void)
{
  for (guint dark = 0; dark < 2; dark++)
    {
      g_autoptr (HlViewState) state = make_thin (1);
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 640, 420, 1);

      hl_view_state_set_option (state, dark, dark);
      test_prepare (scene);
      /* Without a focus it is the strongest of all that is drawn in full. */
      g_autoptr (cairo_surface_t) whole = test_draw_all (scene);
      g_assert_cmpfloat (get_contrast (scene, whole, 6, 1), >=, HL_CONTRAST_OF_SHAPES);
      g_assert_cmpfloat (get_contrast (scene, whole, 2, 5), <, HL_CONTRAST_OF_SHAPES);
      hl_view_state_set_hovered (state, &(HlPick){ HL_PICK_QUERY, .query = 2 });
      g_autoptr (cairo_surface_t) hovered = test_draw_all (scene);
      g_assert_cmpfloat (get_contrast (scene, hovered, 2, 5), >=, HL_CONTRAST_OF_SHAPES);
      g_assert_cmpfloat (get_contrast (scene, hovered, 2, 1), <, 2);
      hl_view_state_set_option (state, relative_lines, FALSE);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) absolute = test_draw_all (scene);
      g_assert_cmpfloat (get_contrast (scene, absolute, 2, 5), <, 1.5);
    }
}

/* One that is infinite is drawn in full, and does not take the others away. */
static void
test_infinite (void)
{
  for (guint n_infinite = 1; n_infinite <= 2; n_infinite++)
    {
      g_autofree float *weights = g_new0 (float, N *N);

      weights[2 * N + 5] = INFINITY;
      weights[6 * N + 1] = n_infinite == 2 ? INFINITY : 0.3f;
      g_autoptr (HlViewState) state = test_make_state (1, 1, N, N, weights, tokens, 0, (HlMask){ 0 });
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 640, 420, 1);
      test_prepare (scene);
      for (guint i = 0; i < 2; i++)
        {
          if (i == 1)
            hl_view_state_set_hovered (state, &(HlPick){ HL_PICK_QUERY, .query = 6 });
          g_autoptr (cairo_surface_t) picture = test_draw_all (scene);
          g_assert_cmpfloat (get_contrast (scene, picture, 6, 1), >=, HL_CONTRAST_OF_SHAPES);
          if (i == 0)
            g_assert_cmpfloat (get_contrast (scene, picture, 2, 5), >=, HL_CONTRAST_OF_SHAPES);
        }
    }
}

/* The first colours of heads, and those of differences, as the strongest lines have them. */
static void
test_contrast (void)
{
  for (guint dark = 0; dark < 2; dark++)
    {
      const HlColour *ground = &hl_theme_get (dark)->background;

      for (guint head = 0; head < HL_PALETTE_SIZE; head++)
        {
          const HlColour colour = hl_palette_get_head_colour (head, dark);
          g_assert_cmpfloat (hl_contrast_get (&colour, ground), >=, HL_CONTRAST_OF_SHAPES);
        }
      for (guint negative = 0; negative < 2; negative++)
        {
          const HlColour colour = hl_diverging_map_get_end (dark, negative);
          g_assert_cmpfloat (hl_contrast_get (&colour, ground), >=, HL_CONTRAST_OF_SHAPES);
        }
    }
}

/* Text on the strongest stripe of any head can be read. */
static void
test_shades (void)
{
  for (guint dark = 0; dark < 2; dark++)
    for (guint head = 0; head < HL_PALETTE_SIZE; head++)
      {
        const HlTheme *theme = hl_theme_get (dark);
        const HlColour colour = hl_palette_get_head_colour (head, dark);
        const double shade = hl_contrast_find_shade (&theme->background, &colour, &theme->foreground);
        const HlColour seen = hl_contrast_mix (&theme->background, &colour, shade);

        g_assert_cmpfloat (hl_contrast_get (&seen, &theme->foreground), >=, HL_CONTRAST_OF_TEXT);
        g_assert_cmpfloat (hl_contrast_get (&seen, &theme->background), >, 1.3);
      }
}

/* Each head has its stripe in the cell of a key, of its colour, and none where it has no weight. */
static void
test_stripes (void)
{
  static const guint counts[] = { 2, 3, 12 };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      const guint n_heads = counts[i];
      g_autofree float *weights = g_new0 (float, n_heads *N *N);

      for (guint head = 0; head < n_heads; head++)
        weights[head * N * N + 2 * N + (head % 2 == 0 ? 5 : 6)] = 0.5f;
      g_autoptr (HlViewState) state = test_make_state (1, n_heads, N, N, weights, tokens, 0, (HlMask){ 0 });
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 800, 420, 1);

      hl_view_state_select_all_heads (state);
      hl_view_state_set_hovered (state, &(HlPick){ HL_PICK_QUERY, .query = 2 });
      test_prepare (scene);
      g_autoptr (cairo_surface_t) picture = test_draw_all (scene);
      for (guint head = 0; head < n_heads; head++)
        {
          const HlTheme *theme = hl_theme_get (FALSE);
          const HlColour colour = hl_palette_get_head_colour (head, FALSE);
          const double shade = hl_contrast_find_shade (&theme->background, &colour, &theme->foreground);
          const HlColour seen = hl_contrast_mix (&theme->background, &colour, shade);

          for (gsize key = 5; key <= 6; key++)
            {
              const cairo_rectangle_t box = locate (scene, HL_KEYS, key);
              const double x = box.x + box.width * (head + 0.5) / n_heads;
              const guint32 pixel = test_get_pixel (picture, x, box.y + 3);
              const guint32 wanted = (key == 5) == (head % 2 == 0) ? hl_colour_to_pixel (&seen) : 0xFFFFFFFF;

              for (guint shift = 0; shift < 24; shift += 8)
                g_assert_cmpint (ABS ((int) (pixel >> shift & 0xFF) - (int) (wanted >> shift & 0xFF)), <=, 2);
            }
        }
    }
}

/* Close to a line is on it, between lines is on none; of what is pinned, other lines are out of reach. */
static void
test_pick (void)
{
  static const HlOrientation orientations[] = { HL_ORIENTATION_VERTICAL, HL_ORIENTATION_HORIZONTAL };
  g_autofree float *weights = g_new0 (float, N *N);
  HlPick picked;
  double x, y;

  weights[2 * N + 5] = 0.4f;
  weights[6 * N + 0] = 0.3f;
  weights[3 * N + 3] = 0.01f;
  g_autoptr (HlViewState) state = test_make_state (1, 1, N, N, weights, tokens, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 640, 420, 1);

  test_prepare (scene);
  for (double t = 0.1; t < 0.95; t += 0.1)
    for (double away = -8; away <= 8; away += 1)
      {
        find_point (scene, 2, 5, t, &x, &y);
        hl_scene_pick (scene, x, y + away, &picked);
        /* Where they cross, the stronger one counts. */
        if (fabs (away) <= 3)
          g_assert_true (hl_pick_equal (&picked, &(HlPick){ HL_PICK_CELL, .query = 2, .key = 5 }));
        else if (fabs (away) >= 6)
          g_assert_false (hl_pick_equal (&picked, &(HlPick){ HL_PICK_CELL, .query = 2, .key = 5 }));
      }
  /* A line that can hardly be told from others is none to be pointed at, unless its token is pinned. */
  find_point (scene, 3, 3, 0.1, &x, &y);
  hl_scene_pick (scene, x, y, &picked);
  g_assert_cmpint (picked.kind, ==, HL_PICK_NONE);
  hl_view_state_set_pinned (state, &(HlPick){ HL_PICK_QUERY, .query = 3 });
  hl_scene_pick (scene, x, y, &picked);
  g_assert_true (hl_pick_equal (&picked, &(HlPick){ HL_PICK_CELL, .query = 3, .key = 3 }));
  find_point (scene, 2, 5, 0.8, &x, &y);
  hl_scene_pick (scene, x, y, &picked);
  g_assert_cmpint (picked.kind, ==, HL_PICK_NONE);
  g_autofree char *words = hl_scene_describe (scene, &(HlPick){ HL_PICK_CELL, .query = 2, .key = 5 });
  g_assert_cmpstr (words, ==, "c → f 0.40");
  hl_view_state_set_pinned (state, NULL);

  /* Whichever way tokens run: every point that is picked lies on the line. */
  for (guint i = 0; i < G_N_ELEMENTS (orientations); i++)
    for (HlReading reading = HL_READING_LEFT_TO_RIGHT; reading <= HL_READING_RIGHT_TO_LEFT; reading++)
      {
        guint n_picked = 0;

        hl_view_state_set_option (state, orientation, orientations[i]);
        hl_view_state_set_option (state, reading, reading);
        test_prepare (scene);
        hl_view_state_set_hovered (state, &(HlPick){ HL_PICK_CELL, .query = 2, .key = 5 });
        g_autoptr (cairo_surface_t) overlay = test_draw_part (scene, HL_SCENE_OVERLAY);
        hl_view_state_set_hovered (state, NULL);
        for (int at_y = 0; at_y < 420; at_y++)
          for (int at_x = 0; at_x < 640; at_x++)
            {
              gboolean ink = FALSE;

              hl_scene_pick (scene, at_x + 0.5, at_y + 0.5, &picked);
              if (!hl_pick_equal (&picked, &(HlPick){ HL_PICK_CELL, .query = 2, .key = 5 }))
                continue;
              n_picked++;
              for (int dy = -5; dy <= 5; dy++)
                for (int dx = -5; dx <= 5; dx++)
                  ink |= test_get_pixel (overlay, at_x + dx, at_y + dy) >> 24 > 0x80;
              g_assert_true (ink);
            }
        g_assert_cmpuint (n_picked, >, 400);
      }
}

/* Of several heads, those that are not pointed at step back: the line of the other is faint, with a focus and without. */
static void
test_dimmed (void)
{
  g_autofree float *weights = g_new0 (float, 2 * N * N);
  double x, y;

  weights[2 * N + 5] = 0.5f;
  weights[N * N + 2 * N + 5] = 0.4f;
  weights[N * N + 6 * N + 1] = 0.5f;
  g_autoptr (HlViewState) state = test_make_state (1, 2, N, N, weights, tokens, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 640, 420, 1);
  const HlPick chips[] = { { HL_PICK_HEAD, .head = 0 }, { HL_PICK_HEAD, .head = 1 } };

  hl_view_state_select_all_heads (state);
  test_prepare (scene);
  g_assert_null (hl_scene_create_job (scene));
  for (guint head = 0; head < 2; head++)
    {
      const HlColour colour = hl_palette_get_head_colour (head, FALSE);

      hl_view_state_set_hovered (state, &chips[head]);
      g_assert_cmpfloat (hl_scene_get_picture_opacity (scene), <, 0.3);
      test_prepare (scene);
      g_autoptr (cairo_surface_t) overlay = test_draw_part (scene, HL_SCENE_OVERLAY);
      /* A pair that both have, in the colour of the one that is pointed at. */
      find_point (scene, 2, 5, 0.3, &x, &y);
      const guint32 pixel = test_get_pixel (overlay, x, y);
      g_assert_cmphex (pixel >> 24, >, 0x60);
      g_assert_cmpint (ABS ((int) (pixel & 0xFF) - (int) lround (colour.b * (pixel >> 24))), <=, 3);
      find_point (scene, 6, 1, 0.2, &x, &y);
      g_assert_true ((test_get_pixel (overlay, x, y) >> 24 > 0x60) == (head == 1));
    }
  hl_view_state_set_pinned (state, &(HlPick){ HL_PICK_QUERY, .query = 6 });
  for (guint head = 0; head < 2; head++)
    {
      hl_view_state_set_hovered (state, &chips[head]);
      g_autoptr (cairo_surface_t) picture = test_draw_all (scene);
      g_assert_true ((get_contrast (scene, picture, 6, 1) > 2) == (head == 1));
    }
  hl_view_state_set_hovered (state, NULL);
  g_assert_cmpfloat (hl_scene_get_picture_opacity (scene), ==, 0);
}

static guint
count_ink (cairo_surface_t         *surface,
           const cairo_rectangle_t *box)
{
  guint n = 0;

  for (double y = box->y; y < box->y + box->height; y++)
    for (double x = box->x; x < box->x + box->width; x++)
      n += test_get_pixel (surface, x, y) >> 24 > 0x40;
  return n;
}

/* Of a long text, what a token attends to out of sight is told at the edge that it lies behind. */
static void
test_unseen (void)
{
  const gsize n = 200;
  g_autofree float *weights = g_new0 (float, n *n);
  g_autofree const char **texts = g_new0 (const char *, n + 1);

  for (gsize i = 0; i < n; i++)
    texts[i] = "word";
  weights[2 * n + 150] = 0.7f;
  weights[3 * n + 4] = 0.7f;
  g_autoptr (HlViewState) state = test_make_state (1, 1, n, n, weights, texts, 0, (HlMask){ 0 });
  g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEAD_VIEW, state, 640, 420, 1);

  test_prepare (scene);
  const cairo_rectangle_t first = locate (scene, HL_KEYS, 0);
  const cairo_rectangle_t below = { first.x, 404, first.width, 14 };
  hl_view_state_set_hovered (state, &(HlPick){ HL_PICK_QUERY, .query = 2 });
  g_autoptr (cairo_surface_t) told = test_draw_part (scene, HL_SCENE_OVERLAY);
  g_assert_cmpuint (count_ink (told, &below), >, 0);
  hl_view_state_set_hovered (state, &(HlPick){ HL_PICK_QUERY, .query = 3 });
  g_autoptr (cairo_surface_t) seen = test_draw_part (scene, HL_SCENE_OVERLAY);
  g_assert_cmpuint (count_ink (seen, &below), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/head-view-lines/strongest-is-seen", test_strongest_is_seen);
  g_test_add_func ("/head-view-lines/infinite", test_infinite);
  g_test_add_func ("/head-view-lines/contrast", test_contrast);
  g_test_add_func ("/head-view-lines/shades", test_shades);
  g_test_add_func ("/head-view-lines/stripes", test_stripes);
  g_test_add_func ("/head-view-lines/pick", test_pick);
  g_test_add_func ("/head-view-lines/dimmed", test_dimmed);
  g_test_add_func ("/head-view-lines/unseen", test_unseen);

  return g_test_run ();
}
