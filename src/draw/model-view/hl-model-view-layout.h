/* SPDX-License-Identifier: MIT */
/*
 * Where everything of a model view is: a row for each layer, a column for each head, or one after the other in some
 * order. Plain numbers.
 */
#pragma once

#include "draw/model-view/hl-model-view-order.h"
#include "draw/scene/hl-scene-frame.h"

G_BEGIN_DECLS

/* All in logical pixels of the viewport. */
typedef struct
{
  double            width;       /* of the viewport */
  double            height;      /* of the viewport */
  double            scale;       /* device pixels a logical pixel */
  HlAttention      *attention;   /* (unowned): whose heads */
  const HlModelViewOrder *order; /* (unowned): in which order they are */
  guint             n_rows;      /* rows: as many as there are layers, unless sorted */
  guint             n_columns;   /* columns: as many as the layer with most heads has, unless sorted */
  /* how often as large as to fit a thumbnail becomes at most, when one fills the viewport */
  double            max_zoom;
  double            pitch_x;        /* from one thumbnail to the next */
  double            pitch_y;        /* likewise downwards */
  double            gap;            /* of these, between two thumbnails */
  double            strip;          /* of pitch_y, room for the name over each thumbnail; 0 for none */
  double            mat;            /* how wide the coloured frame around a thumbnail is; 0 for none */
  double            slack;          /* room over the thumbnails where they do not fill what there is: half of that */
  cairo_rectangle_t plot;           /* the part of the viewport in which thumbnails are seen */
  double            origin_x;       /* left edge of the first column; depends on the scroll position */
  double            origin_y;       /* top of the first row */
  double            content_width;  /* of everything */
  double            content_height; /* of everything */
  double            label_size;     /* of the font of numbers */
  guint             row_stride;     /* every how many rows there is room for a number */
  guint             column_stride;  /* likewise of columns */
  double            caption_y;      /* middle of the caption */
  double            legend_y;       /* middle of what explains the frames */
} HlModelViewLayout;

void     hl_model_view_layout_init     (HlModelViewLayout      *self,
                                        const HlSceneFrame     *frame,
                                        const HlModelViewOrder *order);
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
void     hl_model_view_layout_get_size (const HlModelViewLayout *self,
                                        double                  *width,
                                        double                  *height);
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
