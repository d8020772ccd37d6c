/* SPDX-License-Identifier: MIT */
/* What the files of HlSceneView share. */
#pragma once

#include "app/base/hl-view-kinds.h"
#include "app/canvas/hl-scene-layer.h"
#include "app/canvas/hl-scene-runner.h"
#include "app/canvas/hl-scene-view.h"

G_BEGIN_DECLS

struct _HlSceneView
{
  GtkWidget parent_instance;

  HlViewState *view_state;
  /* One a kind of view, made when first shown, so that each keeps its zoom and scroll. */
  HlSceneRunner *runners[HL_N_VIEW_KINDS];
  HlSceneRunner *runner;
  HlScene *scene;
  HlSceneLayer layers[HL_SCENE_OVERLAY];

  /* The view that was shown last, of those that show a head and not all of them. */
  HlViewKind head_view;

  GtkAdjustment *hadjustment;
  GtkAdjustment *vadjustment;
  GtkScrollablePolicy hscroll_policy;
  GtkScrollablePolicy vscroll_policy;
  gboolean adjusting;

  /* Whether the pointer was used last, rather than the keyboard, and where it is. */
  gboolean pointer_leads;
  gboolean pointer_inside;
  double pointer_x;
  double pointer_y;
  /* Where the pointer was on the surface when the keyboard took the lead. */
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
  /* Made when it is first opened. */
  GtkWidget *menu;
  gboolean menu_open;
};

void     hl_scene_view_init_pointer      (HlSceneView    *self);
void     hl_scene_view_open_map          (HlSceneView    *self,
                                          const HlPick   *pick);
void     hl_scene_view_choose_map        (HlSceneView    *self,
                                          const HlPick   *pick);
gboolean hl_scene_view_move_map          (HlSceneView    *self,
                                          int             dx,
                                          int             dy,
                                          gboolean        to_end);
void     hl_scene_view_pick_again        (HlSceneView    *self);
void     hl_scene_view_let_keyboard_lead (HlSceneView    *self);
void     hl_scene_view_install_keys      (GtkWidgetClass *widget_class);
void     hl_scene_view_pick_pair         (HlSceneView    *self,
                                          const HlPick   *pick);
gboolean hl_scene_view_get_pair          (HlSceneView    *self,
                                          const HlPick   *pick,
                                          HlPick         *pair);
gboolean hl_scene_view_is_token_or_cell  (const HlPick   *pick);
gboolean hl_scene_view_can_link          (HlSceneView    *self,
                                          double          x,
                                          double          y);
void     hl_scene_view_snapshot_link     (HlSceneView    *self,
                                          GtkSnapshot    *snapshot);
void     hl_scene_view_install_link      (GtkWidgetClass *widget_class);
void     hl_scene_view_init_link         (HlSceneView    *self);
void     hl_scene_view_install_menu      (GtkWidgetClass *widget_class);
void     hl_scene_view_init_menu         (HlSceneView    *self);
void     hl_scene_view_update_adjustments (HlSceneView   *self);
void     hl_scene_view_set_adjustment    (HlSceneView    *self,
                                          GtkAdjustment **slot,
                                          GtkAdjustment  *adjustment);
void     hl_scene_view_zoom_at           (HlSceneView    *self,
                                          double          factor,
                                          double          x,
                                          double          y);
gboolean hl_scene_view_can_pan           (HlSceneView    *self);
void     hl_scene_view_toggle_pin        (HlSceneView    *self,
                                          const HlPick   *pick);

G_END_DECLS
