/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/hl-view-state.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_QUANTITY_PANEL (hl_quantity_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlQuantityPanel, hl_quantity_panel, HL, QUANTITY_PANEL, GtkWidget)

void hl_quantity_panel_set_view_state (HlQuantityPanel *self,
                                       HlViewState     *state);

G_END_DECLS
