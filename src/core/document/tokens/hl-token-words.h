/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/tokens/hl-token-map.h"

G_BEGIN_DECLS

guint8     *hl_token_words_find     (const char *const *tokens,
                                     gsize              n);
HlTokenMap *hl_token_words_make_map (const char *const *tokens,
                                     gsize              n_tokens,
                                     gsize              sentence_b_start,
                                     gsize              n_used);

G_END_DECLS
