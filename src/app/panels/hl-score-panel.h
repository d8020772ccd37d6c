/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/panels/hl-state-panel.h"

G_BEGIN_DECLS

#define HL_TYPE_SCORE_PANEL (hl_score_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlScorePanel, hl_score_panel, HL, SCORE_PANEL, HlStatePanel)

G_END_DECLS
