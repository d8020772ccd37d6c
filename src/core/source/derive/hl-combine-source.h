/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/derive/hl-combine.h"
#include "core/source/hl-derived-source.h"

G_BEGIN_DECLS

#define HL_TYPE_COMBINE_SOURCE (hl_combine_source_get_type ())
G_DECLARE_FINAL_TYPE (HlCombineSource, hl_combine_source, HL, COMBINE_SOURCE, HlDerivedSource)

HlAttentionSource *hl_combine_source_new (HlAttentionSource *source,
                                          HlCombine          combine,
                                          HlCombineOver      over,
                                          const HlHeadSet   *heads,
                                          const HlLayerSet  *layers);

G_END_DECLS
