/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

#define HL_TYPE_PICTURE_VIEW_SCENE (hl_picture_view_scene_get_type ())
G_DECLARE_FINAL_TYPE (HlPictureViewScene, hl_picture_view_scene, HL, PICTURE_VIEW_SCENE, HlScene)

G_END_DECLS
