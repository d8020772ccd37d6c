/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/heads/hl-head-work.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_HEADS_PANEL (hl_heads_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlHeadsPanel, hl_heads_panel, HL, HEADS_PANEL, GtkWidget)

HlHeadsPanel *hl_heads_panel_new            (HlHeadWork   *work);
void          hl_heads_panel_set_view_state (HlHeadsPanel *self,
                                             HlViewState  *state);
void          hl_heads_panel_find           (HlHeadsPanel *self,
                                             const char   *pairs);
void          hl_heads_panel_sort_by_change (HlHeadsPanel *self);
void          hl_heads_panel_focus_pairs    (HlHeadsPanel *self);

G_END_DECLS
