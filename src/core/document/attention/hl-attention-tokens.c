/* SPDX-License-Identifier: MIT */
/* HlAttention: what its rows and columns stand for: tokens of a text, several of them as one, and how they are read. */
#include "core/document/attention/hl-attention-private.h"

#include "core/document/tokens/hl-token-text.h"

/* Exactly @n labels: the tokens as far as there are any, then positions, the first of all being @first. */
static char **
make_labels (const char *const *tokens,
             gsize              first,
             gsize              n)
{
  char **labels = g_new0 (char *, n + 1);
  gsize i = 0;

  for (; tokens != NULL && i < n && tokens[i] != NULL; i++)
    labels[i] = g_strdup (tokens[i]);
  for (; i < n; i++)
    labels[i] = g_strdup_printf ("%zu", first + i);
  return labels;
}

/* What people read in their place. */
static HlTokenStrings *
make_texts (HlTokenStrings *tokens,
            gsize           n)
{
  return hl_token_strings_new (hl_token_text_make_labels (hl_token_strings_get (tokens), n));
}

/* Of a new attention whose rows and columns are the tokens of the text. */
void
hl_attention_name_tokens (HlAttention           *self,
                          const HlAttentionInit *init)
{
  self->has_query_tokens = init->query_tokens != NULL;
  self->has_key_tokens = init->key_tokens != NULL;
  self->query_tokens = hl_token_strings_new (make_labels (init->query_tokens, init->first_query, self->n_queries));
  self->key_tokens = hl_token_strings_new (make_labels (init->key_tokens, 0, self->n_keys));
  self->query_texts = make_texts (self->query_tokens, self->n_queries);
  /* In self-attention both are the same text. */
  if (hl_token_strings_equal (self->query_tokens, self->key_tokens))
    {
      hl_token_strings_unref (self->key_tokens);
      self->key_tokens = hl_token_strings_ref (self->query_tokens);
      self->key_texts = hl_token_strings_ref (self->query_texts);
    }
  else
    self->key_texts = make_texts (self->key_tokens, self->n_keys);
}

void
hl_attention_clear_tokens (HlAttention *self)
{
  g_clear_pointer (&self->query_tokens, hl_token_strings_unref);
  g_clear_pointer (&self->key_tokens, hl_token_strings_unref);
  g_clear_pointer (&self->query_texts, hl_token_strings_unref);
  g_clear_pointer (&self->key_texts, hl_token_strings_unref);
  g_clear_pointer (&self->query_map, hl_token_map_unref);
  g_clear_pointer (&self->key_map, hl_token_map_unref);
}

/**
 * hl_attention_get_query_tokens:
 * @self: an attention
 *
 * Returns: (transfer none): as many strings as there are queries: tokens as the tokenizer spells them, positions where
 *   there are none
 */
const char *const *
hl_attention_get_query_tokens (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return hl_token_strings_get (self->query_tokens);
}

/**
 * hl_attention_get_key_tokens:
 * @self: an attention
 *
 * Returns: (transfer none): as many strings as there are keys; see hl_attention_get_query_tokens()
 */
const char *const *
hl_attention_get_key_tokens (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return hl_token_strings_get (self->key_tokens);
}

/**
 * hl_attention_has_query_tokens:
 * @self: an attention
 *
 * Returns: whether the file names the queries' tokens
 */
gboolean
hl_attention_has_query_tokens (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), FALSE);

  return self->has_query_tokens;
}

/**
 * hl_attention_has_key_tokens:
 * @self: an attention
 *
 * Returns: whether the file names the keys' tokens
 */
gboolean
hl_attention_has_key_tokens (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), FALSE);

  return self->has_key_tokens;
}

/**
 * hl_attention_get_query_texts:
 * @self: an attention
 *
 * Returns: (transfer none): as many strings as there are queries: what people read in place of
 *   hl_attention_get_query_tokens(), see hl_token_text_make_labels()
 */
const char *const *
hl_attention_get_query_texts (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return hl_token_strings_get (self->query_texts);
}

/**
 * hl_attention_get_key_texts:
 * @self: an attention
 *
 * Returns: (transfer none): as many strings as there are keys; see hl_attention_get_query_texts()
 */
