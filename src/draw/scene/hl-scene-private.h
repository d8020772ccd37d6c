/* SPDX-License-Identifier: MIT */
/* What the files of HlScene share: its members. */
#pragma once

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

typedef struct
{
  HlViewState *state;
  GStrv caption;
  double width;
  double height;
  double scale;
  double scroll_x;
  double scroll_y;
  double zoom;
  HlSceneData *data;
  HlSceneText *text;
  HlTextMode text_mode;
  gboolean paints_background;
  gboolean vector;
} HlScenePrivate;

HlScenePrivate *hl_scene_get_private (HlScene *self);

G_END_DECLS
