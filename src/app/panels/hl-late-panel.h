/* SPDX-License-Identifier: MIT */
/* The place of a panel that is only there in some views, made when it is first wanted: to make all panels at once takes longer than
 * anything else before the first picture. */
#pragma once

#include "app/panels/hl-state-panel.h"

G_BEGIN_DECLS

#define HL_TYPE_LATE_PANEL (hl_late_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlLatePanel, hl_late_panel, HL, LATE_PANEL, GtkWidget)

G_END_DECLS
