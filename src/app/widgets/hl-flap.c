/* SPDX-License-Identifier: MIT */
#include "app/widgets/hl-flap.h"

#include "app/base/hl-motion.h"

/* What its panel is on the way to, it is at once; room is given with the next layout. Returns whether it was on the way. */
gboolean
hl_flap_finish (AdwFlap *flap)
{
  g_return_val_if_fail (ADW_IS_FLAP (flap), FALSE);

  const gboolean visible = adw_flap_get_reveal_flap (flap);
  if (adw_flap_get_reveal_progress (flap) == visible)
    return FALSE;
  hl_motion_hold (GTK_WIDGET (flap));
  g_object_freeze_notify (G_OBJECT (flap));
  adw_flap_set_reveal_flap (flap, !visible);
  adw_flap_set_reveal_flap (flap, visible);
  g_object_thaw_notify (G_OBJECT (flap));
  hl_motion_resume (GTK_WIDGET (flap));
  return TRUE;
}
