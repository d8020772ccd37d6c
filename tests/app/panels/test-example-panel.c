/* SPDX-License-Identifier: MIT */
/* Which example and which attention: each control changes what is shown and follows it, those without use are not
 * there. */
#include "panel-support.h"

#include "app/panels/hl-panels.h"

#include <adwaita.h>

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

static GtkWidget *
create_panel (void)
{
  return g_object_ref_sink (g_object_new (HL_TYPE_EXAMPLE_PANEL, NULL));
}

/* With one example of one attention there is nothing to choose. */
static void
test_life (void)
{
  const PanelAttention attention = { .n_layers = 2, .n_heads = 3, .n = 10 };
  HlViewState *state = panel_state_new (&attention);
  GtkWidget *panel = create_panel ();

  g_object_set (panel, "view-state", state, NULL);
  g_assert_false (is_there (panel, "attention_row"));
  g_assert_false (is_there (panel, "example_row"));
  g_assert_false (gtk_widget_get_visible (panel));
  g_assert_finalize_object (panel);
  g_assert_finalize_object (state);
}

static void
test_attentions (void)
{
  const PanelAttention attentions[] = {
    { .kind = HL_ATTENTION_ENCODER, .n_layers = 2, .n_heads = 2, .n = 10, .sentence_b_start = 5 },
    { .kind = HL_ATTENTION_DECODER, .n_layers = 2, .n_heads = 2, .n = 6 },
    { .kind = HL_ATTENTION_CROSS, .n_layers = 2, .n_heads = 2, .n = 6 },
  };
  g_autoptr (HlExample) example = panel_example_new (attentions, G_N_ELEMENTS (attentions));
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  GtkWidget *panel = create_panel ();
  GtkWidget *row = panel_get_child (panel, "attention_row");
  GtkWidget *button;

  g_object_set (panel, "view-state", state, NULL);
  g_assert_true (gtk_widget_get_visible (panel));
  g_assert_true (gtk_widget_get_visible (row));
  button = gtk_widget_get_first_child (row);
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button)));
  for (guint i = 0; i < G_N_ELEMENTS (attentions); i++)
    {
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
      g_assert_cmpint (hl_attention_get_kind (hl_view_state_get_attention (state)), ==, attentions[i].kind);
      button = gtk_widget_get_next_sibling (button);
    }
  g_assert_null (button);
  hl_view_state_set_attention (state, hl_example_get_attention (example, 1));
  g_assert_true (
    gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (gtk_widget_get_next_sibling (gtk_widget_get_first_child (row)))));
  g_assert_finalize_object (panel);
}

static void
test_examples (void)
{
  HlSession *session = open_session ("examples.h5");
  HlDocument *document = hl_session_get_document (session);
  HlViewState *state = hl_session_get_view_state (session);
  GtkWidget *panel = create_panel ();
  GtkDropDown *example = GTK_DROP_DOWN (panel_get_child (panel, "example"));
  const guint n = hl_document_get_n_examples (document);

  hl_example_panel_set_session (HL_EXAMPLE_PANEL (panel), session);
  g_object_set (panel, "view-state", state, NULL);
  g_assert_true (gtk_widget_get_visible (panel));
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

  g_test_add_func ("/example-panel/life", test_life);
  g_test_add_func ("/example-panel/blocks", test_attentions);
  g_test_add_func ("/example-panel/examples", test_examples);
  return g_test_run ();
}
