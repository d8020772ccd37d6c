/* SPDX-License-Identifier: MIT */
/* The columns of the table of heads: chosen in a list, kept, and what cannot be told cannot be chosen. */
#include "panel-support.h"

#include "app/base/hl-settings.h"
#include "app/heads/hl-number-chooser.h"

#include <adwaita.h>
#include <string.h>

static GtkWidget *
find_check (GtkWidget  *widget,
            const char *label)
{
  if (GTK_IS_CHECK_BUTTON (widget) && g_strcmp0 (gtk_check_button_get_label (GTK_CHECK_BUTTON (widget)), label) == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_check (child, label);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
count (guint *n)
{
  (*n)++;
}

static void
test_choose (void)
{
  const PanelAttention attention = { .n_layers = 2, .n_heads = 3, .n = 10 };
  g_autoptr (GSettings) settings = hl_settings_new ();
  HlViewState *state = panel_state_new (&attention);
  HlNumberChooser *chooser = g_object_ref_sink (g_object_new (HL_TYPE_NUMBER_CHOOSER, NULL));
  GtkWidget *window = gtk_window_new ();
  const HlHeadNumberSet usual = hl_head_number_get_usual ();
  guint n_changes = 0;

  g_settings_reset (settings, "head-numbers");
  g_assert_cmpuint (hl_number_chooser_get_chosen (), ==, usual);
  g_signal_connect_swapped (chooser, "changed", G_CALLBACK (count), &n_changes);
  hl_number_chooser_set_view_state (chooser, state);
  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (chooser));
  gtk_window_present (GTK_WINDOW (window));
  gtk_menu_button_popup (GTK_MENU_BUTTON (gtk_widget_get_first_child (GTK_WIDGET (chooser))));
  panel_wait (20);

  GtkWidget *list =
    GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (gtk_widget_get_first_child (GTK_WIDGET (chooser)))));
  GtkWidget *pattern = find_check (list, "Pattern");
  GtkWidget *entropy = find_check (list, "Entropy");
  GtkWidget *induction = find_check (list, "Random Text: Induction");
  g_assert_true (gtk_check_button_get_active (GTK_CHECK_BUTTON (entropy)));
  g_assert_false (gtk_check_button_get_active (GTK_CHECK_BUTTON (pattern)));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (pattern), TRUE);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (entropy), FALSE);
  panel_wait (20);
  g_assert_cmpuint (hl_number_chooser_get_chosen (), ==,
                    (usual & ~HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_ENTROPY)) | HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_PATTERN));
  g_assert_cmpuint (n_changes, ==, 2);

  /* A file has no model. */
  g_assert_false (gtk_widget_get_sensitive (induction));
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (induction), "Needs the model"));
  g_settings_reset (settings, "head-numbers");
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (chooser);
  g_object_unref (state);
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/number-chooser/choose", test_choose);
  return g_test_run ();
}
