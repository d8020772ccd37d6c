/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/hl-scene-text.h"
#include "draw/hl-theme.h"

G_BEGIN_DECLS

double hl_scene_caption_get_room (HlScene       *scene,
                                  HlSceneText   *text);
void   hl_scene_caption_draw     (HlScene       *scene,
                                  HlSceneText   *text,
                                  cairo_t       *cr,
                                  const HlTheme *theme,
                                  double         y);

G_END_DECLS
