/* SPDX-License-Identifier: MIT */
/* Where everything of a heatmap is. Plain numbers, so that drawing, picking and tests agree by construction. */
#pragma once

#include "draw/text/hl-scene-text.h"
#include "view/hl-view-state.h"

G_BEGIN_DECLS

/**
 * HL_HEATMAP_MAX_CELL:
 *
 * The greatest size of a cell, in logical pixels.
 */
#define HL_HEATMAP_MAX_CELL 64.0

/**
 * HlHeatmapLayout:
 * @width: of the viewport
 * @height: of the viewport
 * @scale: device pixels a logical pixel
 * @queries: the queries that are shown, downwards
 * @keys: the keys that are shown, to the right; to the left where @mirrored
 * @mirrored: whether keys run from right to left: then all that is called left, right and x of cells is counted from
 *   the right, and hl_heatmap_layout_enter() mirrors it
 * @mirror: the sum of an x counted from the right and the same x of the viewport
 * @fit_cell: the size of cells with which all are in view
 * @cell: the size of cells
 * @plot: the part of the viewport in which cells are seen
 * @origin_x: left edge of the first column; depends on the scroll position
 * @origin_y: top of the first row
 * @content_width: of everything
 * @content_height: of everything
 * @row_label_width: room for row labels, which end left of @plot
 * @column_label_width: longest column label that there is room for, along its slanted line
 * @columns_flat: whether column labels are horizontal, as each fits over its column
 * @label_size: of the font of labels
 * @row_stride: every how many rows there is room for a label
 * @column_stride: likewise of columns
 * @caption_y: middle of the caption
 * @title_x: middle of the title of the rows, which reads upwards
 * @title_y: middle of the title of the columns
 * @bar: the colour bar
 *
 * All in logical pixels of the viewport.
 */
typedef struct
{
  double            width;
  double            height;
  double            scale;
  HlRange           queries;
  HlRange           keys;
  gboolean          mirrored;
  double            mirror;
  double            fit_cell;
  double            cell;
  cairo_rectangle_t plot;
  double            origin_x;
  double            origin_y;
  double            content_width;
  double            content_height;
  double            row_label_width;
  double            column_label_width;
  gboolean          columns_flat;
  double            label_size;
  gsize             row_stride;
  gsize             column_stride;
  double            caption_y;
  double            title_x;
  double            title_y;
  cairo_rectangle_t bar;
} HlHeatmapLayout;

void     hl_heatmap_layout_init         (HlHeatmapLayout       *self,
                                         HlViewState           *state,
                                         double                 width,
                                         double                 height,
                                         double                 scale,
                                         double                 scroll_x,
                                         double                 scroll_y,
                                         double                 cell,
                                         double                 row_label_width,
                                         double                 column_label_width,
                                         double                 caption_room);
void     hl_heatmap_layout_get_cells    (const HlHeatmapLayout *self,
                                         HlRange               *rows,
                                         HlRange               *columns);
void     hl_heatmap_layout_get_cell_box (const HlHeatmapLayout *self,
                                         gsize                  row,
                                         gsize                  column,
                                         cairo_rectangle_t     *box);
double   hl_heatmap_layout_get_column_x (const HlHeatmapLayout *self,
                                         gsize                  column);
void     hl_heatmap_layout_enter        (const HlHeatmapLayout *self,
                                         HlHeatmapLayout       *straight,
                                         cairo_t               *cr);
void     hl_heatmap_layout_pick         (const HlHeatmapLayout *self,
                                         double                 x,
                                         double                 y,
                                         HlPick                *pick);

G_END_DECLS
