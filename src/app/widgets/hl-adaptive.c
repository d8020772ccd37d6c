/* SPDX-License-Identifier: MIT */
/*
 * Takes any width, however much its child asks for, and says before the child gets its room whether that is narrow
 * or wide, so that it can be arranged anew first. libadwaita has this from 1.4 on, as AdwBreakpointBin.
 */
#include "app/widgets/hl-adaptive.h"

/* Phones and halves of small screens. */
#define NARROW_BELOW 640
#define MIN_WIDTH 340

struct _HlAdaptive
{
  GtkWidget parent_instance;

  HlAdaptiveMeasure measure_wide;
  gpointer measure_data;
  gboolean narrow;
  gboolean wide;
  gboolean measured;
};

enum
{
  PROP_NARROW = 1,
  PROP_WIDE,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

static GtkBuildableIface *parent_buildable;

static void
hl_adaptive_add_child (GtkBuildable *buildable,
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
hl_adaptive_buildable_init (GtkBuildableIface *iface)
{
  parent_buildable = g_type_interface_peek_parent (iface);
  iface->add_child = hl_adaptive_add_child;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (HlAdaptive,
                               hl_adaptive,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_BUILDABLE, hl_adaptive_buildable_init))

static int
measure_min_width (GtkWidget *child)
{
  int min;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &min, NULL, NULL, NULL);
  return min;
}

static void
hl_adaptive_measure (GtkWidget     *widget,
                     GtkOrientation orientation,
                     int            for_size,
                     int           *min,
                     int           *nat,
                     int           *min_baseline,
                     int           *nat_baseline)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  HL_ADAPTIVE (widget)->measured = TRUE;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      gtk_widget_measure (child, orientation, -1, min, nat, NULL, NULL);
      *min = MIN (*min, MIN_WIDTH);
    }
  else
    {
      gtk_widget_measure (child, orientation, for_size < 0 ? -1 : MAX (for_size, measure_min_width (child)), min, nat,
                          NULL, NULL);
    }
}

/* Whether something below has asked for another size since this was asked last: only then it is measured anew. */
static gboolean
was_changed (HlAdaptive *self)
{
  int min;

  self->measured = FALSE;
  gtk_widget_measure (GTK_WIDGET (self), GTK_ORIENTATION_HORIZONTAL, -1, &min, NULL, NULL, NULL);
  return self->measured;
}

static void
queue_allocate_all (GtkWidget *widget)
{
  gtk_widget_queue_allocate (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!GTK_IS_NATIVE (child) && gtk_widget_get_visible (child) && gtk_widget_get_child_visible (child))
      queue_allocate_all (child);
}

static void
allocate_child (HlAdaptive *self,
                int         width,
                int         height,
                int         baseline)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self));
  const int child_width = MAX (width, measure_min_width (child));
  int min_height;

  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, child_width, &min_height, NULL, NULL, NULL);
  gtk_widget_allocate (child, child_width, MAX (height, min_height), baseline, NULL);
}

static void
hl_adaptive_size_allocate (GtkWidget *widget,
                           int        width,
                           int        height,
                           int        baseline)
{
  HlAdaptive *self = HL_ADAPTIVE (widget);
  const gboolean narrow = width < NARROW_BELOW;

  if (self->narrow != narrow)
    {
      self->narrow = narrow;
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_NARROW]);
    }
  const gboolean wide = !narrow && self->measure_wide != NULL && width >= self->measure_wide (self->measure_data);
  if (self->wide != wide)
    {
      self->wide = wide;
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_WIDE]);
    }
  was_changed (self);
  allocate_child (self, width, height, baseline);
  /*
   * A scrolled window that finds only now that it needs a bar asks for another size. GTK 4.8 marks all that is around it, takes the
   * marks from what gets its room anew just now, and leaves them to what stands between, which is then drawn with a warning
   * and never asked again. All get their room once more.
   */
  if (was_changed (self))
    {
      queue_allocate_all (gtk_widget_get_first_child (widget));
      allocate_child (self, width, height, baseline);
    }
}

static void
hl_adaptive_get_property (GObject    *object,
                          guint       id,
                          GValue     *value,
                          GParamSpec *pspec)
{
  switch (id)
    {
    case PROP_NARROW:
      g_value_set_boolean (value, HL_ADAPTIVE (object)->narrow);
      break;
    case PROP_WIDE:
      g_value_set_boolean (value, HL_ADAPTIVE (object)->wide);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_adaptive_dispose (GObject *object)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (object));

  if (child != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (hl_adaptive_parent_class)->dispose (object);
}

static void
hl_adaptive_class_init (HlAdaptiveClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = hl_adaptive_get_property;
  object_class->dispose = hl_adaptive_dispose;
  widget_class->measure = hl_adaptive_measure;
  widget_class->size_allocate = hl_adaptive_size_allocate;

  /* They change while room is given away, before the child gets its own. */
  properties[PROP_NARROW] =
    g_param_spec_boolean ("narrow", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_WIDE] = g_param_spec_boolean ("wide", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
hl_adaptive_init (HlAdaptive *self)
{
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

gboolean
hl_adaptive_get_narrow (HlAdaptive *self)
{
  g_return_val_if_fail (HL_IS_ADAPTIVE (self), FALSE);

  return self->narrow;
}

gboolean
hl_adaptive_get_wide (HlAdaptive *self)
{
  g_return_val_if_fail (HL_IS_ADAPTIVE (self), FALSE);

  return self->wide;
}

void
hl_adaptive_set_measure_wide (HlAdaptive       *self,
                              HlAdaptiveMeasure measure_wide,
                              gpointer          user_data)
{
  g_return_if_fail (HL_IS_ADAPTIVE (self));

  self->measure_wide = measure_wide;
  self->measure_data = user_data;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
