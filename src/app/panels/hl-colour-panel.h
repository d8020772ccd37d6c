/* SPDX-License-Identifier: MIT */
/* How weights look: what thumbnails show, and in which colours. */
#pragma once

#include "app/panels/hl-state-panel.h"

G_BEGIN_DECLS

#define HL_TYPE_COLOUR_PANEL (hl_colour_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlColourPanel, hl_colour_panel, HL, COLOUR_PANEL, HlStatePanel)

G_END_DECLS
