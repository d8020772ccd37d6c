/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

char *hl_layer_text_describe (HlAttention *attention);

G_END_DECLS
