/* SPDX-License-Identifier: MIT */
/* Lists that drop down where their button was scrolled out of view. */
#include "config.h"

#include "panel-support.h"

#include "app/widgets/hl-into-view.h"

#include <adwaita.h>

/* Higher than any display of tests. */
#define FAR 4000

typedef struct
{
  GtkWidget *window;
  GtkWidget *scrolled;
  GtkWidget *list;
} Fixture;

/* A list between two heights of nothing. */
static void
set_up (Fixture *fixture,
        int      above)
{
  static const char *const strings[] = { "one", "two", "three", NULL };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *spaces[] = { gtk_drawing_area_new (), gtk_drawing_area_new () };

  fixture->window = gtk_window_new ();
  fixture->scrolled = gtk_scrolled_window_new ();
  fixture->list = gtk_drop_down_new_from_strings (strings);
  gtk_widget_set_size_request (spaces[0], -1, above);
  gtk_widget_set_size_request (spaces[1], -1, 2 * FAR);
  gtk_box_append (GTK_BOX (box), spaces[0]);
  gtk_box_append (GTK_BOX (box), fixture->list);
  gtk_box_append (GTK_BOX (box), spaces[1]);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (fixture->scrolled), box);
  gtk_window_set_child (GTK_WINDOW (fixture->window), fixture->scrolled);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 200, 200);
  gtk_window_present (GTK_WINDOW (fixture->window));
  PANEL_WAIT_UNTIL (gtk_widget_get_height (fixture->list) > 0);
}

static GtkAdjustment *
get_adjustment (const Fixture *fixture)
{
  return gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (fixture->scrolled));
}

/* Where its upper edge is. */
static double
get_top (const Fixture *fixture)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (fixture->list, fixture->scrolled, &bounds));
  return bounds.origin.y;
}

static void
scroll_to (const Fixture *fixture,
           double         value)
{
  const double before = get_top (fixture), step = value - gtk_adjustment_get_value (get_adjustment (fixture));

  gtk_adjustment_set_value (get_adjustment (fixture), value);
  PANEL_WAIT_UNTIL (ABS (before - step - get_top (fixture)) < 1);
}

static GtkWidget *
find_popover (const Fixture *fixture)
{
  GtkWidget *child = gtk_widget_get_first_child (fixture->list);

  while (child != NULL && !GTK_IS_POPOVER (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

static gboolean
is_open (const Fixture *fixture)
{
  GtkWidget *popover = find_popover (fixture);

  return popover != NULL && gtk_widget_get_mapped (popover);
}

/* A window that goes while its list comes has GTK ask a surface that is no longer there where the pointer is. */
static void
tear_down (const Fixture *fixture)
{
  gtk_popover_popdown (GTK_POPOVER (find_popover (fixture)));
  PANEL_WAIT_UNTIL (!is_open (fixture));
  gtk_window_destroy (GTK_WINDOW (fixture->window));
}

/* By its mnemonic, from above and from below. */
static void
test_drops_down (gconstpointer data)
{
  const gboolean is_below = GPOINTER_TO_INT (data);
  Fixture fixture;

  set_up (&fixture, is_below ? FAR : 0);
  scroll_to (&fixture, is_below ? 0 : FAR);
  g_assert_cmpfloat (ABS (get_top (&fixture)), >=, FAR - 200);
  gtk_widget_mnemonic_activate (fixture.list, FALSE);
  /* Of a place out of the display GTK would warn, and the test end. */
  PANEL_WAIT_UNTIL (is_open (&fixture));
  g_assert_cmpfloat (get_top (&fixture), >=, 0);
  g_assert_cmpfloat (get_top (&fixture) + gtk_widget_get_height (fixture.list), <=, 200);
  panel_wait (100);
  tear_down (&fixture);
}

/* In a panel that slides in from out of the window, and of the display: it is there at once. */
static void
test_slides (void)
{
  Fixture fixture;
  GtkWidget *flap = adw_flap_new ();

  set_up (&fixture, 0);
  g_object_ref (fixture.scrolled);
  gtk_window_set_child (GTK_WINDOW (fixture.window), flap);
  gtk_widget_set_size_request (fixture.scrolled, 150, 200);
  adw_flap_set_flap (ADW_FLAP (flap), fixture.scrolled);
  adw_flap_set_content (ADW_FLAP (flap), gtk_drawing_area_new ());
  adw_flap_set_fold_policy (ADW_FLAP (flap), ADW_FLAP_FOLD_POLICY_NEVER);
  g_object_unref (fixture.scrolled);
  PANEL_WAIT_UNTIL (gtk_widget_get_width (flap) > 0);
  g_object_set (gtk_widget_get_settings (flap), "gtk-enable-animations", TRUE, NULL);
  adw_flap_set_reveal_flap (ADW_FLAP (flap), FALSE);
  PANEL_WAIT_UNTIL (adw_flap_get_reveal_progress (ADW_FLAP (flap)) == 0);
  panel_wait (100);
  adw_flap_set_reveal_flap (ADW_FLAP (flap), TRUE);
  PANEL_WAIT_UNTIL (gtk_widget_get_mapped (fixture.list));
  g_assert_cmpfloat (adw_flap_get_reveal_progress (ADW_FLAP (flap)), <, 1);
  /* By the keyboard it would be pressed for a while first. */
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (gtk_widget_get_first_child (fixture.list)), TRUE);
  g_assert_cmpfloat (adw_flap_get_reveal_progress (ADW_FLAP (flap)), ==, 1);
  PANEL_WAIT_UNTIL (is_open (&fixture));
  panel_wait (100);
  tear_down (&fixture);
}

/* What is seen, if only in part, stays where the pointer is. */
static void
test_stays (void)
{
  Fixture fixture;

  set_up (&fixture, 0);
  scroll_to (&fixture, gtk_widget_get_height (fixture.list) / 2);
  const double top = get_top (&fixture);
  gtk_widget_mnemonic_activate (fixture.list, FALSE);
  PANEL_WAIT_UNTIL (is_open (&fixture));
  g_assert_cmpfloat_with_epsilon (get_top (&fixture), top, 0.5);
  tear_down (&fixture);
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  hl_into_view_watch ();
  g_test_add_data_func ("/into-view/above", GINT_TO_POINTER (FALSE), test_drops_down);
  g_test_add_data_func ("/into-view/below", GINT_TO_POINTER (TRUE), test_drops_down);
  g_test_add_func ("/into-view/slides", test_slides);
  g_test_add_func ("/into-view/stays", test_stays);
  return g_test_run ();
}
