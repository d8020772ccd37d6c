/* SPDX-License-Identifier: MIT */
/* The filters: each control changes the view state and follows it, controls without use are not there, examples can be
 * chosen. */
#include "panel-support.h"

#include "app/hl-filter-panel.h"

#include <adwaita.h>

static const PanelBlock plain = { .n_layers = 2, .n_heads = 3, .n = 10 };

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

static HlSession *
open_session (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "fixtures", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  HlSession *session;

  g_assert_no_error (error);
  session = hl_session_new (document, &error);
  g_assert_no_error (error);
  return session;
}

static void
test_life (void)
{
  HlViewState *state = panel_state_new (&plain);
  GtkWidget *panel = g_object_ref_sink (hl_filter_panel_new ());
  guint n_notified = 0;

  g_signal_connect_swapped (panel, "notify::view-state", G_CALLBACK (count), &n_notified);
  g_assert_false (gtk_widget_get_sensitive (panel_get_child (panel, "content")));
  g_object_set (panel, "view-state", state, NULL);
  g_object_set (panel, "view-state", state, NULL);
  g_assert_cmpuint (n_notified, ==, 1);
  g_assert_true (hl_state_panel_get_view_state (HL_STATE_PANEL (panel)) == state);
  g_assert_null (hl_filter_panel_get_session (HL_FILTER_PANEL (panel)));
  g_assert_true (gtk_widget_get_sensitive (panel_get_child (panel, "content")));
  g_assert_finalize_object (panel);
  hl_view_state_set_threshold (state, 0.5);
  g_assert_finalize_object (state);
}

/* A panel is shown a state with filters set: it follows, and answers nothing back. */
static void
test_follows (void)
{
  const PanelBlock block = {
    .n_layers = 2, .n_heads = 3, .n = 10, .n_used = 8, .sentence_b_start = 4
  };
  g_autoptr (HlViewState) state = panel_state_new (&block);
  GtkWidget *panel = g_object_ref_sink (hl_filter_panel_new ());
  guint n_notified = 0;

  hl_view_state_set_threshold (state, 0.0123);
  hl_view_state_set_top_mass (state, 0.905);
  hl_view_state_set_sentences (state, HL_SENTENCES_B_TO_A);
  hl_view_state_set_crop_padding (state, FALSE);
  g_signal_connect_swapped (state, "notify", G_CALLBACK (count), &n_notified);
  g_object_set (panel, "view-state", state, NULL);
  g_assert_cmpuint (n_notified, ==, 0);
  g_assert_cmpfloat (hl_view_state_get_threshold (state), ==, 0.0123);
  g_assert_cmpfloat (hl_view_state_get_top_mass (state), ==, 0.905);

  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (panel_get_child (panel, "threshold_value"))), ==,
                   "0.0123");
  g_assert_cmpuint (gtk_drop_down_get_selected (
                      GTK_DROP_DOWN (panel_get_child (panel, "sentences"))),
                    ==, HL_SENTENCES_B_TO_A);
  g_assert_false (gtk_switch_get_active (GTK_SWITCH (panel_get_child (panel, "crop_padding"))));
  g_assert_finalize_object (panel);
}

/* The slider reaches 0, 1 and two digits of everything between in steps that look even on a logarithm. */
static void
test_threshold (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  GtkWidget *panel = g_object_ref_sink (hl_filter_panel_new ());
  GtkRange *slider = GTK_RANGE (panel_get_child (panel, "threshold"));
  GtkWidget *reset = panel_get_child (panel, "threshold_reset");
  double last = 0;

  g_object_set (panel, "view-state", state, NULL);
  g_assert_false (gtk_widget_get_sensitive (reset));
  for (int i = 1; i <= 50; i++)
    {
      gtk_range_set_value (slider, i / 50.0);
      const double threshold = hl_view_state_get_threshold (state);
      g_assert_cmpfloat (threshold, >, last);
      g_assert_cmpfloat (gtk_range_get_value (slider), ==, i / 50.0);
      last = threshold;
    }
  g_assert_cmpfloat (last, ==, 1);
  g_assert_true (gtk_widget_get_sensitive (reset));
  g_signal_emit_by_name (reset, "clicked");
  g_assert_cmpfloat (hl_view_state_get_threshold (state), ==, 0);
  g_assert_cmpfloat (gtk_range_get_value (slider), ==, 0);
  hl_view_state_set_threshold (state, 0.1);
  g_assert_cmpfloat_with_epsilon (gtk_range_get_value (slider), 2.0 / 3, 1e-9);
  g_assert_cmpfloat (hl_view_state_get_threshold (state), ==, 0.1);
  g_assert_finalize_object (panel);
}

static void
test_top_mass (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  GtkWidget *panel = g_object_ref_sink (hl_filter_panel_new ());
  GtkRange *slider = GTK_RANGE (panel_get_child (panel, "top_mass"));
  GtkLabel *value = GTK_LABEL (panel_get_child (panel, "top_mass_value"));

  g_object_set (panel, "view-state", state, NULL);
  g_assert_cmpstr (gtk_label_get_label (value), ==, "off");
  gtk_range_set_value (slider, 90);
  g_assert_cmpfloat (hl_view_state_get_top_mass (state), ==, 0.9);
  g_assert_cmpstr (gtk_label_get_label (value), ==, "90 %");
  g_signal_emit_by_name (panel_get_child (panel, "top_mass_reset"), "clicked");
  g_assert_cmpfloat (hl_view_state_get_top_mass (state), ==, 1);
  g_assert_cmpfloat (gtk_range_get_value (slider), ==, 100);
  g_assert_finalize_object (panel);
}

