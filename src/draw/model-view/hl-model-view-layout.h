/* SPDX-License-Identifier: MIT */
/*
 * Where everything of a model view is: a row for each layer, a column for each head, or one after the other in some
 * order. Plain numbers.
 */
#pragma once

#include "draw/model-view/hl-model-view-order.h"
#include "draw/text/hl-scene-text.h"

G_BEGIN_DECLS

/**
 * HlModelViewLayout:
 * @width: of the viewport
 * @height: of the viewport
 * @scale: device pixels a logical pixel
 * @attention: (unowned): whose heads
 * @order: (unowned): in which order they are
 * @n_rows: rows: as many as there are layers, unless sorted
 * @n_columns: columns: as many as the layer with most heads has, unless sorted
 * @max_zoom: how often as large as to fit a thumbnail becomes at most, when one fills the viewport
 * @pitch_x: from one thumbnail to the next
 * @pitch_y: likewise downwards
 * @gap: of these, between two thumbnails
 * @strip: of @pitch_y, room for the name over each thumbnail; 0 for none
 * @mat: how wide the coloured frame around a thumbnail is; 0 for none
 * @plot: the part of the viewport in which thumbnails are seen
 * @origin_x: left edge of the first column; depends on the scroll position
 * @origin_y: top of the first row
 * @content_width: of everything
 * @content_height: of everything
 * @label_size: of the font of numbers
 * @row_stride: every how many rows there is room for a number
 * @column_stride: likewise of columns
 * @caption_y: middle of the caption
 * @legend_y: middle of what explains the frames
 *
 * All in logical pixels of the viewport.
 */
typedef struct
{
  double            width;
  double            height;
  double            scale;
  HlAttention      *attention;
  const HlModelViewOrder *order;
  guint             n_rows;
  guint             n_columns;
  double            max_zoom;
  double            pitch_x;
  double            pitch_y;
  double            gap;
  double            strip;
  double            mat;
  cairo_rectangle_t plot;
  double            origin_x;
  double            origin_y;
  double            content_width;
  double            content_height;
  double            label_size;
  guint             row_stride;
  guint             column_stride;
  double            caption_y;
  double            legend_y;
} HlModelViewLayout;

void     hl_model_view_layout_init     (HlModelViewLayout       *self,
                                        HlViewState             *state,
                                        const HlModelViewOrder  *order,
                                        double                   width,
                                        double                   height,
                                        double                   scale,
                                        double                   scroll_x,
                                        double                   scroll_y,
                                        double                   zoom,
                                        double                   caption_room);
void     hl_model_view_layout_get_seen (const HlModelViewLayout *self,
                                        HlRange                 *rows,
                                        HlRange                 *columns);
gboolean hl_model_view_layout_get_map  (const HlModelViewLayout *self,
                                        gsize                    row,
                                        gsize                    column,
                                        guint                   *layer,
                                        guint                   *head);
void     hl_model_view_layout_get_cell (const HlModelViewLayout *self,
                                        guint                    layer,
                                        guint                    head,
                                        guint                   *row,
                                        guint                   *column);
void     hl_model_view_layout_get_box  (const HlModelViewLayout *self,
                                        guint                    layer,
                                        guint                    head,
                                        cairo_rectangle_t       *box);
void     hl_model_view_layout_pick     (const HlModelViewLayout *self,
                                        double                   x,
                                        double                   y,
                                        HlPick                  *pick);
void     hl_model_view_layout_move     (const HlModelViewLayout *self,
                                        HlPick                  *pick,
                                        int                      dx,
                                        int                      dy,
                                        gboolean                 to_end);

G_END_DECLS
