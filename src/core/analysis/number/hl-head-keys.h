/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/analysis/number/hl-head-number.h"

G_BEGIN_DECLS

guint8  *hl_head_keys_list_traits (HlAttention *attention);
guint32 *hl_head_keys_list_tokens (HlAttention *attention);

G_END_DECLS
