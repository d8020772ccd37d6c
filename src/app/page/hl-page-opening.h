/* SPDX-License-Identifier: MIT */
/* Has the file of a page opened by workers, and the head found that is worth seeing first. What is begun anew takes the place of what
 * was begun before. */
#pragma once

#include "app/session/hl-first-choice.h"
#include "app/session/hl-open-request.h"

G_BEGIN_DECLS

#define HL_TYPE_PAGE_OPENING (hl_page_opening_get_type ())
G_DECLARE_FINAL_TYPE (HlPageOpening, hl_page_opening, HL, PAGE_OPENING, GObject)

HlPageOpening *hl_page_opening_new          (void);
void           hl_page_opening_start        (HlPageOpening       *self,
                                             const HlOpenRequest *request,
                                             HlSession           *before,
                                             HlProgress          *progress);
void           hl_page_opening_choose       (HlPageOpening       *self,
                                             HlSession           *session);
void           hl_page_opening_resume       (HlPageOpening       *self,
                                             HlSession           *session,
                                             HlSession           *before);
void           hl_page_opening_stop         (HlPageOpening       *self);
gboolean       hl_page_opening_get_busy     (HlPageOpening       *self);
HlProgress    *hl_page_opening_get_progress (HlPageOpening       *self);

G_END_DECLS
