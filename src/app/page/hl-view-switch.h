/* SPDX-License-Identifier: MIT */
/* The views as buttons, a row of them, of which one is down. */
#pragma once

#include "app/panels/hl-state-panel.h"

G_BEGIN_DECLS

#define HL_TYPE_VIEW_SWITCH (hl_view_switch_get_type ())
G_DECLARE_FINAL_TYPE (HlViewSwitch, hl_view_switch, HL, VIEW_SWITCH, HlStatePanel)

G_END_DECLS
