/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

HlAttentionSource *hl_attention_make_source (HlAttention *attention);

G_END_DECLS
