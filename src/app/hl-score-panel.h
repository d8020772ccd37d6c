/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "draw/hl-view-state.h"

G_BEGIN_DECLS

#define HL_TYPE_SCORE_PANEL (hl_score_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlScorePanel, hl_score_panel, HL, SCORE_PANEL, GtkWidget)

void hl_score_panel_set_view_state (HlScorePanel *self,
                                    HlViewState  *state);

G_END_DECLS
