/* SPDX-License-Identifier: MIT */
/* What the pointer, the wheel and fingers do over a scene: they hover, choose, pan and zoom, and draw a line from a token
 * to one of the other side. */
#pragma once

#include "draw/scene/hl-scene.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Part of the widget that shows the scene. To be zeroed before use. */
typedef struct
{
  GtkWidget *widget;
  HlScene *scene; /* unowned; none while nothing is shown */
  /* In which view a head of the model view is opened. */
  HlViewKind head_view;
  /* Whether it moves without hovering anything: while a menu is open. */
  gboolean held;

  /* Whether it was used last, rather than the keyboard, and where it is. */
  gboolean leads;
  gboolean inside;
  double x;
  double y;
  /* Where it was on the surface when the keyboard took the lead. */
  double rest_x;
  double rest_y;
  /* The swatch that was clicked last, and when, in milliseconds; 0 if the next click cannot be a double click's
   * second. */
  guint clicked_head;
  guint32 clicked_time;
  double pinch_scale;
  double drag_x;
  double drag_y;
  gboolean dragging;
  /* A line from one token to another while it is drawn: where it begins, and from where to where it has come. */
  GtkEventController *link;
  gboolean linking;
  HlPick link_from;
  double link_x[2];
  double link_y[2];
} HlScenePointer;

void     hl_scene_pointer_init              (HlScenePointer *self,
                                             GtkWidget      *widget);
void     hl_scene_pointer_pick_again        (HlScenePointer *self);
void     hl_scene_pointer_let_keyboard_lead (HlScenePointer *self);
void     hl_scene_pointer_take_lead         (HlScenePointer *self);
gboolean hl_scene_pointer_has_moved         (HlScenePointer *self);
void     hl_scene_pointer_zoom              (HlScenePointer *self,
                                             double          factor);
gboolean hl_scene_pointer_cancel_link       (HlScenePointer *self);
void     hl_scene_pointer_snapshot_link     (HlScenePointer *self,
                                             GtkSnapshot    *snapshot);

G_END_DECLS
