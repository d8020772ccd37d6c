/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tokenizer/hl-added-tokens.h"
#include "core/tokenizer/hl-post-processor.h"
#include "core/tokenizer/hl-tokenizer.h"
#include "core/tokenizer/model/hl-token-model.h"
#include "core/tokenizer/pre-tokenizer/hl-pre-tokenizer.h"

G_BEGIN_DECLS

/**
 * HlTokenizerParts:
 * @normalizer: (nullable): rewrites the text
 * @pre_tokenizer: (nullable): cuts it into pieces
 * @model: cuts pieces into tokens
 * @added: what is looked for before all of that
 * @post_processor: where special tokens go
 * @special: the token of each role, %HL_NO_TOKEN for none
 *
 * What a tokenizer is made of.
 */
struct _HlTokenizerParts
{
  HlNormalizer    *normalizer;
  HlPreTokenizer  *pre_tokenizer;
  HlTokenModel    *model;
  HlAddedTokens   *added;
  HlPostProcessor *post_processor;
  guint32          special[HL_N_SPECIAL_TOKENS];
};

void hl_tokenizer_parts_init  (HlTokenizerParts *self);
void hl_tokenizer_parts_clear (HlTokenizerParts *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlTokenizerParts, hl_tokenizer_parts_clear)

G_END_DECLS
