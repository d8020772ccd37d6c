/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/tokens/hl-token-map.h"

G_BEGIN_DECLS

char **hl_token_text_make_labels (const char *const *tokens,
                                  gsize              n);
char **hl_token_text_make_words  (const char *const *tokens,
                                  const HlTokenMap  *map);

G_END_DECLS
