/* SPDX-License-Identifier: MIT */
/* Panels that come up from below: only what is seen takes the keyboard. */
#include "config.h"

#include "panel-support.h"

#include "app/widgets/hl-bottom-sheet.h"

/* A tab that was closed lives on until its work has ended, and its panels open and close with those of the other tabs. */
static void
test_without_window (void)
{
  g_autoptr (HlBottomSheet) sheet = g_object_ref_sink (g_object_new (HL_TYPE_BOTTOM_SHEET, NULL));

  hl_bottom_sheet_set_child (sheet, gtk_button_new_with_label ("A"));
  hl_bottom_sheet_set_open (sheet, TRUE);
  g_assert_true (hl_bottom_sheet_get_open (sheet));
  hl_bottom_sheet_set_open (sheet, FALSE);
  g_assert_false (hl_bottom_sheet_get_open (sheet));
}

static gboolean
on_done (GSignalInvocationHint *hint,
         guint                  n_values,
         const GValue          *values,
         gpointer               animation)
{
  g_set_weak_pointer ((GObject **) animation, g_value_get_object (values));
  return FALSE;
}

/* Each tab has a sheet for each of its panels: what makes it slide goes along with it. */
static void
test_animation_goes (void)
{
  HlBottomSheet *sheet = g_object_ref_sink (g_object_new (HL_TYPE_BOTTOM_SHEET, NULL));
  GObject *animation = NULL;

  g_signal_add_emission_hook (g_signal_lookup ("done", ADW_TYPE_ANIMATION), 0, on_done, &animation, NULL);
  hl_bottom_sheet_set_open (sheet, TRUE);
  g_assert_true (ADW_IS_ANIMATION (animation));
  g_assert_finalize_object (sheet);
  g_assert_null (animation);
}

static void
test_in_window (void)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *before = gtk_button_new_with_label ("Before");
  GtkWidget *inside = gtk_button_new_with_label ("Inside");
  HlBottomSheet *sheet = g_object_new (HL_TYPE_BOTTOM_SHEET, NULL);

  gtk_box_append (GTK_BOX (box), before);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (sheet));
  hl_bottom_sheet_set_child (sheet, inside);
  gtk_window_set_child (GTK_WINDOW (window), box);
  gtk_window_present (GTK_WINDOW (window));
  panel_wait (50);
  gtk_widget_grab_focus (before);
  hl_bottom_sheet_set_open (sheet, TRUE);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == inside);
  hl_bottom_sheet_set_open (sheet, FALSE);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == before);

  /* Where what had the keyboard before has gone, nothing has it that slides away. */
  hl_bottom_sheet_set_open (sheet, TRUE);
  gtk_widget_set_visible (before, FALSE);
  hl_bottom_sheet_set_open (sheet, FALSE);
  g_assert_null (gtk_window_get_focus (GTK_WINDOW (window)));
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/bottom-sheet/without-window", test_without_window);
  g_test_add_func ("/bottom-sheet/animation-goes", test_animation_goes);
  g_test_add_func ("/bottom-sheet/in-window", test_in_window);
  return g_test_run ();
}
