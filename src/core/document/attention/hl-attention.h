/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "core/document/attention/hl-attention-rule.h"
#include "core/document/attention/hl-layer-tensor.h"
#include "core/document/tokens/hl-token-map.h"
#include "core/document/tokens/hl-token-strings.h"

G_BEGIN_DECLS

/**
 * HlAttentionKind:
 * @HL_ATTENTION_SELF: the self-attention of a model that has one kind of attention
 * @HL_ATTENTION_ENCODER: the encoder's self-attention
 * @HL_ATTENTION_DECODER: the decoder's self-attention
 * @HL_ATTENTION_CROSS: decoder queries, encoder keys
 */
typedef enum {
  HL_ATTENTION_SELF,
  HL_ATTENTION_ENCODER,
  HL_ATTENTION_DECODER,
  HL_ATTENTION_CROSS,
} HlAttentionKind;

const char *hl_attention_kind_get_name  (HlAttentionKind  kind);
const char *hl_attention_kind_get_label (HlAttentionKind  kind);
gboolean    hl_attention_kind_from_name (const char      *name,
                                         HlAttentionKind *kind);

/**
 * HL_MAX_HEADS:
 *
 * The most heads a layer can have.
 */
#define HL_MAX_HEADS 1024

/**
 * HL_MAX_LAYERS:
 *
 * The most layers an attention can have.
 */
#define HL_MAX_LAYERS 4096

#define HL_TYPE_ATTENTION (hl_attention_get_type ())
G_DECLARE_FINAL_TYPE (HlAttention, hl_attention, HL, ATTENTION, GObject)

HlAttentionKind        hl_attention_get_kind             (HlAttention *self);
guint                  hl_attention_get_n_layers         (HlAttention *self);
guint                  hl_attention_get_n_heads          (HlAttention *self,
                                                          guint        layer);
guint                  hl_attention_get_max_heads        (HlAttention *self);
const char            *hl_attention_get_layer_name       (HlAttention *self);
const char            *hl_attention_get_head_name        (HlAttention *self);
gsize                  hl_attention_get_n_queries        (HlAttention *self);
gsize                  hl_attention_get_n_keys           (HlAttention *self);
gsize                  hl_attention_get_n_used_queries   (HlAttention *self);
gsize                  hl_attention_get_n_used_keys      (HlAttention *self);
const char *const     *hl_attention_get_query_tokens     (HlAttention *self);
const char *const     *hl_attention_get_key_tokens       (HlAttention *self);
const char *const     *hl_attention_get_query_texts      (HlAttention *self);
const char *const     *hl_attention_get_key_texts        (HlAttention *self);
HlTokenStrings        *hl_attention_get_query_strings    (HlAttention *self);
HlTokenStrings        *hl_attention_get_key_strings      (HlAttention *self);
HlTokenMap            *hl_attention_get_query_map        (HlAttention *self);
HlTokenMap            *hl_attention_get_key_map          (HlAttention *self);
gsize                  hl_attention_get_query_token      (HlAttention *self,
                                                          gsize        query);
gsize                  hl_attention_get_key_token        (HlAttention *self,
                                                          gsize        key);
HlTokenMap            *hl_attention_make_query_words     (HlAttention *self);
HlTokenMap            *hl_attention_make_key_words       (HlAttention *self);
gboolean               hl_attention_has_same_tokens      (HlAttention *self);
gboolean               hl_attention_find_query_of_key    (HlAttention *self,
                                                          gsize        key,
                                                          gsize       *query);
gboolean               hl_attention_has_query_tokens     (HlAttention *self);
gboolean               hl_attention_has_key_tokens       (HlAttention *self);
gsize                  hl_attention_get_sentence_b_start (HlAttention *self);
gboolean               hl_attention_is_transposed        (HlAttention *self);
HlDType                hl_attention_get_dtype            (HlAttention *self);
const HlLayerTensor   *hl_attention_get_weights          (HlAttention *self,
                                                          guint        layer);
gboolean               hl_attention_has_scores           (HlAttention *self);
const HlLayerTensor   *hl_attention_get_queries          (HlAttention *self,
                                                          guint        layer);
const HlLayerTensor   *hl_attention_get_keys             (HlAttention *self,
                                                          guint        layer);
const HlLayerTensor   *hl_attention_get_values           (HlAttention *self,
                                                          guint        layer);
const HlLayerTensor   *hl_attention_get_inputs           (HlAttention *self,
                                                          guint        layer);
const HlAttentionRule *hl_attention_get_rule             (HlAttention *self,
                                                          guint        layer);

/**
 * HlAttentionInit:
 * @kind: which attention it is
 * @weights: (nullable): n_layers maps [head, query, key]; %NULL when they follow from queries and keys
 * @queries: (nullable): n_layers projections [head, token, feature]
 * @keys: (nullable): likewise, possibly of fewer heads (grouped)
 * @values: (nullable): likewise
 * @has_scores: whether @weights are scores, of which a softmax over keys makes weights
 * @inputs: (nullable): n_layers times [token, feature], what its queries are projected from; no head axis
 * @n_layers: at least 1
 * @query_tokens: (nullable) (transfer none): as many as there are; %NULL for none
 * @key_tokens: (nullable) (transfer none): likewise
 * @first_query: the position of the first query, which is its label when there are no tokens
 * @n_used_queries: queries that are not padding
 * @n_used_keys: keys that are not padding
 * @sentence_b_start: the first token of the second text, 0 when there is none
 * @rule: how weights follow from queries and keys, and which keys a query cannot see, the same in all layers
 * @rules: (nullable): n_layers rules, in place of @rule
 * @bias: (nullable) (transfer none): the bytes that biases point into; the attention keeps them
 *
 * What hl_attention_new() needs. Tensors in it have been checked to fit one another.
 */
typedef struct
{
  HlAttentionKind        kind;
  const HlLayerTensor   *weights;
  const HlLayerTensor   *queries;
  const HlLayerTensor   *keys;
  const HlLayerTensor   *values;
  gboolean               has_scores;
  const HlLayerTensor   *inputs;
  guint                  n_layers;
  const char *const   *query_tokens;
  const char *const   *key_tokens;
  gsize                  first_query;
  gsize                  n_used_queries;
  gsize                  n_used_keys;
  gsize                  sentence_b_start;
  HlAttentionRule        rule;
  const HlAttentionRule *rules;
  GBytes                *bias;
} HlAttentionInit;

HlAttention *hl_attention_new (const HlAttentionInit *init);

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
