/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compare/hl-comparison.h"
#include "core/source/hl-derived-source.h"

G_BEGIN_DECLS

#define HL_TYPE_DIFFERENCE_SOURCE (hl_difference_source_get_type ())
G_DECLARE_FINAL_TYPE (HlDifferenceSource, hl_difference_source, HL, DIFFERENCE_SOURCE, HlDerivedSource)

HlAttentionSource *hl_difference_source_new           (HlComparison      *comparison);
char              *hl_difference_source_name_quantity (HlAttentionSource *a,
                                                       HlAttentionSource *b);

G_END_DECLS
