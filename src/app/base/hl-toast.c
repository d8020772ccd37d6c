/* SPDX-License-Identifier: MIT */
/* How what is said in passing comes. */
#include "config.h"

#include "app/base/hl-toast.h"

/* It comes at once, and only goes slowly: a toast of libadwaita 1.2 that is dismissed while it comes is freed when it
 * has gone, and written to when it has come. Whichever is last in a frame that took long ends the program. */
void
hl_toast_show (AdwToastOverlay *overlay,
               AdwToast        *toast)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (overlay));

  g_object_set (settings, "gtk-enable-animations", FALSE, NULL);
  adw_toast_overlay_add_toast (overlay, toast);
  gtk_settings_reset_property (settings, "gtk-enable-animations");
}
