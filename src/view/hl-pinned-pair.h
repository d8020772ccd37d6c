/* SPDX-License-Identifier: MIT */
/*
 * The pair that is pinned, in words. Heads that are ranked by it are no longer once it is freed, in whatever way: no
 * caption goes on about it. It follows a view state by itself; words that somebody typed and that are not pinned stay.
 */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

#define HL_TYPE_PINNED_PAIR (hl_pinned_pair_get_type ())
G_DECLARE_FINAL_TYPE (HlPinnedPair, hl_pinned_pair, HL, PINNED_PAIR, GObject)

HlPinnedPair *hl_pinned_pair_new   (HlViewState *state);
char         *hl_pinned_pair_spell (HlViewState *state);

G_END_DECLS
