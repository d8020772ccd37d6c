/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/panels/hl-state-panel.h"

G_BEGIN_DECLS

#define HL_TYPE_ORDER_PANEL (hl_order_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlOrderPanel, hl_order_panel, HL, ORDER_PANEL, HlStatePanel)

G_END_DECLS
