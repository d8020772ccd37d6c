/* SPDX-License-Identifier: MIT */
/* Whether pieces are shown as words, and which tokens are left out. */
#pragma once

#include <gtk/gtk.h>

#include "draw/hl-view-state.h"

G_BEGIN_DECLS

#define HL_TYPE_HIDING_PANEL (hl_hiding_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlHidingPanel, hl_hiding_panel, HL, HIDING_PANEL, GtkWidget)

void hl_hiding_panel_set_view_state (HlHidingPanel *self,
                                     HlViewState   *state);

G_END_DECLS
