/* SPDX-License-Identifier: MIT */
/* Where everything of the view of steps is. Plain numbers, so that drawing, picking and tests agree by construction. */
#pragma once

#include "draw/scene/hl-scene-frame.h"
#include "draw/steps/hl-steps-data.h"

G_BEGIN_DECLS

/* The smallest width of a matrix with its labels, in logical pixels. */
#define HL_STEPS_MIN_CARD 120.0

/* One matrix, in logical pixels of the viewport. */
typedef struct
{
  HlStep            step;                /* which matrix */
  HlRange           rows;                /* the rows that are shown, queries or keys */
  HlRange           columns;             /* the columns that are shown, keys or features */
  cairo_rectangle_t box;                 /* all of it: title, formula, labels, plot and scale */
  cairo_rectangle_t plot;                /* the cells */
  double            label_width;         /* room for the labels of rows, left of plot; 0 for none */
  gsize             row_stride;          /* every how many rows there is room for a label */
  double            column_label_height; /* room for the labels of columns, above plot; 0 for none */
  gboolean          has_row_axis;        /* whether seconds stand in place of labels of rows */
  gboolean          has_column_axis;     /* likewise of columns */
} HlStepsCard;

/* All in logical pixels of the viewport. */
typedef struct
{
  double      width;             /* of the viewport */
  double      height;            /* of the viewport */
  double      scale;             /* device pixels a logical pixel */
  double      header_height;     /* of the caption, under which matrices scroll */
  double      card_width;        /* of each matrix with its labels */
  double      content_height;    /* of everything */
  double      note_y;            /* middle of the note on what the file lacks */
  double      label_size;        /* of the font of labels */
  guint       n_cards;           /* how many matrices */
  HlStepsCard cards[HL_N_STEPS]; /* the matrices */
} HlStepsLayout;

void               hl_steps_layout_init      (HlStepsLayout      *self,
                                              const HlSceneFrame *frame);
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
