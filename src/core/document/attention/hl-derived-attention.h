/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

/**
 * HlDerivedAttention:
 * @kind: which attention it is
 * @n_layers: at least 1
 * @n_heads: (array length=n_layers): heads of each layer, each at least 1
 * @masks: (array length=n_layers): which keys a query cannot see
 * @layer_name: (nullable) (transfer none): of one layer that is made of several, how: `mean`; a string that stays
 * @head_name: (nullable) (transfer none): of heads that are made of several, likewise
 * @n_queries: rows of every map, at least 1
 * @n_keys: columns of every map, at least 1
 * @n_used_queries: queries that are not padding
 * @n_used_keys: keys that are not padding
 * @query_tokens: n_queries strings, positions where no tokens are known
 * @key_tokens: n_keys strings, likewise
 * @query_texts: n_queries strings, as hl_attention_get_query_texts() gives them
 * @key_texts: n_keys strings, likewise
 * @has_query_tokens: whether the queries' tokens are known
 * @has_key_tokens: whether the keys' are
 * @query_map: (nullable): n_queries spans of the tokens of the first attention; %NULL where every query is a token by
 *   itself
 * @key_map: (nullable): n_keys spans, likewise
 * @sentence_b_start: the first token of the second text, 0 when there is none
 * @is_transposed: whether rows stand for keys and columns for queries
 *
 * What an attention is made of whose weights follow from those of another. Begin with that other, then change what differs.
 * It owns all that it points to: use `g_auto`.
 */
typedef struct
{
  HlAttentionKind kind;
  guint           n_layers;
  guint          *n_heads;
  HlMask         *masks;
  const char     *layer_name;
  const char     *head_name;
  gsize           n_queries;
  gsize           n_keys;
  gsize           n_used_queries;
  gsize           n_used_keys;
  HlTokenStrings *query_tokens;
  HlTokenStrings *key_tokens;
  HlTokenStrings *query_texts;
  HlTokenStrings *key_texts;
  gboolean        has_query_tokens;
  gboolean        has_key_tokens;
  HlTokenMap     *query_map;
  HlTokenMap     *key_map;
  gsize           sentence_b_start;
  gboolean        is_transposed;
} HlDerivedAttention;

void         hl_derived_attention_init         (HlDerivedAttention       *self,
                                                HlAttention              *attention);
void         hl_derived_attention_clear        (HlDerivedAttention       *self);
void         hl_derived_attention_clear_tokens (HlDerivedAttention       *self);
HlAttention *hl_attention_new_derived          (const HlDerivedAttention *init);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlDerivedAttention, hl_derived_attention_clear)

G_END_DECLS
