/* SPDX-License-Identifier: MIT */
/* What words of a head attend to. */
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
 * @n_band: how many queries of a map are read at a time
 * @tokens: [n_band, n_tokens]
 * @weights: [n_words], what a word gives to each
 * @greatest: [n_words], the most that others give to each
 * @most: [n_words] of each side: which other word a query attends to most, and which attends most to a key
 *
 * What is needed to go over the maps of heads, one after another, as maps of words, of which none is held as a whole.
 */
typedef struct
{
  HlAttentionSource *source;
  const HlTokenSpan *runs;
  guint              n_words;
  gsize              n_tokens;
  gsize              n_band;
  float             *tokens;
  double            *weights;
  double            *greatest;
  int               *most[2];
} HlWordMap;

gboolean hl_word_map_init     (HlWordMap          *self,
                               HlAttentionSource  *source,
                               const HlTokenSpan  *runs,
                               guint               n_words,
                               GError            **error);
void     hl_word_map_clear    (HlWordMap          *self);
gboolean hl_word_map_read     (HlWordMap          *self,
                               guint               layer,
                               guint               head,
                               GCancellable       *cancellable,
                               GError            **error);
int      hl_word_map_get_most (const HlWordMap    *self,
                               HlSide              side,
                               guint               word);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlWordMap, hl_word_map_clear)

G_END_DECLS
