/* SPDX-License-Identifier: MIT */
/* The card beside the thumbnail in focus: which head it is, a larger picture of it, and its numbers. */
#pragma once

#include "draw/model-view/hl-thumbnail.h"
#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

/* The longer side of the larger picture, logical pixels. */
#define HL_MODEL_VIEW_CARD_PICTURE 208

/* What it tells. It owns nothing. */
typedef struct
{
  const char        *title;          /* the name of the head */
  gboolean           enlarges;       /* whether it has room for a picture */
  const HlThumbnail *picture;        /* the picture, once there is one; may be NULL */
  double             picture_width;  /* of the room, logical pixels */
  double             picture_height; /* of the room */
  const char        *pairs;          /* the words that heads were looked for with; may be NULL */
  const char        *weight;         /* how the head links them */
  HlHeadNumberSet    told;           /* the numbers that have a line */
  HlHeadNumberSet    known;          /* those that are in stats */
  HlHeadStats        stats;          /* the numbers; those that are not defined have no line */
} HlModelViewCard;

void hl_model_view_card_draw (const HlModelViewCard   *self,
                              HlScene                 *scene,
                              const HlSceneFrame      *frame,
                              cairo_t                 *cr,
                              const cairo_rectangle_t *of);

G_END_DECLS
