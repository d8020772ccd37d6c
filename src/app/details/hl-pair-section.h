/* SPDX-License-Identifier: MIT */
/* How strongly each head links the pair that is in focus; hidden without one. */
#pragma once

#include "app/panels/hl-state-panel.h"

G_BEGIN_DECLS

#define HL_TYPE_PAIR_SECTION (hl_pair_section_get_type ())
G_DECLARE_FINAL_TYPE (HlPairSection, hl_pair_section, HL, PAIR_SECTION, HlStatePanel)

G_END_DECLS
