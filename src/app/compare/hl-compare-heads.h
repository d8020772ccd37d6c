/* SPDX-License-Identifier: MIT */
/* What the two sides of a comparison tell one another of their heads: with which each is compared. */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

void hl_compare_heads_update (HlViewState         *a,
                              HlViewState         *b,
                              const HlHeadPairing *pairing);
void hl_compare_heads_clear  (HlViewState         *a,
                              HlViewState         *b);

G_END_DECLS
