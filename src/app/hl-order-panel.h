/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "draw/hl-view-state.h"

G_BEGIN_DECLS

#define HL_TYPE_ORDER_PANEL (hl_order_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlOrderPanel, hl_order_panel, HL, ORDER_PANEL, GtkWidget)

void hl_order_panel_set_view_state (HlOrderPanel *self,
                                    HlViewState  *state);

G_END_DECLS
