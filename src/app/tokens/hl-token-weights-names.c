/* SPDX-License-Identifier: MIT */
/* HlTokenWeights: what its tokens are called. */
#include "app/tokens/hl-token-weights.h"

#include "draw/text/hl-token-label.h"

/**
 * hl_token_weights_get_subject_token:
 * @self: a question or answer
 *
 * Returns: the token that it is about, as the tokenizer spells it
 */
const char *
hl_token_weights_get_subject_token (HlTokenWeights *self)
{
  HlAttention *attention = hl_token_weights_get_attention (self);
  const gboolean is_query = hl_token_weights_get_side (self) == HL_TOKEN_SIDE_KEYS;

  return (is_query ? hl_attention_get_query_tokens
                   : hl_attention_get_key_tokens) (attention)[hl_token_weights_get_subject (self)];
}

/**
 * hl_token_weights_get_subject_text:
 * @self: a question or answer
 *
 * Returns: what people read in place of the token that it is about
 */
const char *
hl_token_weights_get_subject_text (HlTokenWeights *self)
{
  HlAttention *attention = hl_token_weights_get_attention (self);
  const gboolean is_query = hl_token_weights_get_side (self) == HL_TOKEN_SIDE_KEYS;

  return (is_query ? hl_attention_get_query_texts
                   : hl_attention_get_key_texts) (attention)[hl_token_weights_get_subject (self)];
}

/**
 * hl_token_weights_dup_subject_spelling:
 * @self: a question or answer
 *
 * Returns: (transfer full) (nullable): how the token is spelt that it is about, where it is not read like that
 */
char *
hl_token_weights_dup_subject_spelling (HlTokenWeights *self)
{
  return hl_token_text_describe (hl_token_weights_get_subject_text (self),
                                 hl_token_weights_get_subject_token (self));
}

/**
 * hl_token_weights_get_subject_position:
 * @self: a question or answer
 *
 * Returns: where in its text the token stands that it is about; that of a word is that of its first piece
 */
gsize
hl_token_weights_get_subject_position (HlTokenWeights *self)
{
  HlAttention *attention = hl_token_weights_get_attention (self);
  const gboolean is_query = hl_token_weights_get_side (self) == HL_TOKEN_SIDE_KEYS;

  /* Side by side, that of the first side; in a list of the tokens of both nobody counts. */
  if (hl_token_weights_has_sides (self) && !hl_token_weights_is_difference (self))
    return hl_token_weights_get_subject_position (
      hl_token_weights_get_answer (self, hl_token_weights_get_answer (self, 0) == NULL));
  return (is_query ? hl_attention_get_query_token
                   : hl_attention_get_key_token) (attention, hl_token_weights_get_subject (self));
}

/**
 * hl_token_weights_get_token:
 * @self: a question or answer
 * @index: the index in the attention of a token on the side that is listed
 *
 * Returns: that token, as the tokenizer spells it
 */
const char *
hl_token_weights_get_token (HlTokenWeights *self,
                            gsize           index)
{
  const gboolean is_key = hl_token_weights_get_side (self) == HL_TOKEN_SIDE_KEYS;

  return (is_key ? hl_attention_get_key_tokens
                 : hl_attention_get_query_tokens) (hl_token_weights_get_attention (self))[index];
}

/**
 * hl_token_weights_dup_spelling:
 * @self: a question or answer
 * @index: the index in the attention of a token on the side that is listed
 *
 * Returns: (transfer full) (nullable): how that token is spelt, where it is not read like that
 */
char *
hl_token_weights_dup_spelling (HlTokenWeights *self,
                               gsize           index)
{
  return hl_token_text_describe (hl_token_weights_get_text (self, index),
                                 hl_token_weights_get_token (self, index));
}

/**
 * hl_token_weights_get_text:
 * @self: a question or answer
 * @index: the index in the attention of a token on the side that is listed
 *
 * Returns: what people read in place of that token
 */
const char *
hl_token_weights_get_text (HlTokenWeights *self,
                           gsize           index)
{
  const gboolean is_key = hl_token_weights_get_side (self) == HL_TOKEN_SIDE_KEYS;

  return (is_key ? hl_attention_get_key_texts
                 : hl_attention_get_query_texts) (hl_token_weights_get_attention (self))[index];
}
