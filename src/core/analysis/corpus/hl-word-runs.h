/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/tokens/hl-annotation.h"
#include "core/document/tokens/hl-token-map.h"
#include "core/tokenizer/text/hl-encoding.h"

G_BEGIN_DECLS

HlTokenSpan *hl_word_runs_find_by_offsets (const HlAnnotation *annotation,
                                           const gsize        *starts,
                                           const HlEncoding   *encoding,
                                           gsize               n_positions);
HlTokenSpan *hl_word_runs_find_by_text    (const HlAnnotation *annotation,
                                           const char *const  *tokens,
                                           gsize               n,
                                           GError            **error);

G_END_DECLS
