/* SPDX-License-Identifier: MIT */
/*
 * What the neuron view shows of a head: queries and keys, and the weights that its lines are made of. Immutable once
 * read.
 */
#pragma once

#include "core/source/steps/hl-head-steps.h"
#include "draw/head-view/hl-head-view-data.h"
#include "draw/scene/hl-scene-job.h"

G_BEGIN_DECLS

/* A head. */
typedef struct
{
  HlSceneData     parent;    /* how it is read and compared */
  HlHeadSteps    *steps;     /* the head */
  HlRange         queries;   /* the queries that are shown */
  HlRange         keys;      /* the keys that are shown */
  HlHeadViewData *lines;     /* the weights between all of them, NULL when they are too many for lines */
  double          key_limit; /* the greatest size of a finite feature of a key that is shown */
} HlNeuronData;

HlNeuronData *hl_neuron_data_new   (const HlShown       *shown);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlNeuronData, hl_scene_data_unref)

/* What becomes of one query. */
typedef struct
{
  HlNeuronData *data;        /* whose query it is, NULL while there is none */
  gsize         query;       /* the query */
  float        *products;    /* [n_keys] q·k */
  float        *scores;      /* [n_keys] what the softmax is made of, masked ones too */
  float        *weights;     /* [n_keys] the softmax */
  double        greatest;    /* the greatest weight of the keys that are shown */
  double        query_limit; /* the greatest size of a finite feature of the query */
  double        term_limit;  /* likewise of a product of a feature of the query and of a key that is shown */
} HlNeuronRow;

void          hl_neuron_row_follow (HlNeuronRow         *self,
                                    HlNeuronData        *data,
                                    gsize                query);
void          hl_neuron_row_clear  (HlNeuronRow         *self);

G_END_DECLS
