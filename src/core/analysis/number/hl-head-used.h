/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/tokens/hl-token-map.h"
#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

/**
 * HlHeadUsed:
 * @first: of each side the first that is no padding
 * @end: one past the last
 *
 * The queries and the keys of a map between those that a mask says are padding.
 */
typedef struct
{
  gsize first[2];
  gsize end[2];
} HlHeadUsed;

HlHeadUsed  hl_head_used_find        (HlAttention       *attention,
                                      HlAttentionSource *source);
HlTokenSpan hl_head_used_find_tokens (HlAttention       *attention,
                                      HlAttentionSource *source,
                                      HlSide             side);
gsize       hl_head_used_count_keys  (HlAttention       *attention);
void        hl_head_used_cut_queries (HlAttention       *attention,
                                      HlAttentionSource *source,
                                      gsize             *first,
                                      gsize             *n);

G_END_DECLS
