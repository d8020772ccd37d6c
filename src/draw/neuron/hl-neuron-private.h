/* SPDX-License-Identifier: MIT */
/* What the parts of the neuron view share: its object. */
#pragma once

#include "draw/head-view/hl-head-view-picture.h"
#include "draw/neuron/hl-neuron-data.h"
#include "draw/neuron/hl-neuron-layout.h"
#include "draw/neuron/hl-neuron-scene.h"
#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-label-room.h"

G_BEGIN_DECLS

struct _HlNeuronScene
{
  HlScene parent_instance;

  HlLabelRoom room;

  HlHeadViewRaster *raster;
  HlNeuronRow row;
};

gboolean       hl_neuron_scene_is_possible   (HlNeuronScene        *self);
HlNeuronLayout hl_neuron_scene_get_layout    (HlNeuronScene        *self);
HlNeuronData  *hl_neuron_scene_get_data      (HlNeuronScene        *self);
gsize          hl_neuron_scene_get_expanded  (HlNeuronScene        *self);
void           hl_neuron_scene_draw_label    (HlNeuronScene        *self,
                                              cairo_t              *cr,
                                              const HlNeuronLayout *layout,
                                              HlPickKind            side,
                                              gsize                 row,
                                              gboolean              in_focus,
                                              gboolean              pinned);
gboolean       hl_neuron_scene_is_in_focus   (HlNeuronScene        *self,
                                              HlPickKind            side,
                                              gsize                 index);
char          *hl_neuron_scene_describe      (HlScene              *scene,
                                              const HlPick         *pick);
void           hl_neuron_scene_draw_backdrop (HlScene *scene,
                                              cairo_t *cr);
void           hl_neuron_scene_draw_overlay  (HlScene *scene,
                                              cairo_t *cr);
void           hl_neuron_scene_draw_row      (HlNeuronScene        *self,
                                              const HlNeuronLayout *layout,
                                              cairo_t              *cr);

G_END_DECLS
