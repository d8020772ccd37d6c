/* SPDX-License-Identifier: MIT */
/* Where everything of the view of steps is. Plain numbers, so that drawing, picking and tests agree by construction. */
#pragma once

#include "draw/steps/hl-steps-data.h"

G_BEGIN_DECLS

/* The smallest width of a matrix with its labels, in logical pixels. */
#define HL_STEPS_MIN_CARD 120.0

/**
 * HlStepsCard:
 * @step: which matrix
 * @rows: the rows that are shown, queries or keys
 * @columns: the columns that are shown, keys or features
 * @box: all of it: title, formula, labels, plot and scale
 * @plot: the cells
 * @label_width: room for the labels of rows, left of @plot; 0 for none
 * @row_stride: every how many rows there is room for a label
 * @column_label_height: room for the labels of columns, above @plot; 0 for none
 *
 * One matrix, in logical pixels of the viewport.
 */
typedef struct
{
  HlStep            step;
  HlRange           rows;
  HlRange           columns;
  cairo_rectangle_t box;
  cairo_rectangle_t plot;
  double            label_width;
  gsize             row_stride;
  double            column_label_height;
} HlStepsCard;

/**
 * HlStepsLayout:
 * @width: of the viewport
 * @height: of the viewport
 * @scale: device pixels a logical pixel
 * @header_height: of the caption, under which matrices scroll
 * @card_width: of each matrix with its labels
 * @content_height: of everything
 * @note_y: middle of the note on what the file lacks
 * @label_size: of the font of labels
 * @n_cards: how many matrices
 * @cards: (array length=n_cards): the matrices
 *
 * All in logical pixels of the viewport.
 */
typedef struct
{
  double      width;
  double      height;
  double      scale;
  double      header_height;
  double      card_width;
  double      content_height;
  double      note_y;
  double      label_size;
  guint       n_cards;
  HlStepsCard cards[HL_N_STEPS];
} HlStepsLayout;

void               hl_steps_layout_init      (HlStepsLayout       *self,
                                              const HlStepsData   *data,
                                              double               width,
                                              double               height,
                                              double               scale,
                                              double               scroll_y,
                                              double               card_width,
                                              double               row_label_width,
                                              double               column_label_width,
                                              double               caption_room);
const HlStepsCard *hl_steps_layout_find_card (const HlStepsLayout *self,
                                              HlStep               step);
void               hl_steps_card_get_cell    (const HlStepsCard   *card,
                                              gsize                row,
                                              gsize                column,
                                              cairo_rectangle_t   *box);
void               hl_steps_layout_pick      (const HlStepsLayout *self,
                                              double               x,
                                              double               y,
                                              HlPick              *pick);

G_END_DECLS
