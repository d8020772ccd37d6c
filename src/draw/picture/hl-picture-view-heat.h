/* SPDX-License-Identifier: MIT */
/* Weights over an image: the scale of their colours, and the colours. */
#pragma once

#include "draw/paint/hl-value-scale.h"
#include "draw/picture/hl-picture-view-data.h"
#include "draw/picture/hl-picture-view-layout.h"
#include "draw/scene/hl-blank.h"
#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

/* What is seen at a time: the weights of one side's tokens, of what is in focus, or what keys get on average. */
typedef struct
{
  const HlSceneFrame *frame;
  const HlPictureParts *parts;
  HlSide side;          /* whose weights they are */
  HlRange range;        /* of the tokens */
  float *weights;       /* of each */
  HlValueScale scale;
  double row_max;
  gboolean *hidden;          /* of each, whether a rule hides it from what rules the picture */
  gboolean *is_patch;        /* of each */
  gboolean has[HL_N_BLANKS]; /* whether some patch is shown as that */
} HlPictureViewHeat;

void     hl_picture_view_heat_init  (HlPictureViewHeat       *self,
                                     const HlSceneFrame      *frame,
                                     const HlPictureParts    *parts,
                                     const HlPictureViewData *data,
                                     const HlFocus           *focus);
void     hl_picture_view_heat_clear (HlPictureViewHeat       *self);
double   hl_picture_view_heat_get_share (const HlPictureViewHeat *self);
gboolean hl_picture_view_heat_is_on (const HlPictureViewHeat *self,
                                     HlSide                   side);
void     hl_picture_view_heat_draw_pane (const HlPictureViewHeat *self,
                                         const HlPicturePane     *pane,
                                         cairo_t                 *cr);
gboolean hl_picture_view_heat_get_colour (const HlPictureViewHeat *self,
                                          gsize                    token,
                                          HlColour                *colour);
void     hl_picture_view_heat_draw_bar (const HlPictureViewHeat *self,
                                        HlScene                 *scene,
                                        const HlPictureViewLayout *layout,
                                        cairo_t                 *cr);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlPictureViewHeat, hl_picture_view_heat_clear)

G_END_DECLS
