/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/page/hl-pixels-page.h"

#include "app/base/hl-accessible.h"

#include <glib/gi18n.h>

struct _HlPixelsPage
{
  AdwBin parent_instance;

  GtkLabel *size_label;
  GtkWidget *error_bar;
  GtkLabel *error_label;
  GtkWidget *button;
};

G_DEFINE_FINAL_TYPE (HlPixelsPage, hl_pixels_page, ADW_TYPE_BIN)

static void
hl_pixels_page_class_init (HlPixelsPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/pixels-page.ui");
  gtk_widget_class_bind_template_child (widget_class, HlPixelsPage, size_label);
  gtk_widget_class_bind_template_child (widget_class, HlPixelsPage, error_bar);
  gtk_widget_class_bind_template_child (widget_class, HlPixelsPage, error_label);
  gtk_widget_class_bind_template_child (widget_class, HlPixelsPage, button);
}

static void
hl_pixels_page_init (HlPixelsPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_accessible_name_buttons (GTK_WIDGET (self));
}

/* Of such a size, “3 × 224 × 224”. */
void
hl_pixels_page_ask (HlPixelsPage *self,
                    const char   *size)
{
  g_return_if_fail (HL_IS_PIXELS_PAGE (self));

  /* Translators: %s is channels × height × width */
  g_autofree char *label =
    g_strdup_printf (_ ("An array of NumPy with %s numbers, as its image processor gives them, is taken as it is."),
                     size);
  gtk_label_set_label (self->size_label, label);
  hl_pixels_page_set_error (self, NULL);
}

/* What is wrong with those that were chosen. */
void
hl_pixels_page_set_error (HlPixelsPage *self,
                          const char   *error)
{
  g_return_if_fail (HL_IS_PIXELS_PAGE (self));

  gtk_label_set_label (self->error_label, error != NULL ? error : "");
  gtk_widget_set_visible (self->error_bar, error != NULL);
}

void
hl_pixels_page_focus (HlPixelsPage *self)
{
  g_return_if_fail (HL_IS_PIXELS_PAGE (self));

  gtk_widget_grab_focus (self->button);
}
