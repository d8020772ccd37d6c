/* SPDX-License-Identifier: MIT */
/* Where everything of a head view is. Plain numbers, so that drawing, picking and tests agree by construction. */
#pragma once

#include "draw/hl-scene-text.h"
#include "draw/hl-view-state.h"

G_BEGIN_DECLS

/**
 * HlHeadViewLayout:
 * @width: of the viewport
 * @height: of the viewport
 * @queries: the queries that are shown
 * @keys: the keys that are shown
 * @row_height: from one token to the next
 * @header_height: of the head strip and caption, under which tokens scroll
 * @first_row: top of the first row in the viewport; depends on the scroll position
 * @content_height: of everything
 * @x_query: where lines begin
 * @x_key: where lines end
 * @query_left: left edge of the column of query labels
 * @query_right: its right edge
 * @key_left: left edge of the column of key labels
 * @key_right: its right edge
 * @label_size: of the font of labels
 * @label_stride: every how many tokens there is room for a label
 * @caption_y: middle of the caption
 * @titles_y: middle of the titles of both columns
 * @n_heads: heads of the layer
 * @strip_x: left edge of the head strip
 * @strip_y: its top
 * @strip_columns: heads in a row of it
 * @swatch_width: of a head's swatch
 * @swatch_height: of a head's swatch
 * @swatch_gap: between swatches
 *
 * All in logical pixels of the viewport.
 */
typedef struct
{
  double  width;
  double  height;
  HlRange queries;
  HlRange keys;
  double  row_height;
  double  header_height;
  double  first_row;
  double  content_height;
  double  x_query;
  double  x_key;
  double  query_left;
  double  query_right;
  double  key_left;
  double  key_right;
  double  label_size;
  gsize   label_stride;
  double  caption_y;
  double  titles_y;
  guint   n_heads;
  double  strip_x;
  double  strip_y;
  guint   strip_columns;
  double  swatch_width;
  double  swatch_height;
  double  swatch_gap;
} HlHeadViewLayout;

/**
 * HL_HEAD_VIEW_MIN_ROW:
 *
 * The smallest height of a row, in logical pixels.
 */
#define HL_HEAD_VIEW_MIN_ROW 0.5

/**
 * HL_HEAD_VIEW_MAX_ROW:
 *
 * The greatest height of a row, in logical pixels.
 */
#define HL_HEAD_VIEW_MAX_ROW 40.0

void   hl_head_view_layout_init          (HlHeadViewLayout       *self,
                                          HlViewState            *state,
                                          double                  width,
                                          double                  height,
                                          double                  scroll_y,
                                          double                  row_height,
                                          double                  query_label_width,
                                          double                  key_label_width);
double hl_head_view_layout_get_fit_row   (const HlHeadViewLayout *self);
double hl_head_view_layout_get_row_y     (const HlHeadViewLayout *self,
                                          gsize                   row);
void   hl_head_view_layout_get_swatch    (const HlHeadViewLayout *self,
                                          guint                   head,
                                          double                 *x,
                                          double                 *y);
void   hl_head_view_layout_get_rows_seen (const HlHeadViewLayout *self,
                                          gsize                   n,
                                          gsize                  *first,
                                          gsize                  *end);
void   hl_head_view_layout_pick          (const HlHeadViewLayout *self,
                                          double                  x,
                                          double                  y,
                                          HlPick                 *pick);

G_END_DECLS
