/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compare/hl-token-alignment.h"

G_BEGIN_DECLS

gsize hl_common_texts_find_sentence_b (const HlTokenAlignment *alignment,
                                       gsize                   start_a,
                                       gsize                   start_b);

G_END_DECLS
