/* SPDX-License-Identifier: MIT */
/*
 * Finds out what there is to know of the heads of an attention: how they link the words somebody asked for, and their
 * statistics when a picture or a table needs them.
 */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

#define HL_TYPE_HEAD_WORK (hl_head_work_get_type ())
G_DECLARE_FINAL_TYPE (HlHeadWork, hl_head_work, HL, HEAD_WORK, GObject)

HlHeadWork   *hl_head_work_new            (void);
void          hl_head_work_set_view_state (HlHeadWork  *self,
                                           HlViewState *state);
void          hl_head_work_set_wanted     (HlHeadWork  *self,
                                           gboolean     wanted);
void          hl_head_work_set_numbers    (HlHeadWork  *self,
                                           HlHeadNumberSet numbers);
void          hl_head_work_stop           (HlHeadWork  *self);
void          hl_head_work_resume         (HlHeadWork  *self);
gboolean      hl_head_work_get_busy       (HlHeadWork  *self);
gboolean      hl_head_work_get_stopped    (HlHeadWork  *self);
double        hl_head_work_get_fraction   (HlHeadWork  *self);
const GError *hl_head_work_get_error      (HlHeadWork  *self);

G_END_DECLS
