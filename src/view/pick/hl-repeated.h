/* SPDX-License-Identifier: MIT */
/* Tokens that read alike are told apart by where they stand. */
#pragma once

#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

gboolean hl_token_is_repeated (HlAttention *attention,
                               HlSide       side,
                               gsize        index);

G_END_DECLS
