/* SPDX-License-Identifier: MIT */
#include "app/widgets/hl-flap.h"

/* Whether its panel is neither where it comes to nor where it goes. */
gboolean
hl_flap_is_sliding (AdwFlap *flap)
{
  g_return_val_if_fail (ADW_IS_FLAP (flap), FALSE);

  return adw_flap_get_reveal_progress (flap) != adw_flap_get_reveal_flap (flap);
}

/* What its panel is on the way to, it is at once. Room is given with the next layout. */
void
hl_flap_finish (AdwFlap *flap)
{
  g_return_if_fail (ADW_IS_FLAP (flap));

  if (!hl_flap_is_sliding (flap))
    return;

  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (flap));
  const gboolean visible = adw_flap_get_reveal_flap (flap);

  g_object_set (settings, "gtk-enable-animations", FALSE, NULL);
  g_object_freeze_notify (G_OBJECT (flap));
  adw_flap_set_reveal_flap (flap, !visible);
  adw_flap_set_reveal_flap (flap, visible);
  g_object_thaw_notify (G_OBJECT (flap));
  gtk_settings_reset_property (settings, "gtk-enable-animations");
}
