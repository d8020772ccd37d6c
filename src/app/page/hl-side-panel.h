/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/heads/hl-heads-panel.h"

G_BEGIN_DECLS

#define HL_TYPE_SIDE_PANEL (hl_side_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlSidePanel, hl_side_panel, HL, SIDE_PANEL, GtkWidget)

void          hl_side_panel_set_view_state  (HlSidePanel *self,
                                             HlViewState *state);
HlHeadsPanel *hl_side_panel_get_heads       (HlSidePanel *self);
void          hl_side_panel_show_model      (HlSidePanel *self);
gboolean      hl_side_panel_get_shows_heads (HlSidePanel *self);
void          hl_side_panel_set_shows_heads (HlSidePanel *self,
                                             gboolean     shows_heads);
void          hl_side_panel_set_empty       (HlSidePanel *self,
                                             gboolean     empty);
void          hl_side_panel_set_narrow      (HlSidePanel *self,
                                             gboolean     narrow);
gboolean      hl_side_panel_get_shows_details (HlSidePanel *self);

G_END_DECLS
