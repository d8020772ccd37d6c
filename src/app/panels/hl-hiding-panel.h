/* SPDX-License-Identifier: MIT */
/* Whether pieces are shown as words, and which tokens are left out. */
#pragma once

#include "app/panels/hl-state-panel.h"

G_BEGIN_DECLS

#define HL_TYPE_HIDING_PANEL (hl_hiding_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlHidingPanel, hl_hiding_panel, HL, HIDING_PANEL, HlStatePanel)

G_END_DECLS
