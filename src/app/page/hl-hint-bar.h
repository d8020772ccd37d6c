/* SPDX-License-Identifier: MIT */
/* One line below a picture: what can be done where the pointer is, and now and then something that is said once. */
#pragma once

#include "app/panels/hl-state-panel.h"

G_BEGIN_DECLS

#define HL_TYPE_HINT_BAR (hl_hint_bar_get_type ())
G_DECLARE_FINAL_TYPE (HlHintBar, hl_hint_bar, HL, HINT_BAR, HlStatePanel)

void hl_hint_bar_set_notice (HlHintBar  *self,
                             const char *text,
                             const char *button_label,
                             const char *action_name,
                             GVariant   *target);

G_END_DECLS
