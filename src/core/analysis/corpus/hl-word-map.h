/* SPDX-License-Identifier: MIT */
/* The map of a head from words to words. */
#pragma once

#include "core/document/tokens/hl-token-map.h"
#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

/**
 * HlWordMap:
 * @source: where maps are read from
 * @runs: (array length=n_words): the tokens of each word
 * @n_words: how many words
 * @n_tokens: queries and keys of a map
 * @n_placed: how many words have tokens
 * @places: (array length=n_words): of each word which of these it is
 * @n_band: how many queries of a map are read at a time
 * @tokens: [n_band, n_tokens]
 * @weights: [n_placed, n_placed]
 *
 * What is needed to read the maps of heads, one after another, as maps of words.
 */
typedef struct
{
  HlAttentionSource *source;
  const HlTokenSpan *runs;
  guint              n_words;
  gsize              n_tokens;
  guint              n_placed;
  guint             *places;
  gsize              n_band;
  float             *tokens;
  double            *weights;
} HlWordMap;

gboolean hl_word_map_init      (HlWordMap          *self,
                                HlAttentionSource  *source,
                                const HlTokenSpan  *runs,
                                guint               n_words,
                                GError            **error);
void     hl_word_map_clear     (HlWordMap          *self);
gboolean hl_word_map_read      (HlWordMap          *self,
                                guint               layer,
                                guint               head,
                                GCancellable       *cancellable,
                                GError            **error);
int      hl_word_map_find_most (const HlWordMap    *self,
                                guint               word,
                                gboolean            as_key);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlWordMap, hl_word_map_clear)

G_END_DECLS
