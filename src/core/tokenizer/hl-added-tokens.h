/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tokenizer/model/hl-vocabulary.h"
#include "core/tokenizer/normalizer/hl-normalizer.h"
#include "core/tokenizer/text/hl-pieces.h"

G_BEGIN_DECLS

/**
 * HlAddedToken:
 * @content: how it is spelt
 * @id: its id
 * @single_word: whether it counts only where no letters are beside it
 * @lstrip: whether it takes the spaces before it
 * @rstrip: whether it takes the spaces behind it
 * @normalized: whether it is looked for after the text is normalized
 *
 * A token that is looked for in a text before it is cut.
 */
typedef struct
{
  const char *content;
  guint32     id;
  gboolean    single_word;
  gboolean    lstrip;
  gboolean    rstrip;
  gboolean    normalized;
} HlAddedToken;

/**
 * HlMoreTokens:
 * @listed: (element-type HlAddedToken): tokens that go before those of the tokenizer that are spelt alike
 * @named: (element-type HlAddedToken): tokens that are added if it has none that is spelt so
 *
 * Tokens that files beside a tokenizer add to it, after its own and in this order. Which ids they have follows from the vocabulary.
 */
typedef struct
{
  GArray *listed;
  GArray *named;
} HlMoreTokens;

/**
 * HlAddedTokens:
 *
 * Tokens that are looked for in a text before it is cut, such as `[MASK]`. Immutable.
 */
typedef struct _HlAddedTokens HlAddedTokens;

HlAddedTokens      *hl_added_tokens_load           (HlJsonValue           list,
                                                    const HlMoreTokens   *more,
                                                    const HlVocabulary   *model,
                                                    const HlNormalizer   *normalizer,
                                                    GError              **error);
HlAddedTokens      *hl_added_tokens_new            (const HlAddedToken   *tokens,
                                                    guint                 n_tokens,
                                                    const HlMoreTokens   *more,
                                                    const HlVocabulary   *model,
                                                    const HlNormalizer   *normalizer,
                                                    GError              **error);
void                hl_added_tokens_free           (HlAddedTokens        *self);
const HlVocabulary *hl_added_tokens_get_vocabulary (const HlAddedTokens  *self);
gboolean            hl_added_tokens_extract        (const HlAddedTokens  *self,
                                                    const HlNormalizer   *normalizer,
                                                    const char           *text,
                                                    gsize                 length,
                                                    HlPieces             *pieces,
                                                    GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlAddedTokens, hl_added_tokens_free)

G_END_DECLS
