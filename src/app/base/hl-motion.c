/* SPDX-License-Identifier: MIT */
#include "app/base/hl-motion.h"

/* Whatever begins to move on the widget's display has arrived, until hl_motion_resume(), which is to follow before the main loop goes
 * on. These do not nest. */
void
hl_motion_hold (GtkWidget *widget)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));

  g_object_set (gtk_widget_get_settings (widget), "gtk-enable-animations", FALSE, NULL);
}

/* From now on, what begins to move does if the user's desktop says so. */
void
hl_motion_resume (GtkWidget *widget)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));

  gtk_settings_reset_property (gtk_widget_get_settings (widget), "gtk-enable-animations");
}
