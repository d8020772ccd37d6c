/* SPDX-License-Identifier: MIT */
/* Where a panel of a page is: beside the scene or, on a page as narrow as a phone, in a sheet that comes up from below. */
#pragma once

#include "app/widgets/hl-bottom-sheet.h"

#include <adwaita.h>

G_BEGIN_DECLS

typedef struct
{
  AdwFlap *flap; /* %NULL as long as the page has no widgets */
  HlBottomSheet *sheet;
  GtkWidget *panel;
  const char *setting; /* whether somebody wants it beside the scene */
  gboolean narrow;
  guint waiting_id; /* while the flap has no room yet, and is told later */
  gboolean wanted;  /* what it is told then, or once there is a flap */
  gboolean told;    /* while it is told, and does not fold by itself */
} HlPanelPlace;

gboolean hl_panel_place_get_visible (const HlPanelPlace *place);
gboolean hl_panel_place_covers (const HlPanelPlace *place);
void hl_panel_place_set_visible (HlPanelPlace *place, gboolean visible);
void hl_panel_place_offer (HlPanelPlace *place, gboolean wanted);
void hl_panel_place_settle (HlPanelPlace *place);
gboolean hl_panel_place_set_narrow (HlPanelPlace *place, gboolean narrow, GSettings *settings);

G_END_DECLS
