/* SPDX-License-Identifier: MIT */
/* What clicks and keys on the picker choose. */
#pragma once

#include "app/hl-head-grid-paint.h"

G_BEGIN_DECLS

gboolean hl_head_grid_layout_find_layer (const HlHeadGridLayout *layout,
                                         double                  x,
                                         double                  y,
                                         guint                   n_layers,
                                         guint                  *layer);
void     hl_head_grid_choose_layer      (HlViewState            *state,
                                         guint                   layer,
                                         gboolean                gather);
void     hl_head_grid_choose_head       (HlViewState            *state,
                                         guint                   layer,
                                         guint                   head,
                                         gboolean                gather,
                                         int                     n_press);
void     hl_head_grid_extend            (HlViewState            *state,
                                         int                     layers,
                                         int                     heads);
char    *hl_head_grid_describe          (HlViewState            *state);

G_END_DECLS
