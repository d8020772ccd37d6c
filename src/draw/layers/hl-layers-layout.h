/* SPDX-License-Identifier: MIT */
/* Where everything of a view of all layers is. */
#pragma once

#include "draw/head-view/hl-head-view-layout.h"

G_BEGIN_DECLS

/* All in logical pixels of the viewport. */
typedef struct
{
  /* what it has in common with a head view: rows, header, labels; those of queries stand beside the input */
  HlHeadViewLayout rows;
  guint            n_columns;      /* of tokens: one more than layers */
  gboolean         mirrored;       /* whether columns run from right to left */
  double           first_column;   /* middle of the input's column in the viewport */
  double           step;           /* how far one column is from the next */
  double           content_width;  /* of everything */
  double           content_height; /* of everything */
} HlLayersLayout;

void             hl_layers_layout_init       (HlLayersLayout     *self,
                                              const HlSceneFrame *frame);
HlHeadViewLayout hl_layers_layout_get_layer  (const HlLayersLayout *self,
                                              guint                 layer);
double           hl_layers_layout_get_column (const HlLayersLayout *self,
                                              guint                 column);
void             hl_layers_layout_pick       (const HlLayersLayout *self,
                                              double                x,
                                              double                y,
                                              HlPick               *pick);

G_END_DECLS
