/* SPDX-License-Identifier: MIT */
/* GtkTextView sets its adjustment from the height that it had before: where it grew, it would stay scrolled past its
 * first lines. */
#include "app/base/hl-text-area.h"

struct _HlTextArea
{
  GtkTextView parent_instance;
};

G_DEFINE_FINAL_TYPE (HlTextArea, hl_text_area, GTK_TYPE_TEXT_VIEW)

static void
hl_text_area_size_allocate (GtkWidget *widget,
                            int        width,
                            int        height,
                            int        baseline)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (widget));

  GTK_WIDGET_CLASS (hl_text_area_parent_class)->size_allocate (widget, width, height, baseline);
  if (adjustment == NULL || gtk_adjustment_get_page_size (adjustment) == height)
    return;
  const double upper = MAX (gtk_adjustment_get_upper (adjustment), height);
  gtk_adjustment_configure (adjustment, CLAMP (gtk_adjustment_get_value (adjustment), 0, upper - height), 0, upper,
                            gtk_adjustment_get_step_increment (adjustment), height * 0.9, height);
}

static void
hl_text_area_class_init (HlTextAreaClass *klass)
{
  GTK_WIDGET_CLASS (klass)->size_allocate = hl_text_area_size_allocate;
}

static void
hl_text_area_init (HlTextArea *self)
{
}
