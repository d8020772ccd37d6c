/* SPDX-License-Identifier: MIT */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

void hl_state_copy (HlViewState *to,
                    HlViewState *from);

G_END_DECLS
