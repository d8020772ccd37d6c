/* SPDX-License-Identifier: MIT */
/* Where a picture view has its images, the tokens beside them, and the bar of colours. */
#pragma once

#include "draw/paint/hl-cairo.h"
#include "draw/scene/hl-scene-frame.h"

G_BEGIN_DECLS

/* An image with those of its grids that do not lie over one another; one image may have several. */
typedef struct
{
  HlSide side;
  HlPicture *picture; /* of the attention that is shown */
  guint image;
  GArray *grids; /* guint; of the scene */
  double width;  /* of the image, in its own pixels */
  double height;
  cairo_rectangle_t box;
} HlPicturePane;

/* A token that stands for no part of an image: a word, or CLS and registers. */
typedef struct
{
  HlSide side;
  gsize token;
  double text_width;
  cairo_rectangle_t box;
} HlPictureChip;

/* What there is to be laid out: made of an attention and what of it is shown. */
typedef struct
{
  HlAttention *attention;
  HlRange ranges[2];
  gboolean is_one;      /* both sides are the same tokens, which stand once */
  gboolean keys_first;  /* a patch of these is taken for a key: words look at it that come later */
  GArray *panes;        /* HlPicturePane */
  GArray *chips;        /* HlPictureChip */
  double chip_width;    /* the widest */
} HlPictureParts;

typedef struct
{
  const HlPictureParts *parts;
  cairo_rectangle_t window; /* what panes and chips are seen through */
  cairo_rectangle_t images; /* all panes */
  cairo_rectangle_t bar;
  gboolean bar_is_flat;
  double title_height;
  double status_y;
  double scale;      /* pixels of the screen of a pixel of the first image */
  double fit_scale;
  double content_width;
  double content_height;
} HlPictureViewLayout;

void     hl_picture_parts_init  (HlPictureParts            *self,
                                 HlSceneText               *text,
                                 const HlShown             *shown);
gboolean hl_picture_parts_serve (const HlPictureParts      *self,
                                 const HlShown             *shown);
void     hl_picture_parts_clear (HlPictureParts            *self);

void     hl_picture_view_layout_init   (HlPictureViewLayout       *self,
                                        HlPictureParts            *parts,
                                        const HlSceneFrame        *frame);
void     hl_picture_view_layout_pick   (const HlPictureViewLayout *self,
                                        double                     x,
                                        double                     y,
                                        HlPick                    *pick);
gboolean hl_picture_view_layout_locate (const HlPictureViewLayout *self,
                                        HlSide                     side,
                                        gsize                      token,
                                        cairo_rectangle_t         *box);
gboolean hl_picture_parts_find_token   (const HlPictureParts      *self,
                                        const HlPicturePane       *pane,
                                        gsize                      position,
                                        gsize                     *token);
HlSide   hl_picture_parts_get_side     (const HlPictureParts      *self,
                                        HlSide                     side,
                                        gboolean                   is_patch);
cairo_rectangle_t hl_picture_pane_place (const HlPicturePane       *self,
                                         const HlPictureBox        *box);

#define HL_PICTURE_CHIP_SIZE 12.5

G_END_DECLS
