/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/head-view/hl-head-view-data.h"
#include "draw/scene/hl-scene-job.h"

G_BEGIN_DECLS

/* The weights of all layers. */
typedef struct
{
  HlSceneData      parent;   /* how it is read and compared */
  guint            n_layers; /* how many layers */
  HlHeadViewData **layers;   /* the chosen heads of each, as far as it has them */
  float          **means;    /* n × n means over these heads; NULL before they are read */
} HlLayersData;

HlLayersData *hl_layers_data_new       (const HlShown       *shown);
gboolean      hl_layers_data_is_square (const HlLayersData  *self);
float        *hl_layers_data_trace     (const HlLayersData  *self,
                                        guint                layer,
                                        gsize                query);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLayersData, hl_scene_data_unref)

G_END_DECLS