/* What a block has no use for is not there. */
static void
test_rows (void)
{
  const PanelBlock pair = { .n_layers = 1, .n_heads = 1, .n = 10, .sentence_b_start = 4 };
  const PanelBlock padded = { .n_layers = 1, .n_heads = 1, .n = 10, .n_used = 9 };
  const struct
  {
    const PanelBlock *block;
    gboolean has_sentences;
    gboolean has_padding;
  } cases[] = { { &plain, FALSE, FALSE }, { &pair, TRUE, FALSE }, { &padded, FALSE, TRUE } };
  GtkWidget *panel = g_object_ref_sink (hl_filter_panel_new ());

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HlViewState) state = panel_state_new (cases[i].block);
      g_object_set (panel, "view-state", state, NULL);
      g_assert_true (is_there (panel, "sentences_row") == cases[i].has_sentences);
      g_assert_true (is_there (panel, "padding_row") == cases[i].has_padding);
      g_assert_false (is_there (panel, "block_row"));
      g_assert_false (is_there (panel, "example_row"));
      hl_view_state_set_view (state, HL_VIEW_STEPS);
      g_assert_true (gtk_widget_get_visible (panel) == (cases[i].has_sentences || cases[i].has_padding));
    }
  g_assert_finalize_object (panel);
}

static void
test_choices (void)
{
  const PanelBlock block = {
    .n_layers = 1, .n_heads = 1, .n = 10, .n_used = 8, .sentence_b_start = 4
  };
  g_autoptr (HlViewState) state = panel_state_new (&block);
  GtkWidget *panel = g_object_ref_sink (hl_filter_panel_new ());
  GtkDropDown *sentences = GTK_DROP_DOWN (panel_get_child (panel, "sentences"));

  g_object_set (panel, "view-state", state, NULL);
  for (guint i = HL_SENTENCES_ALL; i <= HL_SENTENCES_B_TO_A; i++)
    {
      gtk_drop_down_set_selected (sentences, i);
      g_assert_cmpuint (hl_view_state_get_sentences (state), ==, i);
    }
  gtk_switch_set_active (GTK_SWITCH (panel_get_child (panel, "crop_padding")), FALSE);
  g_assert_false (hl_view_state_get_crop_padding (state));
  g_assert_finalize_object (panel);
}

static void
test_blocks (void)
{
  const PanelBlock blocks[] = {
    { .kind = HL_BLOCK_ENCODER, .n_layers = 2, .n_heads = 2, .n = 10, .sentence_b_start = 5 },
    { .kind = HL_BLOCK_DECODER, .n_layers = 2, .n_heads = 2, .n = 6 },
    { .kind = HL_BLOCK_CROSS, .n_layers = 2, .n_heads = 2, .n = 6 },
  };
  g_autoptr (HlExample) example = panel_example_new (blocks, G_N_ELEMENTS (blocks));
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  GtkWidget *panel = g_object_ref_sink (hl_filter_panel_new ());
  GtkWidget *row = panel_get_child (panel, "block_row");
  GtkWidget *button;

  g_object_set (panel, "view-state", state, NULL);
  g_assert_true (gtk_widget_get_visible (row));
  button = gtk_widget_get_first_child (row);
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button)));
  g_assert_true (is_there (panel, "sentences_row"));
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    {
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
      g_assert_cmpint (hl_block_get_kind (hl_view_state_get_block (state)), ==, blocks[i].kind);
      button = gtk_widget_get_next_sibling (button);
    }
  g_assert_null (button);
  g_assert_false (is_there (panel, "sentences_row"));
  hl_view_state_set_block (state, hl_example_get_block (example, 1));
  g_assert_true (gtk_toggle_button_get_active (
    GTK_TOGGLE_BUTTON (gtk_widget_get_next_sibling (gtk_widget_get_first_child (row)))));
  g_assert_finalize_object (panel);
}

static void
test_examples (void)
{
  HlSession *session = open_session ("examples.h5");
  HlDocument *document = hl_session_get_document (session);
  HlViewState *state = hl_session_get_view_state (session);
  GtkWidget *panel = g_object_ref_sink (hl_filter_panel_new ());
  GtkDropDown *example = GTK_DROP_DOWN (panel_get_child (panel, "example"));
  const guint n = hl_document_get_n_examples (document);

  g_object_set (panel, "session", session, "view-state", state, NULL);
  g_assert_true (is_there (panel, "example_row"));
  g_assert_cmpuint (n, >, 1);
  g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (example)), ==, n);
  g_assert_cmpuint (gtk_drop_down_get_selected (example), ==, 0);
  for (guint i = n; i-- > 0;)
    {
      gtk_drop_down_set_selected (example, i);
      PANEL_WAIT_UNTIL (!hl_session_get_busy (session));
      g_assert_cmpuint (hl_session_get_example_index (session), ==, i);
      g_assert_cmpuint (gtk_drop_down_get_selected (example), ==, i);
      g_assert_cmpstr (hl_example_get_name (hl_view_state_get_example (state)), ==,
                       hl_document_get_example_name (document, i));
    }
  hl_session_set_example_index (session, 1);
  g_assert_cmpuint (gtk_drop_down_get_selected (example), ==, 1);
  PANEL_WAIT_UNTIL (!hl_session_get_busy (session));
  panel_wait (20);
  g_assert_finalize_object (panel);
  g_assert_finalize_object (session);
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
  g_test_add_func ("/filter-panel/blocks", test_blocks);
  g_test_add_func ("/filter-panel/examples", test_examples);
  return g_test_run ();
}
