/* SPDX-License-Identifier: MIT */
/* Where what is pinned on one side of a comparison is on the other, and in their difference. */
#pragma once

#include "core/compare/hl-comparison.h"
#include "view/hl-pick.h"

G_BEGIN_DECLS

HlPick hl_pick_on_other_side (HlComparison *comparison,
                              const HlPick *pick,
                              gboolean      to_b);
HlPick hl_pick_on_side       (HlComparison *comparison,
                              const HlPick *common,
                              gboolean      of_b);
HlPick hl_pick_in_common     (HlComparison *comparison,
                              const HlPick *a,
                              const HlPick *b);
HlPick hl_pick_carried       (const HlPick *pick,
                              HlAttention  *before,
                              HlAttention  *after);

G_END_DECLS
