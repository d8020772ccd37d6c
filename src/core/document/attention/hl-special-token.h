/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

gboolean hl_attention_is_special_token (HlAttention *self,
                                        HlSide       side,
                                        gsize        index);

G_END_DECLS
