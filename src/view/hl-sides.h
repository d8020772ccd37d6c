/* SPDX-License-Identifier: MIT */
/*
 * A and B, which are compared: one is looked at as the other is, side by side or B − A in place of A. Tokens belong
 * together by their alignment, heads by their pairing. Lives in one thread, which its aligner runs a main loop in.
 */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

#define HL_TYPE_SIDES (hl_sides_get_type ())
G_DECLARE_FINAL_TYPE (HlSides, hl_sides, HL, SIDES, GObject)

HlSides             *hl_sides_new            (HlViewState         *a,
                                              HlViewState         *b,
                                              const HlHeadPairing *pairing,
                                              HlAligner           *aligner);
void                 hl_sides_close          (HlSides             *self);
HlViewState         *hl_sides_get_a          (HlSides             *self);
HlViewState         *hl_sides_get_b          (HlSides             *self);
HlComparison        *hl_sides_get_comparison (HlSides             *self);
const HlHeadPairing *hl_sides_get_pairing    (HlSides             *self);
void                 hl_sides_set_pairing    (HlSides             *self,
                                              const HlHeadPairing *pairing);
gboolean             hl_sides_get_difference (HlSides             *self);
void                 hl_sides_set_difference (HlSides             *self,
                                              gboolean             difference);
void                 hl_sides_set_names      (HlSides             *self,
                                              const char          *name_a,
                                              const char          *name_b);
void                 hl_sides_hold           (HlSides             *self);
void                 hl_sides_release        (HlSides             *self);
void                 hl_sides_pin            (HlSides             *self,
                                              const HlFocus        *on_a,
                                              const HlFocus        *on_b);

G_END_DECLS
