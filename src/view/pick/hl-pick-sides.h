/* SPDX-License-Identifier: MIT */
/* Where what is pinned on one side of a comparison is on the other, and in their difference. */
#pragma once

#include "core/compare/hl-comparison.h"
#include "view/pick/hl-focus.h"

G_BEGIN_DECLS

HlPick hl_pick_on_other_side (HlComparison *comparison,
                              const HlPick *pick,
                              gboolean      to_b);
HlFocus hl_focus_on_side     (HlComparison  *comparison,
                              const HlFocus *common,
                              gboolean       of_b);
HlFocus hl_focus_in_common   (HlComparison  *comparison,
                              const HlFocus *a,
                              const HlFocus *b);
HlPick hl_pick_carried       (const HlPick *pick,
                              HlAttention  *before,
                              HlAttention  *after);
HlFocus hl_focus_carried     (const HlFocus *focus,
                              HlAttention   *before,
                              HlAttention   *after);

G_END_DECLS
