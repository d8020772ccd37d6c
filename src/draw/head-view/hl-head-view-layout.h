/* SPDX-License-Identifier: MIT */
/*
 * Where everything of a head view is. Plain numbers, so that drawing, picking and tests agree by construction.
 *
 * Tokens have coordinates of their own: x goes from the queries to the keys, y along the text. Upright and from left to
 * right these are those of the viewport; a matrix lays them down, or mirrors them, and nothing else knows.
 */
#pragma once

#include "draw/text/hl-scene-text.h"
#include "view/hl-view-state.h"

G_BEGIN_DECLS

/**
 * HlHeadViewLayout:
 * @width: of the viewport
 * @height: of the viewport
 * @queries: the queries that are shown
 * @keys: the keys that are shown
 * @horizontal: whether tokens run across the viewport, not down
 * @mirrored: whether the text is read from right to left
 * @flat: whether labels of tokens that run across have room side by side, and need not be turned
 * @matrix: from coordinates of tokens to those of the viewport
 * @begin: where tokens come into view, on the y of tokens
 * @end: where they leave it
 * @side: where the room of tokens begins, on the x of tokens
 * @across: where it ends
 * @row_height: from one token to the next
 * @comfortable_row: the distance between tokens that needs not be larger
 * @max_row: the largest
 * @header_height: of the head strip and caption, which stay in place
 * @first_row: begin of the first row, on the y of tokens; depends on the scroll position
 * @content_width: of everything
 * @content_height: of everything
 * @x_query: where lines begin, on the x of tokens as all that follows up to @gutter
 * @x_key: where lines end
 * @query_left: where the column of query labels begins
 * @query_right: where it ends
 * @key_left: where the column of key labels begins
 * @key_right: where it ends
 * @gutter: room beside labels for numbers, pins and the marks of sentences
 * @label_size: of the font of labels
 * @label_stride: every how many tokens there is room for a label
 * @number_room: how far numbers must be apart, on the y of tokens
 * @caption_y: middle of the caption in the viewport
 * @titles_y: middle of the titles of both columns in the viewport, where tokens run down
 * @n_heads: swatches: of the heads of the layer, then of @guests
 * @n_own: heads of the layer
 * @guests: heads of other layers that are shown with them
 * @strip_x: left edge of the head strip in the viewport
 * @strip_y: its top
 * @strip_columns: heads in a row of it
 * @swatch_width: of a head's swatch
 * @swatch_height: of a head's swatch
 * @swatch_gap: between swatches
 *
 * All in logical pixels.
 */
typedef struct
{
  double         width;
  double         height;
  HlRange        queries;
  HlRange        keys;
  gboolean       horizontal;
  gboolean       mirrored;
  gboolean       flat;
  cairo_matrix_t matrix;
  double         begin;
  double         end;
  double         side;
  double         across;
  double         row_height;
  double         comfortable_row;
  double         max_row;
  double         header_height;
  double         first_row;
  double         content_width;
  double         content_height;
  double         x_query;
  double         x_key;
  double         query_left;
  double         query_right;
  double         key_left;
  double         key_right;
  double         gutter;
  double         label_size;
  gsize          label_stride;
  double         number_room;
  double         caption_y;
  double         titles_y;
  guint          n_heads;
  guint          n_own;
  HlGuests       guests;
  double         strip_x;
  double         strip_y;
  guint          strip_columns;
  double         swatch_width;
  double         swatch_height;
  double         swatch_gap;
} HlHeadViewLayout;

/**
 * HlHeadViewWants:
 * @row_height: from one token to the next, logical pixels; 0 for what suits the number of tokens
 * @query_label_width: room that the longest query label wants
 * @key_label_width: likewise of keys
 * @title_width: room that the longer title of queries and keys wants
 * @caption_room: how much lower the caption is than one of a single line
 *
 * What a layout makes room for.
 */
typedef struct
{
  double row_height;
  double query_label_width;
  double key_label_width;
  double title_width;
  double caption_room;
} HlHeadViewWants;

/* The smallest height of a row, in logical pixels. */
#define HL_HEAD_VIEW_MIN_ROW 0.5

/* The greatest height of a row, in logical pixels. */
#define HL_HEAD_VIEW_MAX_ROW 40.0

void   hl_head_view_layout_init          (HlHeadViewLayout       *self,
                                          HlViewState            *state,
                                          double                  width,
                                          double                  height,
                                          double                  scroll,
                                          const HlHeadViewWants  *wants);
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
void   hl_head_view_layout_enter         (const HlHeadViewLayout *self,
                                          cairo_t                *cr);
void   hl_head_view_layout_map_box       (const HlHeadViewLayout *self,
                                          cairo_rectangle_t      *box);
void   hl_head_view_layout_pick          (const HlHeadViewLayout *self,
                                          double                  x,
                                          double                  y,
                                          HlPick                 *pick);

G_END_DECLS
