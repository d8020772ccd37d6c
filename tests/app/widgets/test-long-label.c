/* SPDX-License-Identifier: MIT */
/* A long text of a file: all of it is there, in as many lines as it needs, and finding its size lays it out a few times. */
#include "config.h"

#include "panel-support.h"

#include "app/widgets/hl-long-label.h"

#include <adwaita.h>

#define N_LETTERS 2000
#define WIDTH 300

static void
get_widths (GtkWidget *widget,
            int        height,
            int       *minimum,
            int       *natural)
{
  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, height, minimum, natural, NULL, NULL);
}

/* A GtkLabel would be another width at each. */
static void
test_any_height (void)
{
  g_autofree char *text = g_strnfill (N_LETTERS, 'w');
  GtkWidget *label = g_object_ref_sink (hl_long_label_new (text));
  int minimum, natural, first_minimum, first_natural;

  get_widths (label, -1, &first_minimum, &first_natural);
  g_assert_cmpint (first_minimum, <, WIDTH);
  for (int height = 50; height < 5000; height += 450)
    {
      get_widths (label, height, &minimum, &natural);
      g_assert_cmpint (minimum, ==, first_minimum);
      g_assert_cmpint (natural, ==, first_natural);
    }
  g_object_unref (label);
}

/* Nothing of it is cut off, and somebody can have it. */
static void
test_whole (void)
{
  g_autofree char *text = g_strnfill (N_LETTERS, 'w');
  GtkWidget *label = hl_long_label_new (text);
  GtkWidget *window = panel_show (label, WIDTH, 100);
  GtkWidget *shown = gtk_widget_get_first_child (label);
  PangoLayout *layout = gtk_label_get_layout (GTK_LABEL (shown));
  int width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  g_assert_cmpint (pango_layout_get_line_count (layout), >, N_LETTERS / WIDTH);
  g_assert_cmpint (width, <=, gtk_widget_get_width (label));
  g_assert_cmpint (height, <=, gtk_widget_get_height (label));
  gtk_label_select_region (GTK_LABEL (shown), 0, -1);
  gtk_widget_activate_action (shown, "clipboard.copy", NULL);
  g_autofree char *copied = panel_read_clipboard (shown);
  g_assert_cmpstr (copied, ==, text);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/long-label/any-height", test_any_height);
  g_test_add_func ("/long-label/whole", test_whole);
  return g_test_run ();
}
