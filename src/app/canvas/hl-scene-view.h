/* SPDX-License-Identifier: MIT */
/*
 * The one widget that hosts any scene: it shows the scene that the view state asks for, scrolls and zooms it, and
 * makes what pointer and keyboard do there into hovered and pinned tokens of the view state.
 */
#pragma once

#include "draw/scene/hl-scene.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_SCENE_VIEW (hl_scene_view_get_type ())
G_DECLARE_FINAL_TYPE (HlSceneView, hl_scene_view, HL, SCENE_VIEW, GtkWidget)


HlViewState *hl_scene_view_get_view_state (HlSceneView *self);
void         hl_scene_view_set_view_state (HlSceneView *self,
                                           HlViewState *view_state);
HlScene     *hl_scene_view_get_scene      (HlSceneView *self);
void         hl_scene_view_set_stand_in   (HlSceneView *self,
                                           GtkWidget   *stand_in);
gboolean     hl_scene_view_get_allocating (HlSceneView *self);
gboolean     hl_scene_view_get_busy       (HlSceneView *self);
HlProgress  *hl_scene_view_get_progress   (HlSceneView *self);
const char  *hl_scene_view_get_error      (HlSceneView *self);
void         hl_scene_view_zoom           (HlSceneView *self,
                                           double       factor);
void         hl_scene_view_fit            (HlSceneView *self);
void         hl_scene_view_go_to          (HlSceneView *self,
                                           double       zoom,
                                           double       scroll_x,
                                           double       scroll_y);
void         hl_scene_view_scroll_to      (HlSceneView  *self,
                                           const HlPick *pick);
void         hl_scene_view_set_has_cards  (HlSceneView *self,
                                           gboolean     has_cards);

G_END_DECLS
