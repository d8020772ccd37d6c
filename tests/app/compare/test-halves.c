/* SPDX-License-Identifier: MIT */
/* The handle between two sides: in the middle, also of another room, until somebody moves it. */
#include "panel-support.h"

#include "app/compare/hl-halves.h"

static gboolean
is_halved (GtkPaned *paned,
           int       width)
{
  return gtk_widget_get_width (GTK_WIDGET (paned)) == width && gtk_paned_get_position (paned) == width / 2;
}

static void
test_halves (void)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  GtkWidget *second = gtk_drawing_area_new ();

  gtk_paned_set_start_child (GTK_PANED (paned), gtk_drawing_area_new ());
  gtk_paned_set_end_child (GTK_PANED (paned), second);
  gtk_widget_set_visible (second, FALSE);
  HlHalves *halves = hl_halves_new (GTK_PANED (paned));
  GtkWidget *window = panel_show (paned, 400, 300);
  PANEL_WAIT_UNTIL (gtk_widget_get_width (paned) == 400);

  hl_halves_begin (halves, TRUE);
  gtk_widget_set_visible (second, TRUE);
  PANEL_WAIT_UNTIL (is_halved (GTK_PANED (paned), 400));
  /* As panels go, there is more room. */
  gtk_window_set_default_size (GTK_WINDOW (window), 600, 300);
  PANEL_WAIT_UNTIL (is_halved (GTK_PANED (paned), 600));

  gtk_paned_set_position (GTK_PANED (paned), 200);
  gtk_window_set_default_size (GTK_WINDOW (window), 700, 300);
  PANEL_WAIT_UNTIL (gtk_widget_get_width (paned) == 700);
  panel_wait (100);
  g_assert_false (is_halved (GTK_PANED (paned), 700));
  /* A second side that comes anew is half. */
  hl_halves_begin (halves, TRUE);
  PANEL_WAIT_UNTIL (is_halved (GTK_PANED (paned), 700));

  gtk_window_destroy (GTK_WINDOW (window));
  g_assert_finalize_object (halves);
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);

  g_test_add_func ("/halves", test_halves);
  return g_test_run ();
}
