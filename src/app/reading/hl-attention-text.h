/* SPDX-License-Identifier: MIT */
/* An attention of attention in words. */
#pragma once

#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

char *hl_attention_text_sizes  (HlAttention *attention);
char *hl_attention_text_traits (HlAttention *attention);

G_END_DECLS
