/* SPDX-License-Identifier: MIT */
/* Scale and mask of scores: there where a view shows them, followed, and changed. */
#include "panel-support.h"

#include "app/panels/hl-panels.h"
#include "view/spelling/hl-state-text.h"

#include <adwaita.h>

static HlViewState *
open_state (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "fixtures", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, &error);

  g_assert_no_error (error);
  return hl_view_state_new (example);
}

static void
test_visibility (void)
{
  const struct
  {
    const char *name;
    gboolean has_queries;
    gboolean has_mask;
  } cases[] = { { "qk-causal.h5", TRUE, TRUE }, { "qk-plain.h5", TRUE, FALSE }, { "f32-contiguous.h5", FALSE, FALSE } };
  GtkWidget *panel = g_object_ref_sink (g_object_new (HL_TYPE_SCORE_PANEL, NULL));

  g_assert_false (gtk_widget_get_visible (panel));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HlViewState) state = open_state (cases[i].name);

      hl_state_panel_set_view_state (HL_STATE_PANEL (panel), state);
      g_assert_false (gtk_widget_get_visible (panel));
      hl_view_state_set_option (state, view, HL_VIEW_NEURON);
      g_assert_true (gtk_widget_get_visible (panel) == cases[i].has_queries);
      hl_view_state_set_option (state, view, HL_VIEW_STEPS);
      g_assert_true (gtk_widget_get_visible (panel) == cases[i].has_queries);
      if (cases[i].has_queries)
        g_assert_true (gtk_widget_get_visible (panel_get_child (panel, "mask_row")) == cases[i].has_mask);
      hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
      g_assert_false (gtk_widget_get_visible (panel));
      hl_state_panel_set_view_state (HL_STATE_PANEL (panel), NULL);
    }
  g_assert_finalize_object (panel);
}

static void
test_controls (void)
{
  g_autoptr (HlViewState) state = open_state ("qk-causal.h5");
  GtkWidget *panel = g_object_ref_sink (g_object_new (HL_TYPE_SCORE_PANEL, NULL));
  GtkRange *scale = GTK_RANGE (panel_get_child (panel, "scale"));
  GtkLabel *value = GTK_LABEL (panel_get_child (panel, "scale_value"));
  GtkSwitch *mask = GTK_SWITCH (panel_get_child (panel, "mask"));
  HlAttentionSource *source;

  hl_view_state_set_option (state, view, HL_VIEW_STEPS);
  source = hl_view_state_get_shown (state)->source;
  hl_state_panel_set_view_state (HL_STATE_PANEL (panel), state);
  g_assert_cmpstr (gtk_label_get_label (value), ==, "× 1");
  g_assert_true (gtk_switch_get_active (mask));

  gtk_range_set_value (scale, 1);
  g_assert_cmpfloat (hl_view_state_get_options (state)->score_scale, ==, 10);
  g_assert_cmpstr (gtk_label_get_label (value), ==, "× 10");
  g_assert_true (hl_view_state_get_shown (state)->source != source);
  hl_view_state_set_option (state, score_scale, 0.1);
  g_assert_cmpfloat (gtk_range_get_value (scale), ==, -1);
  g_signal_emit_by_name (panel_get_child (panel, "scale_reset"), "clicked");
  g_assert_cmpfloat (hl_view_state_get_options (state)->score_scale, ==, 1);
  g_assert_true (hl_view_state_get_shown (state)->source == source);

  gtk_switch_set_active (mask, FALSE);
  g_assert_false (hl_view_state_get_options (state)->mask);
  g_assert_false (hl_attention_source_get_mask (hl_view_state_get_shown (state)->source, 0)->causal);
  /* Elsewhere the weights are the model's. */
  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  g_assert_true (hl_view_state_get_shown (state)->source == source);
  g_assert_finalize_object (panel);
}

/* A figure, and the file opened again, have them too. */
static void
test_copy (void)
{
  g_autoptr (HlViewState) state = open_state ("qk-causal.h5");
  g_autoptr (HlViewState) copy = hl_view_state_new (hl_view_state_get_example (state));

  hl_view_state_set_option (state, view, HL_VIEW_STEPS);
  hl_view_state_set_option (state, score_scale, 30);
  hl_view_state_set_option (state, mask, FALSE);
  hl_state_copy (copy, state);
  g_autofree char *caption = hl_view_state_describe (copy);
  g_assert_cmpstr (caption, ==, "attention weight · layer 0 · head 0 · scores × 30 · mask off");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/score-panel/visibility", test_visibility);
  g_test_add_func ("/score-panel/controls", test_controls);
  g_test_add_func ("/score-panel/copy", test_copy);
  return g_test_run ();
}
