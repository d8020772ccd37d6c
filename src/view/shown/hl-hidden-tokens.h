/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compare/hl-aligner.h"
#include "core/document/attention/hl-attention.h"
#include "core/document/tokens/hl-token-set.h"

G_BEGIN_DECLS

/**
 * HlHiddenTokens:
 * @sets: (nullable): those of each side
 *
 * Tokens of an attention that were chosen to be hidden.
 */
typedef struct
{
  HlTokenSet *sets[2];
} HlHiddenTokens;

HlHiddenTokens hl_hidden_tokens_copy      (const HlHiddenTokens *self);
gboolean       hl_hidden_tokens_equal     (const HlHiddenTokens *a,
                                           const HlHiddenTokens *b);
gboolean       hl_hidden_tokens_can_stay  (HlAttention          *before,
                                           HlAttention          *after);
HlHiddenTokens hl_hidden_tokens_change    (const HlHiddenTokens *self,
                                           HlAttention          *attention,
                                           HlSide                side,
                                           HlTokenSpan           span,
                                           gboolean              is_hidden);
gboolean       hl_hidden_tokens_translate (const HlHiddenTokens *self,
                                           HlAttention          *from,
                                           HlAttention          *to,
                                           HlAligner            *aligner,
                                           HlHiddenTokens       *translated);
gsize          hl_hidden_tokens_count     (const HlHiddenTokens *self,
                                           HlAttention          *attention);
void           hl_hidden_tokens_clear     (HlHiddenTokens       *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlHiddenTokens, hl_hidden_tokens_clear)

G_END_DECLS
