/* SPDX-License-Identifier: MIT */
/* Where everything of the neuron view is. Plain numbers, so that drawing, picking and tests agree by construction. */
#pragma once

#include "draw/head-view/hl-head-view-layout.h"

G_BEGIN_DECLS

/**
 * HlNeuronLayout:
 * @base: the two columns of tokens and the lines between them
 * @content_width: of everything
 * @scale: device pixels a logical pixel
 * @n_features: of a query and of a key
 * @strip_width: of the features of one of them
 * @strip_height: of the features, inside their row
 * @query_x: left edge of the query's features
 * @key_x: left edge of the keys' features
 * @term_x: left edge of the products of features
 * @product_x: right edge of the numbers q·k
 * @score_x: right edge of the numbers that the softmax is made of
 * @weight_x: left edge of the bars of weights
 * @weight_width: of the longest bar
 *
 * All in logical pixels of the viewport.
 */
typedef struct
{
  HlHeadViewLayout base;
  double           content_width;
  double           scale;
  gsize            n_features;
  double           strip_width;
  double           strip_height;
  double           query_x;
  double           key_x;
  double           term_x;
  double           product_x;
  double           score_x;
  double           weight_x;
  double           weight_width;
} HlNeuronLayout;

void   hl_neuron_layout_init        (HlNeuronLayout       *self,
                                     HlViewState          *state,
                                     gsize                 n_features,
                                     double                width,
                                     double                height,
                                     double                scale,
                                     double                scroll_x,
                                     double                scroll_y,
                                     double                row_height,
                                     double                query_label_width,
                                     double                key_label_width,
                                     double                caption_room);
double hl_neuron_layout_get_query_y (const HlNeuronLayout *self,
                                     gsize                 row);
void   hl_neuron_layout_pick        (const HlNeuronLayout *self,
                                     double                x,
                                     double                y,
                                     gsize                 expanded,
                                     HlPick               *pick);

G_END_DECLS
