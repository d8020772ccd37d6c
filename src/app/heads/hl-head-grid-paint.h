/* SPDX-License-Identifier: MIT */
/* Where the cells of the picker are, and how they look. */
#pragma once

#include "app/heads/hl-head-pictures.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* In pixels. */
typedef struct
{
  int label_width;   /* room for the numbers of layers, at the left */
  int header_height; /* room for the numbers of heads, at the top */
  int cell;          /* width and height; 0 before there is a place for it */
  int scroll_x;
  int scroll_y;
} HlHeadGridLayout;

/* What is in the cells. */
typedef struct
{
  HlHeadMeasure measure;    /* what their colour tells; HL_HEAD_MEASURE_NONE for pictures, or for nothing */
  gboolean is_known;        /* whether it is known of all heads */
  double min;               /* the least number; finite */
  double max;               /* the greatest */
  HlHeadPictures *pictures; /* NULL for none */
} HlHeadGridLook;

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
void     hl_head_grid_paint             (GtkWidget              *widget,
                                         GtkSnapshot            *snapshot,
                                         HlViewState            *state,
                                         const HlHeadGridLayout *layout,
                                         const HlHeadGridLook   *look,
                                         int                     hovered_layer,
                                         int                     hovered_head);

G_END_DECLS
