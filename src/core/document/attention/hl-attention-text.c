/* SPDX-License-Identifier: MIT */
/* What queries and keys are of their texts: words, and where the second of two begins among queries, which may be fewer than keys. */
#include "core/document/attention/hl-attention-text.h"

#include "core/document/tokens/hl-token-words.h"

/**
 * hl_attention_find_second_text: (skip)
 * @self: an attention of a document
 * @side: queries or keys
 *
 * Returns: how many of its queries, or of its keys, stand before the second text. It is 0 when there is one text, which
 *   hl_attention_get_sentence_b_start() tells, and where no query is of the first
 */
gsize
hl_attention_find_second_text (HlAttention *self,
                               HlSide       side)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), 0);

  const gsize n_queries = hl_attention_get_n (self, HL_QUERIES), n_keys = hl_attention_get_n (self, HL_KEYS);
  const gsize b = hl_attention_get_sentence_b_start (self);

  if (side == HL_KEYS || b == 0)
    return b;
  const gint64 position = hl_mask_get_position (&hl_attention_get_rule (self, 0)->mask, n_queries, n_keys, 0);
  return (gsize) CLAMP ((gint64) b - position, 0, (gint64) n_queries);
}

/**
 * hl_attention_count_tokens: (skip)
 * @self: an attention, perhaps derived
 * @side: queries or keys
 *
 * Returns: how many tokens the text has of which its queries or keys were made, also those that were left out
 */
gsize
hl_attention_count_tokens (HlAttention *self,
                           HlSide       side)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), 0);

  HlTokenMap *map = hl_attention_get_map (self, side);

  return map != NULL ? hl_token_map_get_n_tokens (map) : hl_attention_get_n (self, side);
}

/**
 * hl_attention_make_words: (skip)
 * @self: an attention of a document
 * @side: queries or keys
 *
 * Returns: (transfer full): which of its queries or keys are one word, see hl_token_words_make_map()
 */
HlTokenMap *
hl_attention_make_words (HlAttention *self,
                         HlSide       side)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return hl_token_words_make_map (hl_attention_get_tokens (self, side), hl_attention_get_n (self, side),
                                  hl_attention_find_second_text (self, side), hl_attention_get_n_used (self, side));
}
