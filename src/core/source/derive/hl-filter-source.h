/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/hl-derived-source.h"

G_BEGIN_DECLS

#define HL_TYPE_FILTER_SOURCE (hl_filter_source_get_type ())
G_DECLARE_FINAL_TYPE (HlFilterSource, hl_filter_source, HL, FILTER_SOURCE, HlDerivedSource)

HlAttentionSource *hl_filter_source_new (HlAttentionSource *source,
                                         double             threshold,
                                         double             top_mass);

G_END_DECLS
