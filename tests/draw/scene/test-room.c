/* SPDX-License-Identifier: MIT */
/* The room that there is: rows of all views that join tokens are as high as it allows, and what is left is around them. */
#include "test-heads.h"
#include "test-scenes.h"

/* What the default window has for a picture. */
#define WIDTH 712.0
#define HEIGHT 724.0

#define LEAST_ROW 14.0
#define COMFORTABLE_ROW 48.0

static const HlViewKind views[] = { HL_VIEW_HEAD_VIEW, HL_VIEW_LAYERS, HL_VIEW_NEURON };

static HlScene *
make_scene (HlViewKind view,
            gsize      n,
            double     width,
            double     height)
{
  const TestHeads heads = { 2, 2, n, n, 64, 0, FALSE, { .scale = 0.25 } };
  g_autoptr (HlViewState) state = test_make_head_state (&heads);

  hl_view_state_set_option (state, view, view);
  return test_make_scene (view, state, width, height, 1);
}

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

/* Before anything scrolls, rows are as high as they fit, up to what needs not be higher; of more tokens they are never higher than of fewer. */
static void
test_rows (gconstpointer data)
{
  const HlViewKind view = views[GPOINTER_TO_INT (data)];
  double before = COMFORTABLE_ROW;

  for (gsize n = 2; n <= 120; n += n < 60 ? 1 : 20)
    {
      g_autoptr (HlScene) scene = make_scene (view, n, WIDTH, HEIGHT);
      cairo_rectangle_t window;
      double width, height;

      hl_scene_get_window (scene, &window);
      hl_scene_measure (scene, &width, &height);
      const cairo_rectangle_t first = locate (scene, HL_KEYS, 0), last = locate (scene, HL_KEYS, n - 1);
      const double above = first.y, below = HEIGHT - last.y - last.height;

      g_assert_cmpfloat (first.height, <=, before);
      g_assert_cmpfloat (first.height, >=, LEAST_ROW);
      before = first.height;
      if (n <= 40)
        g_assert_cmpfloat (height, <=, HEIGHT);
      if (first.height == COMFORTABLE_ROW)
        /* A header is above. */
        g_assert_cmpfloat (above - below, >, 0);
      else if (first.height > LEAST_ROW)
        /* So little is left that no row is a pixel higher. */
        g_assert_cmpfloat (n * (first.height + 1), >, last.y + last.height - first.y + below - 12);
      else
        g_assert_cmpfloat (height, >=, n * LEAST_ROW);
    }
  g_assert_cmpfloat (before, ==, LEAST_ROW);
}

/* What rows do not fill is half above and half below them. */
static void
test_middle (gconstpointer data)
{
  const HlViewKind view = views[GPOINTER_TO_INT (data)];
  g_autoptr (HlScene) scene = make_scene (view, 3, WIDTH, HEIGHT);
  g_autoptr (HlScene) taller = make_scene (view, 3, WIDTH, HEIGHT + 100);
  const double top = locate (scene, HL_KEYS, 0).y;

  g_assert_cmpfloat (top, >, HEIGHT / 3);
  g_assert_cmpfloat (locate (scene, HL_KEYS, 2).y, <, HEIGHT * 2 / 3);
  g_assert_cmpfloat_with_epsilon (locate (taller, HL_KEYS, 0).y - top, 50, 1);
}

/* However narrow: tokens of both sides, and the weights between, are in view. */
static void
test_neuron_is_narrow (void)
{
  static const double widths[] = { 360, 440, 520, 640, 800, 1000, 1280 };

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autoptr (HlScene) scene = make_scene (HL_VIEW_NEURON, 11, widths[i], 500);
      const HlPick pinned = hl_pick_of (HL_QUERIES, 4);
      double width, height;

      hl_view_state_set_pinned (hl_scene_get_state (scene), &pinned);
      test_prepare (scene);
      hl_scene_measure (scene, &width, &height);
      g_assert_cmpfloat (width, ==, widths[i]);

      const cairo_rectangle_t query = locate (scene, HL_QUERIES, 4), key = locate (scene, HL_KEYS, 4);
      g_assert_cmpfloat (query.x, >=, 0);
      g_assert_cmpfloat (key.x + key.width, <=, widths[i]);
      for (gsize feature = 0; feature < 64; feature += 63)
        {
          const HlPick pick = { HL_PICK_CELL, .query = 4, .key = 7, .step = HL_STEP_PRODUCTS, .feature = feature };
          cairo_rectangle_t box;
          HlPick found;

          g_assert_true (hl_scene_locate (scene, &pick, &box.x, &box.y, &box.width, &box.height));
          hl_scene_pick (scene, box.x + box.width / 2, box.y + box.height / 2, &found);
          g_assert_true (hl_pick_equal (&found, &pick));
        }
    }
}

/* A heatmap takes the width that a narrow window has, and is in the middle of the height. */
static void
test_heatmap (void)
{
  static const struct
  {
    double width, height, least_cell;
  } sizes[] = { { 360, 430, 14 }, { 430, 360, 10 }, { 712, 724, 40 }, { 1200, 724, 48 } };
  const HlPick first = { HL_PICK_CELL, .query = 0, .key = 0 }, last = { HL_PICK_CELL, .query = 10, .key = 10 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (HlViewState) state = test_make_random_state (1, 1, 11);
      g_autoptr (HlScene) scene = test_make_scene (HL_VIEW_HEATMAP, state, sizes[i].width, sizes[i].height, 1);
      cairo_rectangle_t a, b;
      double width, height;

      g_assert_true (hl_scene_locate (scene, &first, &a.x, &a.y, &a.width, &a.height));
      g_assert_true (hl_scene_locate (scene, &last, &b.x, &b.y, &b.width, &b.height));
      hl_scene_measure (scene, &width, &height);
      g_assert_cmpfloat (width, <=, sizes[i].width);
      g_assert_cmpfloat (height, <=, sizes[i].height);
      g_assert_cmpfloat (a.height, >=, sizes[i].least_cell);
      /* Above are caption, titles and labels, and below may be the bar of colours. */
      g_assert_cmpfloat (fabs (a.y - (sizes[i].height - b.y - b.height)), <, 120);
    }
}

int
main (int    argc,
      char **argv)
{
  static const char *const names[] = { "head-view", "layers", "neuron" };

  g_test_init (&argc, &argv, NULL);
  for (int i = 0; i < (int) G_N_ELEMENTS (views); i++)
    {
      g_autofree char *rows = g_strdup_printf ("/room/rows/%s", names[i]);
      g_autofree char *middle = g_strdup_printf ("/room/middle/%s", names[i]);
      g_test_add_data_func (rows, GINT_TO_POINTER (i), test_rows);
      g_test_add_data_func (middle, GINT_TO_POINTER (i), test_middle);
    }
  g_test_add_func ("/room/heatmap", test_heatmap);
  g_test_add_func ("/room/neuron-is-narrow", test_neuron_is_narrow);
  return g_test_run ();
}
