/* SPDX-License-Identifier: MIT */
/* Which tokens are shown: each control changes the view state and follows it, controls without use are not there, nor is
 * the heading of a group without controls. */
#include "panel-support.h"

#include "app/panels/hl-panel-group.h"
#include "app/panels/hl-panels.h"
#include "view/hl-sides.h"

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

/* A difference whose texts cannot be told apart shows all of them: the control says so, and what was chosen comes back. */
static void
test_difference (void)
{
  const PanelAttention pair = { .n_layers = 1, .n_heads = 1, .n = 10, .sentence_b_start = 4 };
  const PanelAttention single = { .n_layers = 1, .n_heads = 1, .n = 10 };
  g_autoptr (HlViewState) a = panel_state_new (&pair);
  g_autoptr (HlViewState) alike = panel_state_new (&pair), other = panel_state_new (&single);
  HlViewState *const seconds[] = { alike, other };
  GtkWidget *panel = create_panel ();
  GtkDropDown *sentences = GTK_DROP_DOWN (panel_get_child (panel, "sentences"));
  g_autofree char *explanation = g_strdup (gtk_widget_get_tooltip_text (GTK_WIDGET (sentences)));

  g_object_set (panel, "view-state", a, NULL);
  hl_view_state_set_option (a, sentences, HL_SENTENCES_A_TO_B);
  for (guint i = 0; i < G_N_ELEMENTS (seconds); i++)
    {
      const gboolean can_choose = seconds[i] == alike;
      g_autoptr (HlSides) sides = hl_sides_new (a, seconds[i], &(HlHeadPairing){ -1, -1 }, NULL);
      for (guint difference = 0; difference < 2; difference++)
        {
          const gboolean is_followed = can_choose || !difference;
          hl_sides_set_difference (sides, difference);
          g_assert_cmpuint (gtk_drop_down_get_selected (sentences), ==,
                            is_followed ? HL_SENTENCES_A_TO_B : HL_SENTENCES_ALL);
          g_assert_true (gtk_widget_is_sensitive (GTK_WIDGET (sentences)) == is_followed);
          g_assert_true (g_str_equal (gtk_widget_get_tooltip_text (GTK_WIDGET (sentences)), explanation) ==
                         is_followed);
          g_assert_cmpint (hl_view_state_get_options (a)->sentences, ==, HL_SENTENCES_A_TO_B);
          g_assert_cmpint (hl_view_state_get_shown (a)->options.sentences, ==, gtk_drop_down_get_selected (sentences));
        }
      hl_sides_close (sides);
      g_assert_cmpuint (gtk_drop_down_get_selected (sentences), ==, HL_SENTENCES_A_TO_B);
      g_assert_true (gtk_widget_is_sensitive (GTK_WIDGET (sentences)));
    }
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
  g_test_add_func ("/hiding-panel/difference", test_difference);
  g_test_add_func ("/hiding-panel/tooltips", test_tooltips);
  g_test_add_func ("/hiding-panel/group", test_group);
  return g_test_run ();
}
