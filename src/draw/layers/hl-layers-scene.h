/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

#define HL_TYPE_LAYERS_SCENE (hl_layers_scene_get_type ())
G_DECLARE_FINAL_TYPE (HlLayersScene, hl_layers_scene, HL, LAYERS_SCENE, HlScene)

G_END_DECLS
