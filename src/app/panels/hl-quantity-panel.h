/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/panels/hl-state-panel.h"

G_BEGIN_DECLS

#define HL_TYPE_QUANTITY_PANEL (hl_quantity_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlQuantityPanel, hl_quantity_panel, HL, QUANTITY_PANEL, HlStatePanel)

G_END_DECLS
