/* SPDX-License-Identifier: MIT */
/* The filters: each control changes the view state and follows it, controls without use are not there. */
#include "panel-support.h"

#include "app/panels/hl-panels.h"

#include <adwaita.h>

static const PanelAttention plain = { .n_layers = 2, .n_heads = 3, .n = 10 };

static void
count (guint *n)
{
  (*n)++;
}

static GtkWidget *
create_panel (void)
{
  return g_object_ref_sink (g_object_new (HL_TYPE_FILTER_PANEL, NULL));
}

static void
test_life (void)
{
  HlViewState *state = panel_state_new (&plain);
  GtkWidget *panel = create_panel ();
  guint n_notified = 0;

  g_signal_connect_swapped (panel, "notify::view-state", G_CALLBACK (count), &n_notified);
  g_assert_false (gtk_widget_get_sensitive (panel_get_child (panel, "content")));
  g_object_set (panel, "view-state", state, NULL);
  g_object_set (panel, "view-state", state, NULL);
  g_assert_cmpuint (n_notified, ==, 1);
  g_assert_true (hl_state_panel_get_view_state (HL_STATE_PANEL (panel)) == state);
  g_assert_true (gtk_widget_get_sensitive (panel_get_child (panel, "content")));
  g_assert_finalize_object (panel);
  hl_view_state_set_option (state, threshold, 0.5);
  g_assert_finalize_object (state);
}

/* A panel is shown a state with filters set: it follows, and answers nothing back. */
static void
test_follows (void)
{
  const PanelAttention attention = { .n_layers = 2, .n_heads = 3, .n = 10 };
  g_autoptr (HlViewState) state = panel_state_new (&attention);
  GtkWidget *panel = create_panel ();
  guint n_notified = 0;

  hl_view_state_set_option (state, threshold, 0.0123);
  hl_view_state_set_option (state, top_mass, 0.905);
  g_signal_connect_swapped (state, "notify", G_CALLBACK (count), &n_notified);
  g_object_set (panel, "view-state", state, NULL);
  g_assert_cmpuint (n_notified, ==, 0);
  g_assert_cmpfloat (hl_view_state_get_options (state)->threshold, ==, 0.0123);
  g_assert_cmpfloat (hl_view_state_get_options (state)->top_mass, ==, 0.905);

  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (panel_get_child (panel, "threshold_value"))), ==, "0.0123");
  g_assert_finalize_object (panel);
}

/* The slider reaches 0, 1 and two digits of everything between in steps that look even on a logarithm. */
static void
test_threshold (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  GtkWidget *panel = create_panel ();
  GtkRange *slider = GTK_RANGE (panel_get_child (panel, "threshold"));
  GtkWidget *reset = panel_get_child (panel, "threshold_reset");
  double last = 0;

  g_object_set (panel, "view-state", state, NULL);
  g_assert_false (gtk_widget_get_sensitive (reset));
  for (int i = 1; i <= 50; i++)
    {
      gtk_range_set_value (slider, i / 50.0);
      const double threshold = hl_view_state_get_options (state)->threshold;
      g_assert_cmpfloat (threshold, >, last);
      g_assert_cmpfloat (gtk_range_get_value (slider), ==, i / 50.0);
      last = threshold;
    }
  g_assert_cmpfloat (last, ==, 1);
  g_assert_true (gtk_widget_get_sensitive (reset));
  g_signal_emit_by_name (reset, "clicked");
  g_assert_cmpfloat (hl_view_state_get_options (state)->threshold, ==, 0);
  g_assert_cmpfloat (gtk_range_get_value (slider), ==, 0);
  hl_view_state_set_option (state, threshold, 0.1);
  g_assert_cmpfloat_with_epsilon (gtk_range_get_value (slider), 2.0 / 3, 1e-9);
  g_assert_cmpfloat (hl_view_state_get_options (state)->threshold, ==, 0.1);
  g_assert_finalize_object (panel);
}

static void
test_top_mass (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  GtkWidget *panel = create_panel ();
  GtkRange *slider = GTK_RANGE (panel_get_child (panel, "top_mass"));
  GtkLabel *value = GTK_LABEL (panel_get_child (panel, "top_mass_value"));

  g_object_set (panel, "view-state", state, NULL);
  g_assert_cmpstr (gtk_label_get_label (value), ==, "all");
  gtk_range_set_value (slider, 90);
  g_assert_cmpfloat (hl_view_state_get_options (state)->top_mass, ==, 0.9);
  g_assert_cmpstr (gtk_label_get_label (value), ==, "90 %");
  g_signal_emit_by_name (panel_get_child (panel, "top_mass_reset"), "clicked");
  g_assert_cmpfloat (hl_view_state_get_options (state)->top_mass, ==, 1);
  g_assert_cmpfloat (gtk_range_get_value (slider), ==, 100);
  g_assert_finalize_object (panel);
}

/* Rows are those of keys where rows and columns changed places, and hold queries. */
static void
test_transposed (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  GtkWidget *panel = create_panel ();
  GtkLabel *title = GTK_LABEL (panel_get_child (panel, "top_mass_title"));

  g_object_set (panel, "view-state", state, NULL);
  g_assert_cmpstr (gtk_label_get_text (title), ==, "Strongest Keys Up To");
  hl_view_state_set_option (state, direction, HL_DIRECTION_TRANSPOSED);
  g_assert_cmpstr (gtk_label_get_text (title), ==, "Strongest Queries Up To");
  hl_view_state_set_option (state, direction, HL_DIRECTION_AS_IS);
  g_assert_cmpstr (gtk_label_get_text (title), ==, "Strongest Keys Up To");
  g_assert_finalize_object (panel);
}

/* The wheel over a slider moves the panel, not the slider. */
static void
test_wheel (void)
{
  GtkWidget *panel = create_panel ();
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (panel_get_child (panel, "threshold"));
  guint n_wheels = 0;

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      if (!GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        continue;
      n_wheels++;
      g_assert_cmpint (gtk_event_controller_get_propagation_phase (controller), ==, GTK_PHASE_NONE);
    }
  g_assert_cmpuint (n_wheels, >, 0);
  g_clear_object (&controllers);
  g_assert_finalize_object (panel);
}

static void
test_views (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  GtkWidget *panel = create_panel ();

  g_object_set (panel, "view-state", state, NULL);
  g_assert_true (gtk_widget_get_visible (panel));
  hl_view_state_set_option (state, view, HL_VIEW_STEPS);
  g_assert_false (gtk_widget_get_visible (panel));
  g_assert_finalize_object (panel);
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/filter-panel/life", test_life);
  g_test_add_func ("/filter-panel/follows", test_follows);
  g_test_add_func ("/filter-panel/threshold", test_threshold);
  g_test_add_func ("/filter-panel/top-mass", test_top_mass);
  g_test_add_func ("/filter-panel/transposed", test_transposed);
  g_test_add_func ("/filter-panel/views", test_views);
  g_test_add_func ("/filter-panel/wheel", test_wheel);
  return g_test_run ();
}
