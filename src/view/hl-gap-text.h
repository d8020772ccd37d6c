/* SPDX-License-Identifier: MIT */
/* Layers without an attention map, in words. */
#pragma once

#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

char *hl_gap_text_new (HlAttention *attention);
const char *hl_gap_text_get (HlAttention *attention, guint layer);
const char *hl_gap_text_get_hint (HlAttention *attention, guint layer);

G_END_DECLS
