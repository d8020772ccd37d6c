/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

#define HL_TYPE_HEAD_VIEW_SCENE (hl_head_view_scene_get_type ())
G_DECLARE_FINAL_TYPE (HlHeadViewScene, hl_head_view_scene, HL, HEAD_VIEW_SCENE, HlScene)

G_END_DECLS
