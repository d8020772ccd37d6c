/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/head-view/hl-head-view-data.h"
#include "draw/scene/hl-scene-job.h"

G_BEGIN_DECLS

/* How a token is followed from layer to layer. */
typedef enum {
  HL_LAYERS_FOLLOW_WEIGHTS,  /* by weights with the residual connection: rollout */
  HL_LAYERS_FOLLOW_RESIDUAL, /* likewise, by numbers that have it already */
  HL_LAYERS_FOLLOW_NOTHING,  /* one layer: products of other numbers mean nothing */
} HlLayersFollow;

/* The weights of all layers. */
typedef struct
{
  HlSceneData      parent;   /* how it is read and compared */
  guint            n_layers; /* how many layers */
  HlHeadViewData **layers;   /* the chosen heads of each, as far as it has them */
  gsize            n;        /* how many tokens */
  gsize            lead;     /* 1 where a sink is a key before them */
  GBytes         **means;    /* n × (lead + n) floats, means over these heads; NULL before they are read */
  float          **sums;     /* n: what tokens get of rows of these; likewise */
  HlLayersFollow   follow;   /* how a token is followed */
  guint            first_layer; /* where that ends */
} HlLayersData;

HlLayersData *hl_layers_data_new       (const HlShown       *shown);
gboolean      hl_layers_data_is_square (const HlLayersData  *self);
float         hl_layers_data_get_part  (const HlLayersData  *self,
                                        guint                layer,
                                        gsize                query,
                                        gsize                key);
float         hl_layers_data_get_sunk  (const HlLayersData  *self,
                                        guint                layer,
                                        gsize                query);
gboolean      hl_layers_data_is_left   (const HlLayersData  *self,
                                        guint                layer,
                                        gsize                query,
                                        gsize                column);
guint         hl_layers_data_get_lowest (const HlLayersData *self,
                                        guint                layer);
float        *hl_layers_data_trace     (const HlLayersData  *self,
                                        guint                layer,
                                        gsize                query);
guint         hl_layers_data_get_highest (const HlLayersData *self);
float        *hl_layers_data_trace_up  (const HlLayersData  *self,
                                        gsize                token);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLayersData, hl_scene_data_unref)

G_END_DECLS
