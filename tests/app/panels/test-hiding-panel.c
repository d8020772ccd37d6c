/* SPDX-License-Identifier: MIT */
/* Which tokens are shown: each control changes the view state and follows it, controls without use are not there, nor is
 * the heading of a group without controls. */
#include "panel-support.h"

#include "app/panels/hl-panel-group.h"
#include "app/panels/hl-panels.h"

#include <adwaita.h>

static const PanelAttention plain = { .n_layers = 2, .n_heads = 3, .n = 10 };

static gboolean
is_there (GtkWidget  *panel,
          const char *name)
{
  return gtk_widget_get_visible (panel_get_child (panel, name));
}

static GtkWidget *
create_panel (void)
{
  return g_object_ref_sink (g_object_new (HL_TYPE_HIDING_PANEL, NULL));
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
      g_assert_true (is_there (panel, "words_row"));
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

/* Every control says what it does, in the words of --help. */
static void
test_tooltips (void)
{
  static const char *const controls[] = { "words", "special", "first", "crop_padding", "sentences", "renormalise" };
  GtkWidget *panel = create_panel ();

  for (guint i = 0; i < G_N_ELEMENTS (controls); i++)
    g_assert_nonnull (gtk_widget_get_tooltip_text (panel_get_child (panel, controls[i])));
  g_assert_finalize_object (panel);
}

static void
test_group (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  GtkWidget *group = g_object_ref_sink (g_object_new (HL_TYPE_PANEL_GROUP, "title", "Tokens", NULL));
  GtkWidget *panel = g_object_new (HL_TYPE_HIDING_PANEL, NULL);
  g_autofree char *title = NULL;

  g_object_get (group, "title", &title, NULL);
  g_assert_cmpstr (title, ==, "Tokens");
  g_assert_false (gtk_widget_get_visible (group));
  gtk_box_append (GTK_BOX (group), panel);
  g_assert_false (gtk_widget_get_visible (group));
  g_object_set (panel, "view-state", state, NULL);
  g_assert_true (gtk_widget_get_visible (group));
  hl_view_state_set_option (state, view, HL_VIEW_STEPS);
  g_assert_false (gtk_widget_get_visible (group));
  g_assert_finalize_object (group);
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/hiding-panel/rows", test_rows);
  g_test_add_func ("/hiding-panel/choices", test_choices);
  g_test_add_func ("/hiding-panel/tooltips", test_tooltips);
  g_test_add_func ("/hiding-panel/group", test_group);
  return g_test_run ();
}
