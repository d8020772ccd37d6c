/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

gboolean hl_attention_has_own_keys (HlAttention  *self,
                                    const HlMask *mask);

G_END_DECLS
