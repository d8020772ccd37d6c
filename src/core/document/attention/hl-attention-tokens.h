/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/picture/hl-picture.h"
#include "core/document/tokens/hl-token-map.h"
#include "core/document/tokens/hl-token-strings.h"
#include "core/document/tokens/hl-token-times.h"

G_BEGIN_DECLS

/**
 * HlAttentionTokens:
 * @n: how many: rows of every map, or its columns, at least 1
 * @n_used: those that are not padding, counted from the first
 * @text_span: where padding is not told from the keys that are seen, those of the tokens of the first attention that are between padding; of
 *   no tokens where nothing is said of that
 * @strings: n strings, positions where no tokens are known
 * @texts: n strings, as hl_attention_get_texts() gives them
 * @n_known: how many of the tokens of the first attention are known, counted from the first
 * @map: (nullable): n spans of the tokens of the first attention; %NULL where each is a token by itself
 * @picture: (nullable): the images that tokens of the first attention stand for parts of
 * @times: (nullable): when the tokens of the first attention are
 *
 * The tokens of one side of an attention.
 */
typedef struct
{
  gsize           n;
  gsize           n_used;
  HlTokenSpan     text_span;
  HlTokenStrings *strings;
  HlTokenStrings *texts;
  gsize           n_known;
  HlTokenMap     *map;
  HlPicture      *picture;
  HlTokenTimes   *times;
} HlAttentionTokens;

void            hl_attention_tokens_spell        (HlAttentionTokens       *self,
                                                  const char *const       *tokens,
                                                  gsize                    first);
void            hl_attention_tokens_spell_as     (HlAttentionTokens       *self,
                                                  const HlAttentionTokens *other);
void            hl_attention_tokens_copy         (const HlAttentionTokens *self,
                                                  HlAttentionTokens       *copy);
void            hl_attention_tokens_clear        (HlAttentionTokens       *self);
HlTokenStrings *hl_attention_tokens_make_texts   (const HlAttentionTokens *self);
void            hl_attention_tokens_name_patches (const HlAttentionTokens *self,
                                                  char                   **texts);
HlTokenSpan     hl_attention_tokens_get_span     (const HlAttentionTokens *self,
                                                  gsize                    index);
gboolean        hl_attention_tokens_knows        (const HlAttentionTokens *self,
                                                  gsize                    index);
gboolean        hl_attention_tokens_find_patch   (const HlAttentionTokens *self,
                                                  gsize                    index,
                                                  HlPicturePatch          *patch);
char           *hl_attention_tokens_dup_time     (const HlAttentionTokens *self,
                                                  gsize                    index);

G_END_DECLS
