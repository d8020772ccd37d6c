/* SPDX-License-Identifier: MIT */
/* The bar over a comparison: what the two sides are, which heads belong together, and how to leave. */
#pragma once

#include "app/compare/hl-compare-side.h"
#include "app/session/hl-session.h"
#include "view/hl-sides.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_COMPARE_BAR (hl_compare_bar_get_type ())
G_DECLARE_FINAL_TYPE (HlCompareBar, hl_compare_bar, HL, COMPARE_BAR, AdwBin)

void hl_compare_bar_set_sides (HlCompareBar *self, HlSides *sides);
void hl_compare_bar_set_narrow (HlCompareBar *self, gboolean narrow);
void hl_compare_bar_set_side (HlCompareBar *self, HlCompareSide side);
void hl_compare_bar_update_names (HlCompareBar *self, HlSession *session, HlSession *other);
char *hl_compare_bar_dup_title (HlCompareBar *self);
void hl_compare_bar_update (HlCompareBar *self);

G_END_DECLS
