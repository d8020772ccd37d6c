/* SPDX-License-Identifier: MIT */
/* What there is to tell of the head that is looked at, or pointed at: picture, numbers, strongest pairs, heads like it. */
#pragma once

#include "app/details/hl-head-picture.h"
#include "app/panels/hl-state-panel.h"

G_BEGIN_DECLS

#define HL_TYPE_HEAD_PAGE (hl_head_page_get_type ())
G_DECLARE_FINAL_TYPE (HlHeadPage, hl_head_page, HL, HEAD_PAGE, HlStatePanel)

void     hl_head_page_set_twin  (HlHeadPage    *self,
                                 HlHeadPicture *twin);
gboolean hl_head_page_points_at (HlHeadPage    *self,
                                 const HlPick  *pick);

G_END_DECLS
