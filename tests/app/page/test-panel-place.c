/* SPDX-License-Identifier: MIT */
/* Panels beside a scene: wherever the room comes from and goes to, each is from wholly hidden to wholly shown. */
#include "panel-support.h"

#include "app/base/hl-settings.h"
#include "app/page/hl-panel-place.h"

#include <math.h>

#define SCENE_WIDTH 300
#define PANEL_WIDTH 296
#define HEIGHT 300
/* What a spring takes, and more. */
#define STILL_MS 700

typedef struct
{
  HlPanelPlace place;
  GSettings *settings;
  GtkWidget *window;
  guint n_steps;
} Fixture;

static void
on_progress (AdwFlap    *flap,
             GParamSpec *property,
             gpointer    data)
{
  Fixture *fixture = data;
  const double progress = adw_flap_get_reveal_progress (flap);

  g_assert_true (isfinite (progress));
  fixture->n_steps++;
}

static void
on_revealed (Fixture *fixture)
{
  hl_panel_place_settle (&fixture->place);
}

static GtkWidget *
make_box (int width)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_set_size_request (box, width, HEIGHT);
  return box;
}

static void
make_place (Fixture *fixture)
{
  HlPanelPlace *place = &fixture->place;

  place->flap = g_object_ref_sink (ADW_FLAP (adw_flap_new ()));
  place->sheet = g_object_ref_sink (g_object_new (HL_TYPE_BOTTOM_SHEET, NULL));
  place->panel = make_box (PANEL_WIDTH);
  place->setting = "sidebar-visible";
  fixture->settings = hl_settings_new ();
  g_settings_set_boolean (fixture->settings, place->setting, TRUE);
  adw_flap_set_flap (place->flap, place->panel);
  adw_flap_set_separator (place->flap, gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  adw_flap_set_content (place->flap, make_box (SCENE_WIDTH));
  g_signal_connect (place->flap, "notify::reveal-progress", G_CALLBACK (on_progress), fixture);
  g_signal_connect_swapped (place->flap, "notify::reveal-flap", G_CALLBACK (on_revealed), fixture);
}

/* In an overlay, as on a page. */
static void
show (Fixture *fixture,
      int      width)
{
  GtkWidget *overlay = gtk_overlay_new ();

  gtk_overlay_set_child (GTK_OVERLAY (overlay), GTK_WIDGET (fixture->place.flap));
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), GTK_WIDGET (fixture->place.sheet));
  fixture->window = panel_show (overlay, width, HEIGHT);
  panel_wait (STILL_MS);
}

static void
clear (Fixture *fixture)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_object_unref (fixture->place.sheet);
  g_object_unref (fixture->place.flap);
  g_object_unref (fixture->settings);
}

/* The first part of a frame, in which events are told of; what moves from now on is asked where it is in the same frame. */
static void
put_on_top (GdkFrameClock *clock,
            Fixture       *fixture)
{
  GtkWidget *flap = GTK_WIDGET (fixture->place.flap);

  g_signal_handlers_disconnect_by_func (clock, put_on_top, fixture);
  gtk_window_set_child (GTK_WINDOW (fixture->window), flap);
  g_assert_true (gtk_widget_get_mapped (flap));
  g_assert_cmpint (gtk_widget_get_width (flap), ==, 0);
  hl_panel_place_set_visible (&fixture->place, TRUE);
  g_assert_true (hl_panel_place_get_visible (&fixture->place));
}

/* On a tab that comes on top: mapped, and without room before the end of the frame. */
static void
test_without_room (gconstpointer data)
{
  const int width = SCENE_WIDTH + PANEL_WIDTH + GPOINTER_TO_INT (data);
  Fixture fixture = { 0 };
  GdkFrameClock *clock;

  make_place (&fixture);
  hl_panel_place_set_visible (&fixture.place, FALSE);
  fixture.window = panel_show (make_box (10), width, HEIGHT);
  clock = gtk_widget_get_frame_clock (fixture.window);
  g_signal_connect (clock, "flush-events", G_CALLBACK (put_on_top), &fixture);
  gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_FLUSH_EVENTS | GDK_FRAME_CLOCK_PHASE_UPDATE);
  panel_wait (STILL_MS);
  g_assert_true (hl_panel_place_get_visible (&fixture.place));
  g_assert_cmpint (adw_flap_get_folded (fixture.place.flap), ==, GPOINTER_TO_INT (data) < 0);
  g_assert_cmpfloat (adw_flap_get_reveal_progress (fixture.place.flap), ==, 1);
  g_assert_cmpuint (fixture.n_steps, >, 1);
  clear (&fixture);
}

