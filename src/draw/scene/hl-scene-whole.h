/* SPDX-License-Identifier: MIT */
/* A scene as a whole, here and now: for figures and tests. */
#pragma once

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

gboolean hl_scene_prepare           (HlScene       *self,
                                     GCancellable  *cancellable,
                                     GError       **error);
void     hl_scene_draw_part_as_seen (HlScene       *self,
                                     cairo_t       *cr,
                                     HlScenePart    part);
void     hl_scene_draw              (HlScene       *self,
                                     cairo_t       *cr);

G_END_DECLS
