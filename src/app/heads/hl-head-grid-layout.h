/* SPDX-License-Identifier: MIT */
/* Where the cells of the picker are. */
#pragma once

#include "view/hl-view-state.h"

#include <graphene.h>

G_BEGIN_DECLS

/**
 * HlHeadGridLayout:
 * @label_width: room for the numbers of layers, at the left
 * @header_height: room for the numbers of heads, at the top
 * @cell: width and height of a cell; 0 before there is a place for it
 * @scroll_x: how far cells are scrolled to the left
 * @scroll_y: how far cells are scrolled up
 *
 * Where the cells of the picker are, in pixels.
 */
typedef struct
{
  int label_width;
  int header_height;
  int cell;
  int scroll_x;
  int scroll_y;
} HlHeadGridLayout;

void     hl_head_grid_layout_get_cell   (const HlHeadGridLayout *layout,
                                         guint                   layer,
                                         guint                   head,
                                         graphene_rect_t        *area);
gboolean hl_head_grid_layout_find_layer (const HlHeadGridLayout *layout,
                                         double                  x,
                                         double                  y,
                                         guint                   n_layers,
                                         guint                  *layer);
gboolean hl_head_grid_layout_find_cell  (const HlHeadGridLayout *layout,
                                         HlAttention            *attention,
                                         double                  x,
                                         double                  y,
                                         guint                  *layer,
                                         guint                  *head);

G_END_DECLS
