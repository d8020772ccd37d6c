/* SPDX-License-Identifier: MIT */
/* Which weights of an attention are drawn. */
#pragma once

#include "app/panels/hl-state-panel.h"

G_BEGIN_DECLS

#define HL_TYPE_FILTER_PANEL (hl_filter_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlFilterPanel, hl_filter_panel, HL, FILTER_PANEL, HlStatePanel)

G_END_DECLS
