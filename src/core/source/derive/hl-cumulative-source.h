/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/hl-derived-source.h"

G_BEGIN_DECLS

#define HL_TYPE_CUMULATIVE_SOURCE (hl_cumulative_source_get_type ())
G_DECLARE_FINAL_TYPE (HlCumulativeSource, hl_cumulative_source, HL, CUMULATIVE_SOURCE, HlDerivedSource)

HlAttentionSource *hl_cumulative_source_new (HlAttentionSource *source);

G_END_DECLS
