/* SPDX-License-Identifier: MIT */
/*
 * What the neuron view shows of a head: queries and keys, and the weights that its lines are made of. Immutable once
 * read.
 */
#pragma once

#include "draw/head-view/hl-head-view-data.h"
#include "draw/scene/hl-scene-job.h"

G_BEGIN_DECLS

/**
 * HlNeuronData:
 * @parent: how it is read and compared
 * @steps: the head
 * @queries: the queries that are shown
 * @keys: the keys that are shown
 * @lines: (nullable): the weights between all of them, %NULL when they are too many for lines
 * @key_limit: the greatest size of a finite feature of a key that is shown
 *
 * A head.
 */
typedef struct
{
  HlSceneData     parent;
  HlHeadSteps    *steps;
  HlRange         queries;
  HlRange         keys;
  HlHeadViewData *lines;
  double          key_limit;
} HlNeuronData;

HlNeuronData *hl_neuron_data_new   (HlViewState         *state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlNeuronData, hl_scene_data_unref)

/**
 * HlNeuronRow:
 * @data: (nullable): whose query it is, %NULL while there is none
 * @query: the query
 * @products: (array): [n_keys] q·k
 * @scores: (array): [n_keys] what the softmax is made of, masked ones too
 * @weights: (array): [n_keys] the softmax
 * @greatest: the greatest weight of the keys that are shown
 * @query_limit: the greatest size of a finite feature of the query
 * @term_limit: likewise of a product of a feature of the query and of a key that is shown
 *
 * What becomes of one query.
 */
typedef struct
{
  HlNeuronData *data;
  gsize         query;
  float        *products;
  float        *scores;
  float        *weights;
  double        greatest;
  double        query_limit;
  double        term_limit;
} HlNeuronRow;

void          hl_neuron_row_follow (HlNeuronRow         *self,
                                    HlNeuronData        *data,
                                    gsize                query);
void          hl_neuron_row_clear  (HlNeuronRow         *self);

G_END_DECLS
