/* SPDX-License-Identifier: MIT */
/* What the files of HlMinimap share. */
#pragma once

#include "app/canvas/hl-minimap.h"
#include "app/canvas/hl-token-density.h"

G_BEGIN_DECLS

struct _HlMinimap
{
  GtkWidget parent_instance;

  GtkOrientation orientation;
  HlSceneView *scene_view;
  HlScene *scene;
  HlViewState *state;

  HlTokenDensity *density;
  GCancellable *cancellable;
  guint idle;
  /* The part of the text that is in view, 0 to 1 along the strip. */
  double begin;
  double end;
  /* From the begin of the frame to where it is held. */
  double grip;
};

gboolean hl_minimap_is_vertical       (HlMinimap      *self);
gboolean hl_minimap_is_of_queries     (HlMinimap      *self);
gboolean hl_minimap_get_extent        (HlMinimap      *self,
                                       double         *begin,
                                       double         *end);
void     hl_minimap_get_window        (HlMinimap      *self,
                                       double         *begin,
                                       double         *length);
double   hl_minimap_get_length        (HlMinimap      *self);
void     hl_minimap_update_accessible (HlMinimap      *self);
void     hl_minimap_init_input        (HlMinimap      *self);
void     hl_minimap_install_keys      (GtkWidgetClass *widget_class);

G_END_DECLS
