/* SPDX-License-Identifier: MIT */
/* The menu at a token or cell of a scene, by the right button, by a long touch, or by key for the token in focus. */
#pragma once

#include "app/canvas/hl-scene-pointer.h"

G_BEGIN_DECLS

/*
 * Part of the widget that shows the scene. To be zeroed before use. While it is open the token stays hovered wherever
 * the pointer goes, for the actions of the widget and of the window mean the hovered one.
 */
typedef struct
{
  HlScenePointer *pointer;
  GtkWidget *popover; /* made when it is first opened */
  gboolean is_by_pointer;
  guint closed_id;
} HlSceneMenu;

void     hl_scene_menu_init          (HlSceneMenu    *self,
                                      HlScenePointer *pointer);
void     hl_scene_menu_clear         (HlSceneMenu    *self);
void     hl_scene_menu_present       (HlSceneMenu    *self);
gboolean hl_scene_menu_open_at_focus (HlSceneMenu    *self);

G_END_DECLS
