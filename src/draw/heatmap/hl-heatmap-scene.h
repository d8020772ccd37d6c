/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

#define HL_TYPE_HEATMAP_SCENE (hl_heatmap_scene_get_type ())
G_DECLARE_FINAL_TYPE (HlHeatmapScene, hl_heatmap_scene, HL, HEATMAP_SCENE, HlScene)

G_END_DECLS
