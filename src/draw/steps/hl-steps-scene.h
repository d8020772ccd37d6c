/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

#define HL_TYPE_STEPS_SCENE (hl_steps_scene_get_type ())
G_DECLARE_FINAL_TYPE (HlStepsScene, hl_steps_scene, HL, STEPS_SCENE, HlScene)

G_END_DECLS
