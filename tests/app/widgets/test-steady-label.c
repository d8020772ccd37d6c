/* SPDX-License-Identifier: MIT */
/* A text that changes without having everything around it measured. */
#include "config.h"

#include "panel-support.h"

#include "app/widgets/hl-steady-label.h"

#include <adwaita.h>
#include <math.h>

#define WIDTH 240

/* What tells how often it was measured. */
#define COUNTING_TYPE_LAYOUT (counting_layout_get_type ())
G_DECLARE_FINAL_TYPE (CountingLayout, counting_layout, COUNTING, LAYOUT, GtkLayoutManager)

struct _CountingLayout
{
  GtkLayoutManager parent_instance;

  guint n_measured;
};

G_DEFINE_FINAL_TYPE (CountingLayout, counting_layout, GTK_TYPE_LAYOUT_MANAGER)

static void
counting_layout_measure (GtkLayoutManager *layout,
                         GtkWidget        *widget,
                         GtkOrientation    orientation,
                         int               for_size,
                         int              *minimum,
                         int              *natural,
                         int              *minimum_baseline,
                         int              *natural_baseline)
{
  COUNTING_LAYOUT (layout)->n_measured++;
  gtk_widget_measure (gtk_widget_get_first_child (widget), orientation, for_size, minimum, natural, NULL, NULL);
}

static void
counting_layout_allocate (GtkLayoutManager *layout,
                          GtkWidget        *widget,
                          int               width,
                          int               height,
                          int               baseline)
{
  gtk_widget_allocate (gtk_widget_get_first_child (widget), width, height, baseline, NULL);
}

static void
counting_layout_class_init (CountingLayoutClass *klass)
{
  GTK_LAYOUT_MANAGER_CLASS (klass)->measure = counting_layout_measure;
  GTK_LAYOUT_MANAGER_CLASS (klass)->allocate = counting_layout_allocate;
}

static void
counting_layout_init (CountingLayout *self)
{
}

typedef struct
{
  GtkWidget *window;
  HlSteadyLabel *label;
  CountingLayout *layout;
} Fixture;

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  GtkWidget *holder = adw_bin_new ();

  fixture->label = g_object_new (HL_TYPE_STEADY_LABEL, "valign", GTK_ALIGN_START, NULL);
  fixture->layout = g_object_new (COUNTING_TYPE_LAYOUT, NULL);
  adw_bin_set_child (ADW_BIN (holder), GTK_WIDGET (fixture->label));
  gtk_widget_set_layout_manager (holder, GTK_LAYOUT_MANAGER (fixture->layout));
  hl_steady_label_set_text (fixture->label, "one");
  fixture->window = panel_show (holder, WIDTH, 200);
  PANEL_WAIT_UNTIL (gtk_widget_get_height (GTK_WIDGET (fixture->label)) > 0);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
}

static int
get_height (const Fixture *fixture)
{
  return gtk_widget_get_height (GTK_WIDGET (fixture->label));
}

/* That it has room for, by the height of one. */
static int
count_lines (const Fixture *fixture,
             int            height)
{
  return (int) lround (get_height (fixture) / (double) height);
}

static gboolean
on_tick (GtkWidget     *widget,
         GdkFrameClock *clock,
         gpointer       n_ticks)
{
  (*(guint *) n_ticks)++;
  return G_SOURCE_CONTINUE;
}

/* What was asked for is done. */
static void
wait_for_frames (const Fixture *fixture)
{
  guint n_ticks = 0;
  const guint id = gtk_widget_add_tick_callback (fixture->window, on_tick, &n_ticks, NULL);

  PANEL_WAIT_UNTIL (n_ticks > 2);
  gtk_widget_remove_tick_callback (fixture->window, id);
}

static void
test_same_lines (Fixture      *fixture,
                 gconstpointer data)
{
  const int height = get_height (fixture);
  const guint n_before = fixture->layout->n_measured;

  hl_steady_label_set_text (fixture->label, "another");
  hl_steady_label_set_markup (fixture->label, "a <b>third</b>");
  wait_for_frames (fixture);
  g_assert_cmpuint (fixture->layout->n_measured, ==, n_before);
  g_assert_cmpint (get_height (fixture), ==, height);
  g_assert_cmpstr (pango_layout_get_text (hl_steady_label_get_layout (fixture->label)), ==, "a third");
}

static void
test_more_lines (Fixture      *fixture,
                 gconstpointer data)
{
  static const char text[] = "what has no room in a line of this width goes on in the next, and in those after it";
  PangoLayout *layout = hl_steady_label_get_layout (fixture->label);
  const int height = get_height (fixture);

  hl_steady_label_set_text (fixture->label, text);
  PANEL_WAIT_UNTIL (count_lines (fixture, height) >= 3);
  g_assert_false (pango_layout_is_ellipsized (layout));
  hl_steady_label_set_max_lines (fixture->label, 2);
  PANEL_WAIT_UNTIL (count_lines (fixture, height) == 2);
  g_assert_true (pango_layout_is_ellipsized (layout));
  hl_steady_label_set_max_lines (fixture->label, 0);
  PANEL_WAIT_UNTIL (count_lines (fixture, height) >= 3);
  hl_steady_label_set_text (fixture->label, "one");
  PANEL_WAIT_UNTIL (count_lines (fixture, height) == 1);
}

/* It is as wide as it is let be, whatever it says. */
static void
test_width (Fixture      *fixture,
            gconstpointer data)
{
  int before, after;

  gtk_widget_measure (GTK_WIDGET (fixture->label), GTK_ORIENTATION_HORIZONTAL, -1, &before, NULL, NULL, NULL);
  hl_steady_label_set_text (fixture->label, "antidisestablishmentarianism antidisestablishmentarianism");
  gtk_widget_measure (GTK_WIDGET (fixture->label), GTK_ORIENTATION_HORIZONTAL, -1, &after, NULL, NULL, NULL);
  g_assert_cmpint (before, ==, after);
  g_assert_cmpint (before, >, 0);
}

int
main (int    argc,
      char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add ("/steady-label/same-lines", Fixture, NULL, set_up, test_same_lines, tear_down);
  g_test_add ("/steady-label/more-lines", Fixture, NULL, set_up, test_more_lines, tear_down);
  g_test_add ("/steady-label/width", Fixture, NULL, set_up, test_width, tear_down);
  return g_test_run ();
}
