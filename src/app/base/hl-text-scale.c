/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/base/hl-text-scale.h"

/* What GTK calls dots per inch, 1024 times, where text is as large as it was meant. */
#define PLAIN_DPI (96 * 1024.0)
/* What desktops let people choose. */
#define LEAST 0.5
#define MOST 3.0

/* How much larger than plain the desktop has text written; GTK's own is. */
double
hl_text_scale_get (GtkWidget *widget)
{
  int dpi;

  g_return_val_if_fail (GTK_IS_WIDGET (widget), 1);

  g_object_get (gtk_widget_get_settings (widget), "gtk-xft-dpi", &dpi, NULL);
  return dpi > 0 ? CLAMP (dpi / PLAIN_DPI, LEAST, MOST) : 1;
}
