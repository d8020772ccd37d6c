/* SPDX-License-Identifier: MIT */
/* What is on screen of two views, as one scene. */
#pragma once

#include "app/canvas/hl-scene-view.h"

G_BEGIN_DECLS

HlScene *hl_compare_figure_create_scene (HlSceneView *left,
                                         HlSceneView *right);

G_END_DECLS
