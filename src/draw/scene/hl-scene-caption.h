/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

double hl_scene_caption_get_room (HlScene *scene);
void   hl_scene_caption_draw     (HlScene *scene,
                                  cairo_t *cr,
                                  double   y);

G_END_DECLS
