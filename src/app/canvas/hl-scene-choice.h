/* SPDX-License-Identifier: MIT */
/* What becomes of what somebody picks in a scene: it is pinned, makes a pair, or is a head that is chosen or opened. */
#pragma once

#include "view/hl-view-state.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

gboolean hl_scene_choice_is_token_or_cell (const HlPick *pick);
void     hl_scene_choice_toggle_pin       (HlViewState  *state,
                                           const HlPick *pick);
void     hl_scene_choice_extend_pin       (HlViewState  *state,
                                           const HlPick *from,
                                           const HlPick *to);
gboolean hl_scene_choice_find_pair        (HlViewState  *state,
                                           const HlPick *pick,
                                           HlPick       *pair);
void     hl_scene_choice_take_pair        (GtkWidget    *widget,
                                           HlViewState  *state,
                                           const HlPick *pick);
void     hl_scene_choice_open_head        (HlViewState  *state,
                                           const HlPick *pick,
                                           HlViewKind    view);
void     hl_scene_choice_toggle_head      (HlViewState  *state,
                                           const HlPick *pick);

G_END_DECLS
