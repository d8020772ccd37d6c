/* SPDX-License-Identifier: MIT */
/*
 * A picture of one part of a scene, kept by the widget so that what does not change is neither drawn nor uploaded
 * again.
 */
#pragma once

#include "draw/scene/hl-scene.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The picture; nothing before the first snapshot. To be zeroed before use. */
typedef struct
{
  cairo_surface_t *surface;
  GdkTexture *texture;
} HlSceneLayer;

void hl_scene_layer_clear    (HlSceneLayer *self);
void hl_scene_layer_paint    (HlSceneLayer *self,
                              HlScene      *scene,
                              HlScenePart   part,
                              double        opacity,
                              cairo_t      *cr);
void hl_scene_layer_snapshot (HlSceneLayer *self,
                              HlScene      *scene,
                              HlScenePart   part,
                              double        opacity,
                              GtkSnapshot  *snapshot);

G_END_DECLS
