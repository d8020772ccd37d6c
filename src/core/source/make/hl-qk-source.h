/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

#define HL_TYPE_QK_SOURCE (hl_qk_source_get_type ())
G_DECLARE_FINAL_TYPE (HlQkSource, hl_qk_source, HL, QK_SOURCE, GObject)

HlAttentionSource *hl_qk_source_new         (HlAttention *attention);
HlAttentionSource *hl_qk_source_new_altered (HlAttention *attention,
                                             double       score_scale,
                                             gboolean     masked);

G_END_DECLS
