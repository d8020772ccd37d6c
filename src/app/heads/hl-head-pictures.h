/* SPDX-License-Identifier: MIT */
/* Every head of an attention as a picture of a few pixels, read in a worker, a layer at a time. */
#pragma once

#include "view/hl-view-state.h"

#include <gdk/gdk.h>

G_BEGIN_DECLS

/* Of cells that are too small for pictures, what their colour tells unless another number was chosen. */
#define HL_HEAD_GRID_SMALL_MEASURE HL_HEAD_MEASURE_ENTROPY

#define HL_TYPE_HEAD_PICTURES (hl_head_pictures_get_type ())
G_DECLARE_FINAL_TYPE (HlHeadPictures, hl_head_pictures, HL, HEAD_PICTURES, GObject)

HlHeadPictures *hl_head_pictures_new        (void);
gboolean        hl_head_pictures_can_follow (HlViewState    *state);
void            hl_head_pictures_follow     (HlHeadPictures *self,
                                             HlViewState    *state,
                                             guint           size);
GdkTexture     *hl_head_pictures_get        (HlHeadPictures *self,
                                             guint           layer,
                                             guint           head,
                                             const GdkRGBA  *ink);

G_END_DECLS
