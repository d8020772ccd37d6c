/* SPDX-License-Identifier: MIT */
/* What of a picture the pointer is over, what is pinned in it, and where both go when the picture is another. */
#pragma once

#include "view/pick/hl-focus.h"
#include "view/shown/hl-shown.h"

G_BEGIN_DECLS

/* Zeros for nothing. */
typedef struct
{
  HlPick  hovered;       /* what the pointer is over */
  HlFocus pin;           /* all that is pinned */
  HlFocus hovered_alone; /* hovered, as what rules the picture */
} HlViewPicks;

void           hl_view_picks_clear        (HlViewPicks   *self);
HlChanges      hl_view_picks_hover        (HlViewPicks   *self,
                                           const HlPick  *pick);
HlChanges      hl_view_picks_take_pin     (HlViewPicks   *self,
                                           HlFocus        pin);
HlChanges      hl_view_picks_carry        (HlViewPicks   *self,
                                           HlAttention   *before,
                                           HlAttention   *after);
HlChanges      hl_view_picks_keep_shown   (HlViewPicks   *self,
                                           const HlShown *shown);
HlChanges      hl_view_picks_leave_view   (HlViewPicks   *self,
                                           HlViewKind     to,
                                           guint          layer);
const HlFocus *hl_view_picks_get_in_focus (HlViewPicks   *self);

G_END_DECLS
