/* SPDX-License-Identifier: MIT */
/* What takes any width: all that is in it has its room when it is drawn, whatever changes its mind while room is given away. */
#include "panel-support.h"

#include "app/widgets/hl-adaptive.h"

#define WIDTH 400
#define HEIGHT 300
#define STILL_MS 200

/* As a scrolled window that finds that it needs a bar: asks for another size while it gets its room. */
#define TYPE_LATE (late_get_type ())
G_DECLARE_FINAL_TYPE (Late, late, TEST, LATE, GtkWidget)

struct _Late
{
  GtkWidget parent_instance;

  guint n_changes;
  int height;
};

G_DEFINE_FINAL_TYPE (Late, late, GTK_TYPE_WIDGET)

static void
late_measure (GtkWidget     *widget,
              GtkOrientation orientation,
              int            for_size,
              int           *min,
              int           *nat,
              int           *min_baseline,
              int           *nat_baseline)
{
  *min = *nat = orientation == GTK_ORIENTATION_VERTICAL ? TEST_LATE (widget)->height : 10;
}

static void
late_size_allocate (GtkWidget *widget,
                    int        width,
                    int        height,
                    int        baseline)
{
  Late *self = TEST_LATE (widget);

  if (self->n_changes == 0)
    return;
  self->n_changes--;
  self->height += 10;
  gtk_widget_queue_resize (widget);
}

static void
late_class_init (LateClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->measure = late_measure;
  widget_class->size_allocate = late_size_allocate;
}

static void
late_init (Late *self)
{
  self->height = 10;
}

static void
append (GtkWidget *parent,
        GtkWidget *child)
{
  gtk_box_append (GTK_BOX (parent), child);
}

/* A bar above, and below it the one that is late, in boxes of which only the @nth from above gets another bar. */
static void
test_late (gconstpointer data)
{
  const guint nth = GPOINTER_TO_UINT (data);
  GtkWidget *adaptive = g_object_new (HL_TYPE_ADAPTIVE, NULL);
  Late *late = g_object_new (TYPE_LATE, NULL);
  GtkWidget *bar = gtk_label_new ("bar");
  GtkWidget *outer = NULL;
  GtkWidget *window;

  for (guint i = 0; i < 5; i++)
    {
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

      if (i == nth)
        append (box, bar);
      if (outer == NULL)
        gtk_widget_set_parent (box, adaptive);
      else
        append (outer, box);
      outer = box;
    }
  append (outer, GTK_WIDGET (late));
  window = panel_show (adaptive, WIDTH, HEIGHT);
  panel_wait (STILL_MS);

  late->n_changes = 2;
  gtk_label_set_label (GTK_LABEL (bar), "bar\nof two lines");
  gtk_widget_queue_allocate (GTK_WIDGET (late));
  /* GTK warns of what is drawn without room, which ends the test. */
  panel_wait (STILL_MS);
  g_assert_cmpuint (late->n_changes, ==, 0);
  /* It is still listened to. */
  late->height = 123;
  gtk_widget_queue_resize (GTK_WIDGET (late));
  panel_wait (STILL_MS);
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (late)), ==, 123);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/adaptive/late/below-window", GUINT_TO_POINTER (0), test_late);
  g_test_add_data_func ("/adaptive/late/within", GUINT_TO_POINTER (2), test_late);
  return g_test_run ();
}
