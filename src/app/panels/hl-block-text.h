/* SPDX-License-Identifier: MIT */
/* A block of attention in words. */
#pragma once

#include "core/document/attention/hl-block.h"

G_BEGIN_DECLS

char *hl_block_text_sizes  (HlBlock *block);
char *hl_block_text_traits (HlBlock *block);

G_END_DECLS
