/* SPDX-License-Identifier: MIT */
/*
 * A row is broken before a child that has no longer the room that it needs at least. What a row has left goes to what
 * its children would like, then to those that expand. GtkFlowBox would make columns of them.
 */
#include "app/widgets/hl-wrap-box.h"

struct _HlWrapBox
{
  GtkWidget parent_instance;

  int spacing;
};

enum
{
  PROP_SPACING = 1,
};

static GtkBuildableIface *parent_buildable;

static void
hl_wrap_box_add_child (GtkBuildable *buildable,
                       GtkBuilder   *builder,
                       GObject      *child,
                       const char   *type)
{
  if (GTK_IS_WIDGET (child))
    gtk_widget_set_parent (GTK_WIDGET (child), GTK_WIDGET (buildable));
  else
    parent_buildable->add_child (buildable, builder, child, type);
}

static void
hl_wrap_box_buildable_init (GtkBuildableIface *iface)
{
  parent_buildable = g_type_interface_peek_parent (iface);
  iface->add_child = hl_wrap_box_add_child;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (HlWrapBox,
                               hl_wrap_box,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_BUILDABLE, hl_wrap_box_buildable_init))

/* What the visible children ask for across; each with the child itself as its data. */
static GArray *
measure_children (HlWrapBox *self)
{
  GArray *sizes = g_array_new (FALSE, TRUE, sizeof (GtkRequestedSize));

  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkRequestedSize size = { .data = child };
      if (!gtk_widget_should_layout (child))
        continue;
      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &size.minimum_size, &size.natural_size, NULL, NULL);
      g_array_append_val (sizes, size);
    }
  return sizes;
}

/* How many of them, from the first on, stand in a row of that width. */
static guint
count_row (HlWrapBox              *self,
           const GtkRequestedSize *sizes,
           guint                   n,
           int                     width)
{
  int needed = 0;

  for (guint i = 0; i < n; i++)
    {
      needed += sizes[i].minimum_size + (i > 0 ? self->spacing : 0);
      if (i > 0 && width >= 0 && needed > width)
        return i;
    }
  return n;
}

/* Turns what the children of a row ask for into what they get. */
static void
share_row (HlWrapBox        *self,
           GtkRequestedSize *sizes,
           guint             n,
           int               width)
{
  int left = width - (int) (n - 1) * self->spacing;
  int n_expand = 0;

  for (guint i = 0; i < n; i++)
    {
      left -= sizes[i].minimum_size;
      n_expand += gtk_widget_compute_expand (sizes[i].data, GTK_ORIENTATION_HORIZONTAL) ? 1 : 0;
    }
  left = gtk_distribute_natural_allocation (MAX (left, 0), n, sizes);
  for (guint i = 0; i < n && n_expand > 0; i++)
    if (gtk_widget_compute_expand (sizes[i].data, GTK_ORIENTATION_HORIZONTAL))
      {
        const int share = left / n_expand--;
        sizes[i].minimum_size += share;
        left -= share;
      }
}

/* The least that a row is high whose widths are given; without a width, of what they would like. */
static int
measure_row (const GtkRequestedSize *sizes,
             guint                   n,
             gboolean                has_width)
{
  int height = 0;

  for (guint i = 0; i < n; i++)
    {
      int child_min;
      gtk_widget_measure (sizes[i].data, GTK_ORIENTATION_VERTICAL, has_width ? sizes[i].minimum_size : -1, &child_min,
                          NULL, NULL, NULL);
      height = MAX (height, child_min);
    }
  return height;
}

static GtkSizeRequestMode
hl_wrap_box_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
hl_wrap_box_measure (GtkWidget     *widget,
                     GtkOrientation orientation,
                     int            for_size,
                     int           *min,
                     int           *nat,
                     int           *min_baseline,
                     int           *nat_baseline)
{
  HlWrapBox *self = HL_WRAP_BOX (widget);
  g_autoptr (GArray) sizes = measure_children (self);
  GtkRequestedSize *all = (GtkRequestedSize *) (void *) sizes->data;

  for (guint i = 0; orientation == GTK_ORIENTATION_HORIZONTAL && i < sizes->len; i++)
    {
      *min = MAX (*min, all[i].minimum_size);
      *nat += all[i].natural_size + (i > 0 ? self->spacing : 0);
    }
  for (guint i = 0, n; orientation == GTK_ORIENTATION_VERTICAL && i < sizes->len; i += n)
    {
      n = count_row (self, all + i, sizes->len - i, for_size);
      if (for_size >= 0)
        share_row (self, all + i, n, for_size);
      *min += measure_row (all + i, n, for_size >= 0) + (i > 0 ? self->spacing : 0);
      *nat = *min;
    }
}

static void
hl_wrap_box_size_allocate (GtkWidget *widget,
                           int        width,
                           int        height,
                           int        baseline)
{
  HlWrapBox *self = HL_WRAP_BOX (widget);
  const gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  g_autoptr (GArray) sizes = measure_children (self);
  GtkRequestedSize *all = (GtkRequestedSize *) (void *) sizes->data;
  int y = 0;

  for (guint i = 0, n; i < sizes->len; i += n)
    {
      int x = 0;
      n = count_row (self, all + i, sizes->len - i, width);
      share_row (self, all + i, n, width);
      const int row_height = measure_row (all + i, n, TRUE);
      for (guint k = i; k < i + n; k++)
        {
          const int child_width = all[k].minimum_size;
          gtk_widget_size_allocate (
            all[k].data, &(GtkAllocation){ mirrored ? width - x - child_width : x, y, child_width, row_height }, -1);
          x += child_width + self->spacing;
        }
      y += row_height + self->spacing;
    }
}

static void
hl_wrap_box_set_property (GObject      *object,
                          guint         id,
                          const GValue *value,
                          GParamSpec   *pspec)
{
  HlWrapBox *self = HL_WRAP_BOX (object);

  switch (id)
    {
    case PROP_SPACING:
      self->spacing = g_value_get_int (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_wrap_box_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (hl_wrap_box_parent_class)->dispose (object);
}

static void
hl_wrap_box_class_init (HlWrapBoxClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->set_property = hl_wrap_box_set_property;
  object_class->dispose = hl_wrap_box_dispose;
  widget_class->get_request_mode = hl_wrap_box_get_request_mode;
  widget_class->measure = hl_wrap_box_measure;
  widget_class->size_allocate = hl_wrap_box_size_allocate;

  g_object_class_install_property (object_class, PROP_SPACING,
                                   g_param_spec_int ("spacing", NULL, NULL, 0, G_MAXINT, 0, flags));
}

static void
hl_wrap_box_init (HlWrapBox *self)
{
}
