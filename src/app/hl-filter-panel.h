/* SPDX-License-Identifier: MIT */
/* What of a document is shown. */
#pragma once

#include "app/hl-session.h"
#include "app/hl-state-panel.h"

G_BEGIN_DECLS

#define HL_TYPE_FILTER_PANEL (hl_filter_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlFilterPanel, hl_filter_panel, HL, FILTER_PANEL, HlStatePanel)

GtkWidget *hl_filter_panel_new         (void);
HlSession *hl_filter_panel_get_session (HlFilterPanel *self);
void       hl_filter_panel_set_session (HlFilterPanel *self,
                                        HlSession     *session);

G_END_DECLS
