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

static gboolean
is_there (GtkWidget  *panel,
          const char *name)
{
  return gtk_widget_get_visible (panel_get_child (panel, name));
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
  const PanelAttention attention = { .n_layers = 2, .n_heads = 3, .n = 10, .n_used = 8, .sentence_b_start = 4 };
  g_autoptr (HlViewState) state = panel_state_new (&attention);
  GtkWidget *panel = create_panel ();
  guint n_notified = 0;

  hl_view_state_set_option (state, threshold, 0.0123);
  hl_view_state_set_option (state, top_mass, 0.905);
  hl_view_state_set_option (state, sentences, HL_SENTENCES_B_TO_A);
  hl_view_state_set_option (state, crop_padding, FALSE);
  g_signal_connect_swapped (state, "notify", G_CALLBACK (count), &n_notified);
  g_object_set (panel, "view-state", state, NULL);
  g_assert_cmpuint (n_notified, ==, 0);
  g_assert_cmpfloat (hl_view_state_get_options (state)->threshold, ==, 0.0123);
  g_assert_cmpfloat (hl_view_state_get_options (state)->top_mass, ==, 0.905);

  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (panel_get_child (panel, "threshold_value"))), ==, "0.0123");
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (panel_get_child (panel, "sentences"))), ==,
                    HL_SENTENCES_B_TO_A);
  g_assert_false (gtk_switch_get_active (GTK_SWITCH (panel_get_child (panel, "crop_padding"))));
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
  g_assert_cmpstr (gtk_label_get_label (value), ==, "off");
  gtk_range_set_value (slider, 90);
  g_assert_cmpfloat (hl_view_state_get_options (state)->top_mass, ==, 0.9);
  g_assert_cmpstr (gtk_label_get_label (value), ==, "90 %");
  g_signal_emit_by_name (panel_get_child (panel, "top_mass_reset"), "clicked");
  g_assert_cmpfloat (hl_view_state_get_options (state)->top_mass, ==, 1);
  g_assert_cmpfloat (gtk_range_get_value (slider), ==, 100);
  g_assert_finalize_object (panel);
}

/* What an attention has no use for is not there. */
static void
test_rows (void)
{
  const PanelAttention pair = { .n_layers = 1, .n_heads = 1, .n = 10, .sentence_b_start = 4 };
  const PanelAttention padded = { .n_layers = 1, .n_heads = 1, .n = 10, .n_used = 9 };
  const struct
  {
    const PanelAttention *attention;
    gboolean has_sentences;
    gboolean has_padding;
  } cases[] = { { &plain, FALSE, FALSE }, { &pair, TRUE, FALSE }, { &padded, FALSE, TRUE } };
  GtkWidget *panel = create_panel ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HlViewState) state = panel_state_new (cases[i].attention);
      g_object_set (panel, "view-state", state, NULL);
      g_assert_true (is_there (panel, "sentences_row") == cases[i].has_sentences);
      g_assert_true (is_there (panel, "padding_row") == cases[i].has_padding);
      hl_view_state_set_option (state, view, HL_VIEW_STEPS);
      g_assert_true (gtk_widget_get_visible (panel) == (cases[i].has_sentences || cases[i].has_padding));
    }
  g_assert_finalize_object (panel);
}

static void
test_choices (void)
{
  const PanelAttention attention = { .n_layers = 1, .n_heads = 1, .n = 10, .n_used = 8, .sentence_b_start = 4 };
  g_autoptr (HlViewState) state = panel_state_new (&attention);
  GtkWidget *panel = create_panel ();
  GtkDropDown *sentences = GTK_DROP_DOWN (panel_get_child (panel, "sentences"));

  g_object_set (panel, "view-state", state, NULL);
  for (guint i = HL_SENTENCES_ALL; i <= HL_SENTENCES_B_TO_A; i++)
    {
      gtk_drop_down_set_selected (sentences, i);
      g_assert_cmpuint (hl_view_state_get_options (state)->sentences, ==, i);
    }
  gtk_switch_set_active (GTK_SWITCH (panel_get_child (panel, "crop_padding")), FALSE);
  g_assert_false (hl_view_state_get_options (state)->crop_padding);
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
  g_test_add_func ("/filter-panel/rows", test_rows);
  g_test_add_func ("/filter-panel/choices", test_choices);
  return g_test_run ();
}
