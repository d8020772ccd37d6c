/* SPDX-License-Identifier: MIT */
/* Two that are shown beside one another. */
#pragma once

#include "view/shown/hl-shown.h"

G_BEGIN_DECLS

HlComparison *hl_shown_pair_compare (const HlShown *a,
                                     const HlShown *b,
                                     HlAligner     *aligner,
                                     HlComparison  *before);

G_END_DECLS
