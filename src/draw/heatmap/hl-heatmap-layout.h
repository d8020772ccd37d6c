/* SPDX-License-Identifier: MIT */
/* Where everything of a heatmap is. Plain numbers, so that drawing, picking and tests agree by construction. */
#pragma once

#include "draw/heatmap/hl-heatmap-cell.h"
#include "draw/scene/hl-scene-frame.h"

G_BEGIN_DECLS

/* All in logical pixels of the viewport. */
typedef struct
{
  double            width;   /* of the viewport */
  double            height;  /* of the viewport */
  double            scale;   /* device pixels a logical pixel */
  HlRange           queries; /* the queries that are shown, downwards */
  HlRange           keys;    /* the keys that are shown, to the right; to the left where mirrored */
  /* whether keys run from right to left: then all that is called left, right and x of cells is counted from the
   * right, and hl_heatmap_layout_enter() mirrors it */
  gboolean          mirrored;
  double            mirror;             /* the sum of an x counted from the right and the same x of the viewport */
  HlHeatmapCell     fit_cell;           /* the size of cells with which all are in view */
  HlHeatmapCell     cell;               /* the size of cells */
  cairo_rectangle_t plot;               /* the part of the viewport in which cells are seen */
  double            origin_x;           /* left edge of the first column; depends on the scroll position */
  double            origin_y;           /* top of the first row */
  double            content_width;      /* of everything */
  double            content_height;     /* of everything */
  double            row_label_width;    /* room for row labels, which end left of plot */
  double            column_label_width; /* longest column label that there is room for, along its slanted line */
  gboolean          columns_flat;       /* whether column labels are horizontal, as each fits over its column */
  /* whether tokens of that side are told from an axis of seconds, as there is no room for the label of each */
  gboolean          has_axis[2];
  double            label_sizes[2];     /* of the fonts of labels of rows and of columns */
  gsize             strides[2];         /* every how many rows, and columns, there is room for a label */
  double            caption_y;          /* middle of the caption */
  double            title_x;            /* middle of the title of the rows, which reads upwards */
  double            title_y;            /* middle of the title of the columns */
  cairo_rectangle_t bar;                /* the colour bar */
  gboolean          bar_is_flat;        /* whether it lies below the cells, its least number where the text begins to be read: on the left */
} HlHeatmapLayout;

void     hl_heatmap_layout_init         (HlHeatmapLayout    *self,
                                         const HlSceneFrame *frame);
void     hl_heatmap_layout_get_cells    (const HlHeatmapLayout *self,
                                         HlRange               *rows,
                                         HlRange               *columns);
void     hl_heatmap_layout_get_cell_box (const HlHeatmapLayout *self,
                                         gsize                  row,
                                         gsize                  column,
                                         cairo_rectangle_t     *box);
double   hl_heatmap_layout_get_row_y    (const HlHeatmapLayout *self,
                                         gsize                  row);
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