const char *const *
hl_attention_get_key_texts (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return hl_token_strings_get (self->key_texts);
}

/**
 * hl_attention_get_query_strings:
 * @self: an attention
 *
 * Returns: (transfer none): hl_attention_get_query_tokens(), to be kept longer than the attention
 */
HlTokenStrings *
hl_attention_get_query_strings (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return self->query_tokens;
}

/**
 * hl_attention_get_key_strings:
 * @self: an attention
 *
 * Returns: (transfer none): hl_attention_get_key_tokens(), likewise
 */
HlTokenStrings *
hl_attention_get_key_strings (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return self->key_tokens;
}

/**
 * hl_attention_get_query_map:
 * @self: an attention
 *
 * Returns: (transfer none) (nullable): which tokens of the attention of the document each query stands for, in a difference
 *   those of the first side; %NULL where every query is a token by itself
 */
HlTokenMap *
hl_attention_get_query_map (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return self->query_map;
}

/**
 * hl_attention_get_key_map:
 * @self: an attention
 *
 * Returns: (transfer none) (nullable): likewise of keys
 */
HlTokenMap *
hl_attention_get_key_map (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return self->key_map;
}

/**
 * hl_attention_get_query_token:
 * @self: an attention
 * @query: a query
 *
 * Returns: the position of its first token in the text: what people are told when others are hidden or put together
 */
gsize
hl_attention_get_query_token (HlAttention *self,
                              gsize        query)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), 0);
  g_return_val_if_fail (query < self->n_queries, 0);

  return self->query_map != NULL ? hl_token_map_get_spans (self->query_map)[query].first : query;
}

/**
 * hl_attention_get_key_token:
 * @self: an attention
 * @key: a key
 *
 * Returns: likewise of a key
 */
gsize
hl_attention_get_key_token (HlAttention *self,
                            gsize        key)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), 0);
  g_return_val_if_fail (key < self->n_keys, 0);

  return self->key_map != NULL ? hl_token_map_get_spans (self->key_map)[key].first : key;
}

/**
 * hl_attention_make_query_words:
 * @self: an attention of a document
 *
 * Returns: (transfer full): which of its queries are one word, see hl_token_map_new_words()
 */
HlTokenMap *
hl_attention_make_query_words (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return hl_token_map_new_words (hl_token_strings_get (self->query_tokens), self->n_queries,
                                 self->sentence_b_start, self->n_used_queries);
}

/**
 * hl_attention_make_key_words:
 * @self: an attention of a document
 *
 * Returns: (transfer full): likewise of its keys
 */
HlTokenMap *
hl_attention_make_key_words (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return hl_token_map_new_words (hl_token_strings_get (self->key_tokens), self->n_keys,
                                 self->sentence_b_start, self->n_used_keys);
}

/**
 * hl_attention_has_same_tokens:
 * @self: an attention
 *
 * Returns: whether its queries and its keys are the same text, padding too, so that what is made of the tokens of one
 *   side is that of the other
 */
gboolean
hl_attention_has_same_tokens (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), FALSE);

  return self->n_used_queries == self->n_used_keys && hl_token_strings_equal (self->query_tokens, self->key_tokens);
}

/**
 * hl_attention_find_query_of_key:
 * @self: an attention of a document
 * @key: a key
 * @query: (out): the query that is the same token
 *
 * In self-attention every query is also a key; where there are fewer queries, those before them were computed earlier,
 * and the last query stands at the last key.
 *
 * Returns: whether there is one
 */
gboolean
hl_attention_find_query_of_key (HlAttention *self,
                                gsize        key,
                                gsize       *query)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), FALSE);
  g_return_val_if_fail (query != NULL, FALSE);

  if (self->kind == HL_ATTENTION_CROSS || self->n_queries > self->n_keys || key >= self->n_keys ||
      key < self->n_keys - self->n_queries)
    return FALSE;
  *query = key - (self->n_keys - self->n_queries);
  return !self->has_query_tokens || !self->has_key_tokens ||
         g_str_equal (hl_token_strings_get (self->query_tokens)[*query], hl_token_strings_get (self->key_tokens)[key]);
}
