/* SPDX-License-Identifier: MIT */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

const char *hl_scene_get_row_title    (HlViewState *state);
const char *hl_scene_get_column_title (HlViewState *state);

char *hl_scene_describe_head (HlViewState   *state,
                              guint          head);
char *hl_scene_describe_cell (HlViewState   *state,
                              const HlPick  *pick,
                              const float   *weight,
                              guint          n_heads);
char *hl_scene_describe_token (HlViewState  *state,
                               const HlPick *pick,
                               const float  *weights,
                               HlRange       others,
                               guint         n_heads);

G_END_DECLS
