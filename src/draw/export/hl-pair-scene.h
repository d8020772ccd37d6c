/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

/* Logical pixels between the two. */
#define HL_PAIR_SCENE_GAP 9

#define HL_TYPE_PAIR_SCENE (hl_pair_scene_get_type ())
/**
 * HlPairScene:
 *
 * Two scenes side by side, as one: for figures. It shows what they show, each in half of the viewport.
 */
G_DECLARE_FINAL_TYPE (HlPairScene, hl_pair_scene, HL, PAIR_SCENE, HlScene)

HlScene *hl_pair_scene_new (HlScene *left,
                            HlScene *right);
HlScene *hl_pair_scene_get_side (HlPairScene *self,
                                 guint        side);

G_END_DECLS
