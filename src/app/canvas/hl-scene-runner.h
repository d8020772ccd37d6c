/* SPDX-License-Identifier: MIT */
/*
 * Runs the jobs of a scene in workers, one at a time and only the newest, so that the main thread never waits for a
 * picture.
 */
#pragma once

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

#define HL_TYPE_SCENE_RUNNER (hl_scene_runner_get_type ())
G_DECLARE_FINAL_TYPE (HlSceneRunner, hl_scene_runner, HL, SCENE_RUNNER, GObject)

HlSceneRunner *hl_scene_runner_new          (HlScene       *scene);
HlScene       *hl_scene_runner_get_scene    (HlSceneRunner *self);
void           hl_scene_runner_set_active   (HlSceneRunner *self,
                                             gboolean       active);
gboolean       hl_scene_runner_get_busy     (HlSceneRunner *self);
HlProgress    *hl_scene_runner_get_progress (HlSceneRunner *self);
const GError  *hl_scene_runner_get_error    (HlSceneRunner *self);

G_END_DECLS
