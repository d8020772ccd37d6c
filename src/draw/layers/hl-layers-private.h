/* SPDX-License-Identifier: MIT */
/* What the parts of a view of all layers share: its object. */
#pragma once

#include "draw/head-view/hl-head-view-picture.h"
#include "draw/layers/hl-layers-data.h"
#include "draw/layers/hl-layers-layout.h"
#include "draw/layers/hl-layers-scene.h"
#include "draw/scene/hl-label-room.h"

G_BEGIN_DECLS

struct _HlLayersScene
{
  HlScene parent_instance;

  HlLabelRoom room;

  /* Of each layer. */
  GPtrArray *rasters;
};

HlLayersLayout      hl_layers_scene_get_layout (HlLayersScene *self);
const HlLayersData *hl_layers_scene_get_data   (HlLayersScene *self);

void hl_layers_scene_draw_backdrop (HlScene *scene,
                                    cairo_t *cr);
void hl_layers_scene_draw_overlay  (HlScene *scene,
                                    cairo_t *cr);

G_END_DECLS
