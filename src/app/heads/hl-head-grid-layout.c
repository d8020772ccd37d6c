/* SPDX-License-Identifier: MIT */
/* Where the cells of the picker are: under the numbers of heads, beside those of layers, as far as they are
 * scrolled. */
#include "app/heads/hl-head-grid-layout.h"

/**
 * hl_head_grid_layout_get_cell:
 * @layout: where cells are
 * @layer: a layer
 * @head: a head
 * @area: (out): the cell, in the widget's pixels
 */
void
hl_head_grid_layout_get_cell (const HlHeadGridLayout *layout,
                              guint                   layer,
                              guint                   head,
                              graphene_rect_t        *area)
{
  graphene_rect_init (area,
                      (float) layout->label_width + (float) head * layout->cell - layout->scroll_x,
                      (float) layout->header_height + (float) layer * layout->cell -
                        layout->scroll_y,
                      (float) layout->cell, (float) layout->cell);
}

/**
 * hl_head_grid_layout_find_layer:
 * @layout: where cells are
 * @x: across, in the widget's pixels
 * @y: down
 * @n_layers: how many layers there are
 * @layer: (out): a layer
 *
 * Returns: whether the number of a layer is at that point, or the room beside it
 */
gboolean
hl_head_grid_layout_find_layer (const HlHeadGridLayout *layout,
                                double                  x,
                                double                  y,
                                guint                   n_layers,
                                guint                  *layer)
{
  if (layout->cell == 0 || x < 0 || x >= layout->label_width || y < layout->header_height)
    return FALSE;
  *layer = (guint) ((y - layout->header_height + layout->scroll_y) / layout->cell);
  return *layer < n_layers;
}

/**
 * hl_head_grid_layout_find_cell:
 * @layout: where cells are
 * @attention: whose layers and heads they stand for
 * @x: across, in the widget's pixels
 * @y: down
 * @layer: (out): the layer whose row it is
 * @head: (out): the head
 *
 * Returns: whether there is a head at that point
 */
gboolean
hl_head_grid_layout_find_cell (const HlHeadGridLayout *layout,
                               HlAttention            *attention,
                               double                  x,
                               double                  y,
                               guint                  *layer,
                               guint                  *head)
{
  if (layout->cell == 0 || x < layout->label_width || y < layout->header_height)
    return FALSE;
  *head = (guint) ((x - layout->label_width + layout->scroll_x) / layout->cell);
  *layer = (guint) ((y - layout->header_height + layout->scroll_y) / layout->cell);
  return *layer < hl_attention_get_n_layers (attention) && *head < hl_attention_get_n_heads (attention, *layer);
}
