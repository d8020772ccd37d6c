/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

#define HL_TYPE_CHART_SCENE (hl_chart_scene_get_type ())
G_DECLARE_FINAL_TYPE (HlChartScene, hl_chart_scene, HL, CHART_SCENE, HlScene)

char *hl_chart_scene_dup_notice (HlChartScene *self);

G_END_DECLS
