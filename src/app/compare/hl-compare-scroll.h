/* SPDX-License-Identifier: MIT */
/* Scrolls and zooms two scene views together: tokens that belong together stay at the same height, and side by side. */
#pragma once

#include "app/canvas/hl-scene-view.h"
#include "view/hl-sides.h"

G_BEGIN_DECLS

#define HL_TYPE_COMPARE_SCROLL (hl_compare_scroll_get_type ())
G_DECLARE_FINAL_TYPE (HlCompareScroll, hl_compare_scroll, HL, COMPARE_SCROLL, GObject)

HlCompareScroll *hl_compare_scroll_new (HlSides     *sides,
                                        HlSceneView *a,
                                        HlSceneView *b);

void             hl_compare_scroll_set_alone (HlCompareScroll *self,
 gboolean alone);
void             hl_compare_scroll_go_to (HlCompareScroll *self,
                                          double           x,
                                          double           y);

G_END_DECLS
