/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/hl-derived-source.h"

G_BEGIN_DECLS

#define HL_TYPE_SINK_SOURCE (hl_sink_source_get_type ())
/**
 * HlSinkSource:
 *
 * Another source with one key more, before all others: the learned sinks of heads, and what rows leave to them.
 */
G_DECLARE_FINAL_TYPE (HlSinkSource, hl_sink_source, HL, SINK_SOURCE, HlDerivedSource)

/**
 * HL_SINK_TOKEN:
 *
 * How the key that stands for learned sinks is spelt where others have their token.
 */
#define HL_SINK_TOKEN "[sink]"

gboolean           hl_sink_is_in      (HlAttention       *attention);
gboolean           hl_sink_is_at      (HlAttention       *attention,
                                       HlSide             side,
                                       gsize              index);
void               hl_sink_name_keys  (HlAttentionTokens *keys,
                                       HlTokenMap        *map);
HlTokenMap        *hl_sink_shift_map  (HlTokenMap        *map);
HlAttentionSource *hl_sink_source_new (HlAttentionSource *source,
                                       HlAttention       *attention);

G_END_DECLS
