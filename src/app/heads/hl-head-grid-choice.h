/* SPDX-License-Identifier: MIT */
/* What clicks and keys on the picker choose. */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

void  hl_head_grid_choose_layer (HlViewState *state,
                                 guint        layer,
                                 gboolean     gather);
void  hl_head_grid_choose_head  (HlViewState *state,
                                 guint        layer,
                                 guint        head,
                                 gboolean     gather,
                                 int          n_press);
void  hl_head_grid_move         (HlViewState *state,
                                 int          layers,
                                 int          heads);
void  hl_head_grid_extend       (HlViewState *state,
                                 int          layers,
                                 int          heads);
char *hl_head_grid_describe     (HlViewState *state);

G_END_DECLS
