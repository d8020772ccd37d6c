/* SPDX-License-Identifier: MIT */
/*
 * What keeps two sides of a comparison together: how they are looked at, layer and heads, what is hovered and pinned,
 * and where they are scrolled to. Lives on the main thread.
 */
#pragma once

#include "app/canvas/hl-scene-view.h"

G_BEGIN_DECLS

#define HL_TYPE_COMPARE_LINK (hl_compare_link_get_type ())
G_DECLARE_FINAL_TYPE (HlCompareLink, hl_compare_link, HL, COMPARE_LINK, GObject)

HlCompareLink       *hl_compare_link_new            (HlViewState         *a,
                                                     HlViewState         *b,
                                                     const HlHeadPairing *pairing);
void                 hl_compare_link_close          (HlCompareLink       *self);
HlViewState         *hl_compare_link_get_a          (HlCompareLink       *self);
const HlHeadPairing *hl_compare_link_get_pairing    (HlCompareLink       *self);
void                 hl_compare_link_set_pairing    (HlCompareLink       *self,
                                                     const HlHeadPairing *pairing);
gboolean             hl_compare_link_get_difference (HlCompareLink       *self);
void                 hl_compare_link_set_difference (HlCompareLink       *self,
                                                     gboolean             difference);
HlComparison        *hl_compare_link_get_comparison (HlCompareLink       *self);

G_END_DECLS
