/* SPDX-License-Identifier: MIT */
#pragma once

#include "view/pick/hl-focus.h"
#include "view/shown/hl-shown.h"

G_BEGIN_DECLS

const char *hl_scene_get_row_title    (const HlShown *shown);
const char *hl_scene_get_column_title (const HlShown *shown);

char *hl_scene_describe_head  (const HlShown *shown,
                               guint          head);
char *hl_scene_describe_cell  (const HlShown *shown,
                               const HlPick  *pick,
                               const float   *weight,
                               guint          n_heads);
char *hl_scene_describe_token (const HlShown *shown,
                               const HlPick  *pick,
                               const float   *weights,
                               HlRange        others,
                               guint          n_heads);
char *hl_scene_describe_tokens (const HlShown *shown,
                                const HlFocus *focus,
                                const float   *weights,
                                guint          n_heads);

G_END_DECLS
