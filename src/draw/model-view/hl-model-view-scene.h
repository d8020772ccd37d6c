/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

#define HL_TYPE_MODEL_VIEW_SCENE (hl_model_view_scene_get_type ())
G_DECLARE_FINAL_TYPE (HlModelViewScene, hl_model_view_scene, HL, MODEL_VIEW_SCENE, HlScene)

G_END_DECLS
