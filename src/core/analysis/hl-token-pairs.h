/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/analysis/hl-token-matcher.h"
#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

/**
 * HlTokenPair:
 * @queries: the tokens that look
 * @keys: the tokens that are looked at
 * @label: "her → Sarah"
 *
 * A word and another one that it may look at.
 */
typedef struct
{
  HlTokenRun  queries;
  HlTokenRun  keys;
  char       *label;
} HlTokenPair;

/**
 * HlTokenPairs:
 *
 * A list of pairs of words in the tokens of an attention. Immutable.
 */
typedef struct _HlTokenPairs HlTokenPairs;

HlTokenPairs      *hl_token_pairs_parse    (HlAttention        *attention,
                                            const char         *text,
                                            GError            **error);
gboolean           hl_token_run_find       (HlAttention        *attention,
                                            HlSide              side,
                                            const char         *text,
                                            HlTokenRun         *run,
                                            GError            **error);
HlTokenPairs      *hl_token_pairs_ref      (HlTokenPairs       *self);
void               hl_token_pairs_unref    (HlTokenPairs       *self);
guint              hl_token_pairs_get_n    (const HlTokenPairs *self);
const HlTokenPair *hl_token_pairs_get      (const HlTokenPairs *self,
                                            guint               index);
gboolean           hl_token_pairs_equal    (const HlTokenPairs *self,
                                            const HlTokenPairs *other);
char              *hl_token_pairs_describe (const HlTokenPairs *self);
char              *hl_token_pairs_isolate  (const char         *line);
char              *hl_token_pairs_spell    (HlAttention        *attention,
                                            HlTokenRun          query,
                                            HlTokenRun          key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTokenPairs, hl_token_pairs_unref)

G_END_DECLS
