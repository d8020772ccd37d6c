/* SPDX-License-Identifier: MIT */
/* The panel that tells about the token in focus. */
#pragma once

#include "app/panels/hl-state-panel.h"

G_BEGIN_DECLS

#define HL_TYPE_TOKEN_PANEL (hl_token_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlTokenPanel, hl_token_panel, HL, TOKEN_PANEL, HlStatePanel)

G_END_DECLS
