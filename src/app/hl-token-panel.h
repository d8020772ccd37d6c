/* SPDX-License-Identifier: MIT */
/* The panel that tells about the token in focus. */
#pragma once

#include "draw/hl-view-state.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_TOKEN_PANEL (hl_token_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlTokenPanel, hl_token_panel, HL, TOKEN_PANEL, GtkWidget)

GtkWidget   *hl_token_panel_new            (void);
HlViewState *hl_token_panel_get_view_state (HlTokenPanel *self);
void         hl_token_panel_set_view_state (HlTokenPanel *self,
                                            HlViewState  *state);

G_END_DECLS
