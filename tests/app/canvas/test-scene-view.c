/* SPDX-License-Identifier: MIT */
/* The picture is as much larger as the desktop has text written: it has the less room, and the same pixels. */
#include "panel-support.h"

#include "app/canvas/hl-scene-view.h"

#include <adwaita.h>

static const PanelAttention plain = { .n_layers = 2, .n_heads = 3, .n = 200 };

static void
set_dpi (GtkWidget *widget,
         int        dpi)
{
  g_object_set (gtk_widget_get_settings (widget), "gtk-xft-dpi", dpi * 1024, NULL);
}

static void
check_viewport (HlSceneView *view,
                double       width,
                double       height,
                double       scale)
{
  double found[3];

  hl_scene_get_viewport (hl_scene_view_get_scene (view), &found[0], &found[1], &found[2]);
  g_assert_cmpfloat_with_epsilon (found[0], width, 1e-6);
  g_assert_cmpfloat_with_epsilon (found[1], height, 1e-6);
  g_assert_cmpfloat_with_epsilon (found[2], scale, 1e-6);
}

static void
test_text_scale (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  GtkWidget *view = g_object_new (HL_TYPE_SCENE_VIEW, NULL);
  GtkWidget *window = panel_show (view, 601, 400);
  double x, y, width, height;

  hl_view_state_set_option (state, view, HL_VIEW_HEAD_VIEW);
  set_dpi (view, 96);
  hl_scene_view_set_view_state (HL_SCENE_VIEW (view), state);
  check_viewport (HL_SCENE_VIEW (view), 601, 400, 1);
  /* Also of one that is seen already. */
  set_dpi (view, 192);
  check_viewport (HL_SCENE_VIEW (view), 300.5, 200, 2);

  /* Who scrolls it counts in pixels of the widget. */
  GtkAdjustment *adjustment = gtk_adjustment_new (0, 0, 0, 0, 0, 0);
  g_object_set (view, "vadjustment", adjustment, NULL);
  HlScene *scene = hl_scene_view_get_scene (HL_SCENE_VIEW (view));
  hl_scene_measure (scene, &width, &height);
  g_assert_cmpfloat (gtk_adjustment_get_page_size (adjustment), ==, 400);
  g_assert_cmpfloat_with_epsilon (gtk_adjustment_get_upper (adjustment), 2 * height, 1e-6);
  gtk_adjustment_set_value (adjustment, 101);
  hl_scene_get_scroll (scene, &x, &y);
  g_assert_cmpfloat_with_epsilon (y, 50.5, 1e-6);

  set_dpi (view, 96);
  check_viewport (HL_SCENE_VIEW (view), 601, 400, 1);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/scene-view/text-scale", test_text_scale);
  return g_test_run ();
}
