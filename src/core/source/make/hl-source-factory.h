/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

HlAttentionSource *hl_attention_source_new_for_attention (HlAttention *attention);

G_END_DECLS
