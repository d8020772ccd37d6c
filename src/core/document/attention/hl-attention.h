/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention-kind.h"
#include "core/document/attention/hl-attention-rule.h"
#include "core/document/attention/hl-layer-tensor.h"
#include "core/document/tokens/hl-token-map.h"
#include "core/document/tokens/hl-token-strings.h"

G_BEGIN_DECLS

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

G_END_DECLS
