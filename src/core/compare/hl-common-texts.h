/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compare/hl-comparison.h"

G_BEGIN_DECLS

gsize hl_comparison_find_sentence_b (HlComparison *self,
                                     HlSide        side,
                                     gsize         start_a,
                                     gsize         start_b);

G_END_DECLS
