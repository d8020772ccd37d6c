/* SPDX-License-Identifier: MIT */
/* The small picture of a map, with the scale of its colours beside it. */
#pragma once

#include "app/details/hl-head-facts.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* As high and as wide, logical pixels. */
#define HL_HEAD_PICTURE_SIDE 164

#define HL_TYPE_HEAD_PICTURE (hl_head_picture_get_type ())
G_DECLARE_FINAL_TYPE (HlHeadPicture, hl_head_picture, HL, HEAD_PICTURE, GtkWidget)

HlThumbnailStyle hl_head_picture_get_style (HlHeadPicture *self,
                                            const HlShown *shown);
void             hl_head_picture_set_facts (HlHeadPicture *self,
                                            HlHeadFacts   *facts);
void             hl_head_picture_set_mark  (HlHeadPicture *self,
                                            const HlPick  *pick);
gboolean         hl_head_picture_find_cell (HlHeadPicture *self,
                                            double         x,
                                            double         y,
                                            HlPick        *cell);

G_END_DECLS
