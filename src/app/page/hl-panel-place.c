/* SPDX-License-Identifier: MIT */
#include "app/page/hl-panel-place.h"

#include "app/base/hl-focus.h"
#include "app/widgets/hl-flap.h"
#include "app/widgets/hl-into-view.h"

/*
 * AdwFlap divides the speed that a panel starts with by how far it goes (libadwaita 1.2.2, animate_reveal() of adw-flap.c). Where
 * a tab came on top and has no room before the next frame, or is given its first, that is 0 / 0: what is shown of the panel is no
 * number then until a millisecond has gone by, and in a frame that comes first all in the flap is given widths that are
 * none. What it is told waits for a frame that it has room in. Who is not mapped is not animated.
 */
static gboolean
can_move (const HlPanelPlace *place)
{
  return !gtk_widget_get_mapped (GTK_WIDGET (place->flap)) ||
         adw_swipeable_get_distance (ADW_SWIPEABLE (place->flap)) > 0;
}

static void
tell (HlPanelPlace *place)
{
  place->told = TRUE;
  adw_flap_set_reveal_flap (place->flap, place->wanted);
  place->told = FALSE;
}

static void
stop_waiting (HlPanelPlace *place)
{
  if (place->waiting_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (place->flap), place->waiting_id);
  place->waiting_id = 0;
}

static gboolean
on_frame (GtkWidget     *flap,
          GdkFrameClock *clock,
          gpointer       data)
{
  HlPanelPlace *place = data;

  if (!can_move (place))
    return G_SOURCE_CONTINUE;
  place->waiting_id = 0;
  tell (place);
  return G_SOURCE_REMOVE;
}

static void
reveal (HlPanelPlace *place,
        gboolean      visible)
{
  place->wanted = !!visible;
  if (place->waiting_id != 0)
    return;
  if (can_move (place) || adw_flap_get_reveal_flap (place->flap) == place->wanted)
    tell (place);
  else
    place->waiting_id = gtk_widget_add_tick_callback (GTK_WIDGET (place->flap), on_frame, place, NULL);
}

/* To be called whenever a flap shows or hides its panel. By itself it does so while it is given its first room, cannot wait, and has the
 * panel there, or gone, at once. */
void
hl_panel_place_settle (HlPanelPlace *place)
{
  if (!adw_flap_get_reveal_flap (place->flap))
    hl_into_view_leave (place->panel);
  /* Also told of what this does, once it is done. */
  if (!can_move (place))
    hl_flap_finish (place->flap);
}

gboolean
hl_panel_place_get_visible (const HlPanelPlace *place)
{
  if (place->flap == NULL)
    return place->wanted;
  if (place->narrow)
    return hl_bottom_sheet_get_open (place->sheet);
  return place->waiting_id != 0 ? place->wanted : adw_flap_get_reveal_flap (place->flap);
}

/* Whether it comes over the scene, which has no room beside it. */
gboolean
hl_panel_place_covers (const HlPanelPlace *place)
{
  return place->flap != NULL && (place->narrow || adw_flap_get_folded (place->flap));
}

/* Of a page below others, what comes over a scene that has no room beside it does not come. */
static gboolean
has_room (const HlPanelPlace *place)
{
  return gtk_widget_get_mapped (GTK_WIDGET (place->flap)) || !adw_flap_get_folded (place->flap);
}

void
hl_panel_place_set_visible (HlPanelPlace *place,
                            gboolean      visible)
{
  if (place->flap == NULL)
    place->wanted = !!visible;
  else if (!place->narrow && visible && !has_room (place))
    return;
  else if (place->narrow)
    hl_bottom_sheet_set_open (place->sheet, visible);
  else
    reveal (place, visible);
}

/* The page came on top: what somebody chose holds where there is room for it. */
void
hl_panel_place_offer (HlPanelPlace *place,
                      gboolean      wanted)
{
  if (place->flap == NULL || place->narrow)
    return;
  if (adw_flap_get_folded (place->flap))
    reveal (place, FALSE);
  else if (wanted)
    reveal (place, TRUE);
}

/*
 * What AdwFlap draws of a panel that lies over the scene, its shadow, gets no room any more once there is no panel (libadwaita
 * 1.2.2, allocate_shadow() of adw-flap.c), and stays shown: GTK says so with a warning. With the next panel it is shown again.
 */
static void
hide_shadow (AdwFlap *flap)
{
  static const char *const parts[] = { "dimming", "shadow", "border", "outline", NULL };

  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (flap)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (g_strv_contains (parts, gtk_widget_get_css_name (child)))
      gtk_widget_set_child_visible (child, FALSE);
}

/* Back beside the scene, what somebody chose holds again. Returns whether the panel had the keyboard, which nobody has now. */
gboolean
hl_panel_place_set_narrow (HlPanelPlace *place,
                           gboolean      narrow,
                           GSettings    *settings)
{
  g_return_val_if_fail (place->narrow != narrow, FALSE);

  gboolean had_focus = hl_focus_leave (place->panel);
  place->narrow = narrow;
  hl_into_view_leave (place->panel);
  g_object_ref (place->panel);
  if (narrow)
    {
      stop_waiting (place);
      adw_flap_set_flap (place->flap, NULL);
      hide_shadow (place->flap);
      hl_bottom_sheet_set_child (place->sheet, place->panel);
    }
  else
    {
      hl_bottom_sheet_set_open (place->sheet, FALSE);
      /* The sheet gives it back to where it was before, which may be in the panel. */
      had_focus |= hl_focus_leave (place->panel);
      hl_bottom_sheet_set_child (place->sheet, NULL);
      adw_flap_set_flap (place->flap, place->panel);
      reveal (place, g_settings_get_boolean (settings, place->setting));
    }
  g_object_unref (place->panel);
  return had_focus;
}
