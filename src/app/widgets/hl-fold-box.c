/* SPDX-License-Identifier: MIT */
#include "app/widgets/hl-fold-box.h"

struct _HlFoldBox
{
  GtkWidget parent_instance;
};

G_DEFINE_FINAL_TYPE (HlFoldBox, hl_fold_box, GTK_TYPE_WIDGET)

static GtkSizeRequestMode
hl_fold_box_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* Along an axis: what one child needs at least, what all need together, and what they would like. */
static void
measure_all (GtkWidget     *widget,
             GtkOrientation orientation,
             int            for_size,
             int           *largest,
             int           *sum,
             int           *natural)
{
  *largest = *sum = *natural = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int minimum, wanted;

      if (!gtk_widget_should_layout (child))
        continue;
      gtk_widget_measure (child, orientation, for_size, &minimum, &wanted, NULL, NULL);
      *largest = MAX (*largest, minimum);
      *sum += minimum;
      *natural += wanted;
    }
}

static gboolean
is_wide (GtkWidget *widget,
         int        width)
{
  int largest, sum, natural;

  measure_all (widget, GTK_ORIENTATION_HORIZONTAL, -1, &largest, &sum, &natural);
  return width < 0 || width >= sum;
}

/* How the children share a length: each gets what it needs, then what it would like, and who expands the rest. */
static GtkRequestedSize *
share (GtkWidget     *widget,
       GtkOrientation orientation,
       int            length,
       int            for_size,
       guint         *n)
{
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (GtkRequestedSize));
  int left = length;
  guint n_expanding = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkRequestedSize size = { .data = child };

      if (!gtk_widget_should_layout (child))
        continue;
      gtk_widget_measure (child, orientation, for_size, &size.minimum_size, &size.natural_size, NULL, NULL);
      left -= size.minimum_size;
      n_expanding += gtk_widget_compute_expand (child, orientation);
      g_array_append_val (sizes, size);
    }
  *n = sizes->len;
  GtkRequestedSize *shares = (GtkRequestedSize *) g_array_free (sizes, FALSE);
  left = gtk_distribute_natural_allocation (MAX (left, 0), *n, shares);
  for (guint i = 0; i < *n && n_expanding > 0; i++)
    if (gtk_widget_compute_expand (shares[i].data, orientation))
      {
        const int more = left / (int) n_expanding--;
        shares[i].minimum_size += more;
        left -= more;
      }
  return shares;
}

static void
hl_fold_box_measure (GtkWidget     *widget,
                     GtkOrientation orientation,
                     int            for_size,
                     int           *minimum,
                     int           *natural,
                     int           *minimum_baseline,
                     int           *natural_baseline)
{
  int largest, sum, wanted;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      measure_all (widget, orientation, -1, &largest, &sum, &wanted);
      *minimum = largest;
      *natural = wanted;
      return;
    }
  if (!is_wide (widget, for_size))
    {
      measure_all (widget, orientation, for_size, &largest, minimum, natural);
      return;
    }
  guint n;
  g_autofree GtkRequestedSize *widths = share (widget, GTK_ORIENTATION_HORIZONTAL, for_size, -1, &n);
  *minimum = *natural = 0;
  for (guint i = 0; i < n; i++)
    {
      int low, high;

      gtk_widget_measure (widths[i].data, orientation, for_size < 0 ? -1 : widths[i].minimum_size, &low, &high, NULL,
                          NULL);
      *minimum = MAX (*minimum, low);
      *natural = MAX (*natural, high);
    }
}

static void
hl_fold_box_size_allocate (GtkWidget *widget,
                           int        width,
                           int        height,
                           int        baseline)
{
  const gboolean wide = is_wide (widget, width);
  const gboolean mirrored = wide && gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  guint n;
  g_autofree GtkRequestedSize *shares = wide ? share (widget, GTK_ORIENTATION_HORIZONTAL, width, -1, &n)
                                             : share (widget, GTK_ORIENTATION_VERTICAL, height, width, &n);
  int at = 0;

  for (guint i = 0; i < n; i++)
    {
      const int size = shares[i].minimum_size;
      const GtkAllocation area = wide ? (GtkAllocation){ mirrored ? width - at - size : at, 0, size, height }
                                      : (GtkAllocation){ 0, at, width, size };

      gtk_widget_size_allocate (shares[i].data, &area, -1);
      at += size;
    }
}

static void
hl_fold_box_dispose (GObject *object)
{
  for (GtkWidget *child; (child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL;)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (hl_fold_box_parent_class)->dispose (object);
}

static void
hl_fold_box_class_init (HlFoldBoxClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_fold_box_dispose;
  widget_class->get_request_mode = hl_fold_box_get_request_mode;
  widget_class->measure = hl_fold_box_measure;
  widget_class->size_allocate = hl_fold_box_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "foldbox");
}

static void
hl_fold_box_init (HlFoldBox *self)
{
}
