/* SPDX-License-Identifier: MIT */
#include "app/base/hl-high-contrast.h"

#include <adwaita.h>

const HlTheme *
hl_high_contrast_get_theme (gboolean dark)
{
  return adw_style_manager_get_high_contrast (adw_style_manager_get_default ()) ? hl_theme_get_high_contrast (dark)
                                                                                : hl_theme_get (dark);
}

/* Draws it anew when that changes. */
void
hl_high_contrast_follow (GtkWidget *widget)
{
  g_signal_connect_object (adw_style_manager_get_default (), "notify::high-contrast",
                           G_CALLBACK (gtk_widget_queue_draw), widget, G_CONNECT_SWAPPED);
}
