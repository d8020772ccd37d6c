/* SPDX-License-Identifier: MIT */
/* A cell for each head, in the colour of its weight for a pair. A click, or Enter, goes to the head. */
#pragma once

#include "app/details/hl-pair-weights.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_PAIR_GRID (hl_pair_grid_get_type ())
G_DECLARE_FINAL_TYPE (HlPairGrid, hl_pair_grid, HL, PAIR_GRID, GtkWidget)

void     hl_pair_grid_set_weights  (HlPairGrid      *self,
                                    HlPairWeights   *weights);
void     hl_pair_grid_set_looks    (HlPairGrid      *self,
                                    HlColourMap      map,
                                    gboolean         dark);
void     hl_pair_grid_set_current  (HlPairGrid      *self,
                                    guint            layer,
                                    guint            head);
gboolean hl_pair_grid_get_area     (HlPairGrid      *self,
                                    guint            layer,
                                    guint            head,
                                    graphene_rect_t *area);

G_END_DECLS