/* A tab that comes on top where there is no room for both: the first room that it is given folds the panel away. */
static void
test_folds (void)
{
  Fixture fixture = { 0 };
  GdkFrameClock *clock;

  make_place (&fixture);
  fixture.window = panel_show (make_box (10), SCENE_WIDTH + PANEL_WIDTH - 20, HEIGHT);
  clock = gtk_widget_get_frame_clock (fixture.window);
  GtkWidget *flap = GTK_WIDGET (fixture.place.flap);
  gtk_window_set_child (GTK_WINDOW (fixture.window), flap);
  g_assert_true (gtk_widget_get_mapped (flap));
  g_assert_false (adw_flap_get_folded (fixture.place.flap));
  gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_LAYOUT);
  PANEL_WAIT_UNTIL (adw_flap_get_folded (fixture.place.flap));
  /* Nobody saw it go. */
  g_assert_cmpfloat (adw_flap_get_reveal_progress (fixture.place.flap), ==, 0);
  panel_wait (STILL_MS);
  g_assert_false (hl_panel_place_get_visible (&fixture.place));
  g_assert_cmpfloat (adw_flap_get_reveal_progress (fixture.place.flap), ==, 0);
  /* From then on it moves. */
  fixture.n_steps = 0;
  hl_panel_place_set_visible (&fixture.place, TRUE);
  panel_wait (STILL_MS);
  g_assert_cmpfloat (adw_flap_get_reveal_progress (fixture.place.flap), ==, 1);
  g_assert_cmpuint (fixture.n_steps, >, 2);
  clear (&fixture);
}

/* It comes back from a narrow page, where it was not in the flap. */
static void
test_back_from_sheet (void)
{
  Fixture fixture = { 0 };

  make_place (&fixture);
  show (&fixture, SCENE_WIDTH + PANEL_WIDTH + 100);
  for (int i = 0; i < 3; i++)
    {
      hl_panel_place_set_visible (&fixture.place, FALSE);
      panel_wait (STILL_MS);
      hl_panel_place_set_narrow (&fixture.place, TRUE, fixture.settings);
      panel_wait (i == 0 ? STILL_MS : 20);
      hl_panel_place_set_narrow (&fixture.place, FALSE, fixture.settings);
      panel_wait (i == 1 ? 20 : STILL_MS);
    }
  g_assert_true (hl_panel_place_get_visible (&fixture.place));
  g_assert_cmpfloat (adw_flap_get_reveal_progress (fixture.place.flap), ==, 1);
  clear (&fixture);
}

/* With the keyboard in it, it goes and comes back before the frame ends. GTK 4.8 would keep it, with all that is in it, for ever. */
static void
test_let_go (void)
{
  Fixture fixture = { 0 };
  GtkWidget *entry = gtk_entry_new ();

  make_place (&fixture);
  GtkWidget *panel = fixture.place.panel;
  gtk_box_append (GTK_BOX (panel), entry);
  g_object_add_weak_pointer (G_OBJECT (panel), (gpointer *) &panel);
  show (&fixture, SCENE_WIDTH + PANEL_WIDTH + 100);
  g_assert_true (gtk_widget_grab_focus (entry));
  g_assert_true (hl_panel_place_set_narrow (&fixture.place, TRUE, fixture.settings));
  g_assert_false (hl_panel_place_set_narrow (&fixture.place, FALSE, fixture.settings));
  panel_wait (STILL_MS);
  clear (&fixture);
  panel_wait (100);
  g_assert_null (panel);
}

static void
drop_down (GtkWidget *button,
           GtkWidget *popover)
{
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  PANEL_WAIT_UNTIL (gtk_widget_get_mapped (popover));
}

