/* SPDX-License-Identifier: MIT */
/* What all scenes have in common: one is never scrolled past the end of what there is. */
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
  return g_test_run ();
}
