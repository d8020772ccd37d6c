/* SPDX-License-Identifier: MIT */
/* What a head view says of the token in focus. */
#pragma once

#include "draw/head-view/hl-head-view-data.h"
#include "draw/head-view/hl-head-view-layout.h"
#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

gboolean   *hl_head_view_make_covered    (HlScene              *scene,
                                          const HlSceneFrame   *frame,
                                          HlSide                side);
void       hl_head_view_draw_other_side  (HlScene              *scene,
                                          const HlSceneFrame   *frame,
                                          cairo_t              *cr,
                                          const HlHeadViewData *data);
void       hl_head_view_draw_pair        (HlScene              *scene,
                                          const HlSceneFrame   *frame,
                                          cairo_t              *cr,
                                          const HlHeadViewData *data,
                                          const HlPick         *pair);
void       hl_head_view_draw_tokens      (HlScene              *scene,
                                          const HlSceneFrame   *frame,
                                          cairo_t              *cr,
                                          const HlFocus        *focus,
                                          gboolean              pinned,
                                          gboolean              quiet);

G_END_DECLS
