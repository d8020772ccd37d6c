/* SPDX-License-Identifier: MIT */
#include "app/page/hl-panel-place.h"

gboolean
hl_panel_place_get_visible (const HlPanelPlace *place)
{
  return place->narrow ? hl_bottom_sheet_get_open (place->sheet) : adw_flap_get_reveal_flap (place->flap);
}

void
hl_panel_place_set_visible (const HlPanelPlace *place,
                            gboolean            visible)
{
  if (place->narrow)
    hl_bottom_sheet_set_open (place->sheet, visible);
  else
    adw_flap_set_reveal_flap (place->flap, visible);
}

/* Back beside the scene, what somebody chose holds again. */
void
hl_panel_place_set_narrow (HlPanelPlace *place,
                           gboolean      narrow,
                           GSettings    *settings)
{
  g_return_if_fail (place->narrow != narrow);

  place->narrow = narrow;
  g_object_ref (place->panel);
  if (narrow)
    {
      adw_flap_set_flap (place->flap, NULL);
      hl_bottom_sheet_set_child (place->sheet, place->panel);
    }
  else
    {
      hl_bottom_sheet_set_open (place->sheet, FALSE);
      hl_bottom_sheet_set_child (place->sheet, NULL);
      adw_flap_set_flap (place->flap, place->panel);
      adw_flap_set_reveal_flap (place->flap, g_settings_get_boolean (settings, place->setting));
    }
  g_object_unref (place->panel);
}
