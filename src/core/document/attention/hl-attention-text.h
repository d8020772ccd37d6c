/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

gsize       hl_attention_find_second_text (HlAttention *self,
                                           HlSide       side);
gsize       hl_attention_count_tokens     (HlAttention *self,
                                           HlSide       side);
HlTokenMap *hl_attention_make_words       (HlAttention *self,
                                           HlSide       side);

G_END_DECLS
