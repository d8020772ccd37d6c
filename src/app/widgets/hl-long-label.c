/* SPDX-License-Identifier: MIT */
/*
 * A text of a file, of thousands of letters perhaps and without a space, that wraps and can be selected. How wide it is does not depend on
 * how high: GTK asks for each height that comes up on the way to a size, and a GtkLabel answers by laying its text out at a dozen widths.
 */
#include "config.h"

#include "app/widgets/hl-long-label.h"

/* Letters of its least width, which a GtkLabel would find by giving each a line. */
#define MIN_LETTERS 12

struct _HlLongLabel
{
  GtkWidget parent_instance;

  GtkWidget *label;
};

G_DEFINE_FINAL_TYPE (HlLongLabel, hl_long_label, GTK_TYPE_WIDGET)

static GtkSizeRequestMode
hl_long_label_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
hl_long_label_measure (GtkWidget     *widget,
                       GtkOrientation orientation,
                       int            for_size,
                       int           *minimum,
                       int           *natural,
                       int           *minimum_baseline,
                       int           *natural_baseline)
{
  gtk_widget_measure (HL_LONG_LABEL (widget)->label, orientation,
                      orientation == GTK_ORIENTATION_HORIZONTAL ? -1 : for_size, minimum, natural, minimum_baseline,
                      natural_baseline);
}

static void
hl_long_label_size_allocate (GtkWidget *widget,
                             int        width,
                             int        height,
                             int        baseline)
{
  gtk_widget_allocate (HL_LONG_LABEL (widget)->label, width, height, baseline, NULL);
}

static void
hl_long_label_dispose (GObject *object)
{
  HlLongLabel *self = HL_LONG_LABEL (object);

  g_clear_pointer (&self->label, gtk_widget_unparent);
  G_OBJECT_CLASS (hl_long_label_parent_class)->dispose (object);
}

static void
hl_long_label_class_init (HlLongLabelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_long_label_dispose;
  widget_class->get_request_mode = hl_long_label_get_request_mode;
  widget_class->measure = hl_long_label_measure;
  widget_class->size_allocate = hl_long_label_size_allocate;
}

static void
hl_long_label_init (HlLongLabel *self)
{
  PangoAttrList *attributes = pango_attr_list_new ();

  /* A name may have some of its own. */
  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  self->label = gtk_label_new (NULL);
  gtk_label_set_attributes (GTK_LABEL (self->label), attributes);
  pango_attr_list_unref (attributes);
  gtk_label_set_xalign (GTK_LABEL (self->label), 0);
  gtk_label_set_yalign (GTK_LABEL (self->label), 0);
  gtk_label_set_selectable (GTK_LABEL (self->label), TRUE);
  gtk_label_set_wrap (GTK_LABEL (self->label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_width_chars (GTK_LABEL (self->label), MIN_LETTERS);
  gtk_widget_set_parent (self->label, GTK_WIDGET (self));
}

GtkWidget *
hl_long_label_new (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);

  HlLongLabel *self = g_object_new (HL_TYPE_LONG_LABEL, "hexpand", TRUE, NULL);
  gtk_label_set_text (GTK_LABEL (self->label), text);
  return GTK_WIDGET (self);
}
