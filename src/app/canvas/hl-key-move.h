/* SPDX-License-Identifier: MIT */
/* How the keyboard moves what is in focus. */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

typedef enum
{
  HL_KEY_MOVE_STEP,
  HL_KEY_MOVE_PAGE,
  HL_KEY_MOVE_END,
} HlKeyMove;

gboolean hl_key_move (HlViewState  *state,
                      const HlPick *from,
                      int           dx,
                      int           dy,
                      HlKeyMove     kind,
                      HlPick       *pick);

G_END_DECLS
