/* SPDX-License-Identifier: MIT */
/* Two that are shown beside one another, or one minus the other. */
#pragma once

#include "view/shown/hl-shown.h"

G_BEGIN_DECLS

HlComparison *hl_shown_pair_compare (const HlShown *a,
                                     const HlShown *b,
                                     HlAligner     *aligner,
                                     HlComparison  *before);

HlLayerSet hl_shown_pair_find_layers (const HlLayerSet *layers,
                                      HlAttention      *a,
                                      HlAttention      *b);

G_END_DECLS