/* What drops down from it goes with it: from where it is on the way it would come up out of the display. */
static void
test_lists (void)
{
  Fixture fixture = { 0 };
  GtkWidget *button = gtk_menu_button_new (), *popover = gtk_popover_new ();

  make_place (&fixture);
  gtk_popover_set_child (GTK_POPOVER (popover), gtk_button_new ());
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  gtk_box_append (GTK_BOX (fixture.place.panel), button);
  show (&fixture, SCENE_WIDTH + PANEL_WIDTH + 100);
  drop_down (button, popover);
  hl_panel_place_set_visible (&fixture.place, FALSE);
  g_assert_false (gtk_widget_get_visible (popover));
  panel_wait (STILL_MS);
  hl_panel_place_set_visible (&fixture.place, TRUE);
  panel_wait (STILL_MS);
  drop_down (button, popover);
  hl_panel_place_set_narrow (&fixture.place, TRUE, fixture.settings);
  g_assert_false (gtk_widget_get_visible (popover));
  hl_panel_place_set_visible (&fixture.place, TRUE);
  panel_wait (STILL_MS);
  drop_down (button, popover);
  hl_panel_place_set_visible (&fixture.place, FALSE);
  g_assert_false (gtk_widget_get_visible (popover));
  panel_wait (STILL_MS);
  clear (&fixture);
}

static gboolean
has_shadow (GtkWidget *flap)
{
  for (GtkWidget *child = gtk_widget_get_first_child (flap); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (g_str_equal (gtk_widget_get_css_name (child), "shadow"))
      return gtk_widget_get_child_visible (child);
  return FALSE;
}

/* It lies over the scene, with its shadow, when the page becomes narrow: of a flap without a panel nothing is drawn that has no
 * room. Any warning ends the test. */
static void
test_shadow (void)
{
  Fixture fixture = { 0 };

  make_place (&fixture);
  show (&fixture, SCENE_WIDTH + PANEL_WIDTH - 20);
  hl_panel_place_set_visible (&fixture.place, TRUE);
  panel_wait (STILL_MS);
  GtkWidget *flap = GTK_WIDGET (fixture.place.flap);
  g_assert_true (has_shadow (flap));
  hl_panel_place_set_narrow (&fixture.place, TRUE, fixture.settings);
  /* As whatever finds that something asked for room in the middle of the layout. */
  for (GtkWidget *child = gtk_widget_get_first_child (flap); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_child_visible (child))
      gtk_widget_queue_allocate (child);
  gtk_widget_queue_allocate (flap);
  panel_wait (STILL_MS);
  hl_panel_place_set_narrow (&fixture.place, FALSE, fixture.settings);
  panel_wait (STILL_MS);
  hl_panel_place_set_visible (&fixture.place, TRUE);
  panel_wait (STILL_MS);
  g_assert_true (has_shadow (flap));
  clear (&fixture);
}

/* Told to hide again before it had room to come, and gone from the flap before. */
static void
test_changed_mind (void)
{
  Fixture fixture = { 0 };

  make_place (&fixture);
  hl_panel_place_set_visible (&fixture.place, FALSE);
  fixture.window = panel_show (make_box (10), SCENE_WIDTH + PANEL_WIDTH + 100, HEIGHT);
  gtk_window_set_child (GTK_WINDOW (fixture.window), GTK_WIDGET (fixture.place.flap));
  hl_panel_place_set_visible (&fixture.place, TRUE);
  hl_panel_place_set_visible (&fixture.place, FALSE);
  g_assert_false (hl_panel_place_get_visible (&fixture.place));
  panel_wait (STILL_MS);
  g_assert_false (hl_panel_place_get_visible (&fixture.place));
  g_assert_cmpfloat (adw_flap_get_reveal_progress (fixture.place.flap), ==, 0);
  hl_panel_place_set_visible (&fixture.place, TRUE);
  panel_wait (STILL_MS);
  g_assert_cmpfloat (adw_flap_get_reveal_progress (fixture.place.flap), ==, 1);
  clear (&fixture);
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  /* Some displays have none. */
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", TRUE, NULL);
  g_test_add_data_func ("/panel-place/without-room/unfolded", GINT_TO_POINTER (100), test_without_room);
  g_test_add_data_func ("/panel-place/without-room/folded", GINT_TO_POINTER (-20), test_without_room);
  g_test_add_func ("/panel-place/folds", test_folds);
  g_test_add_func ("/panel-place/back-from-sheet", test_back_from_sheet);
  g_test_add_func ("/panel-place/changed-mind", test_changed_mind);
  g_test_add_func ("/panel-place/let-go", test_let_go);
  g_test_add_func ("/panel-place/lists", test_lists);
  g_test_add_func ("/panel-place/shadow", test_shadow);
  return g_test_run ();
}
