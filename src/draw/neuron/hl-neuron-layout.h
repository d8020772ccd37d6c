/* SPDX-License-Identifier: MIT */
/* Where everything of the neuron view is. Plain numbers, so that drawing, picking and tests agree by construction. */
#pragma once

#include "draw/head-view/hl-head-view-layout.h"

G_BEGIN_DECLS

/* All in logical pixels of the viewport. */
typedef struct
{
  HlHeadViewLayout base;          /* the two columns of tokens and the lines between them */
  double           content_width; /* of everything */
  double           scale;         /* device pixels a logical pixel */
  gsize            n_features;    /* of a query and of a key */
  double           strip_width;   /* of the features of one of them */
  double           strip_heights[2]; /* of the features of a query and of a key, inside their row */
  double           gap;           /* between two of them */
  double           number_size;   /* of the font of numbers */
  double           query_x;       /* left edge of the query's features */
  double           key_x;         /* left edge of the keys' features */
  double           term_x;        /* left edge of the products of features */
  gboolean         has_numbers;   /* whether rows of keys have room for any number */
  gboolean         has_products;  /* whether there is room for the numbers q·k */
  gboolean         has_scores;    /* whether there is room for those that the softmax is made of */
  double           product_x;     /* right edge of the numbers q·k */
  double           score_x;       /* right edge of the numbers that the softmax is made of */
  double           weight_x;      /* left edge of the bars of weights */
  double           weight_width;  /* of the longest bar */
  double           weight_number; /* room beside the bar, for its number */
} HlNeuronLayout;

void   hl_neuron_layout_init        (HlNeuronLayout     *self,
                                     const HlSceneFrame *frame,
                                     gsize               n_features);
double hl_neuron_layout_get_query_y (const HlNeuronLayout *self,
                                     gsize                 row);
void   hl_neuron_layout_pick        (const HlNeuronLayout *self,
                                     double                x,
                                     double                y,
                                     gsize                 expanded,
                                     HlPick               *pick);

G_END_DECLS
