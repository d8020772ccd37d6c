/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention-rule.h"
#include "core/document/attention/hl-block-kind.h"
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
 * The most layers a block can have.
 */
#define HL_MAX_LAYERS 4096

#define HL_TYPE_BLOCK (hl_block_get_type ())
G_DECLARE_FINAL_TYPE (HlBlock, hl_block, HL, BLOCK, GObject)

HlBlockKind            hl_block_get_kind             (HlBlock *self);
guint                  hl_block_get_n_layers         (HlBlock *self);
guint                  hl_block_get_n_heads          (HlBlock *self,
                                                      guint    layer);
guint                  hl_block_get_max_heads        (HlBlock *self);
const char            *hl_block_get_layer_name       (HlBlock *self);
const char            *hl_block_get_head_name        (HlBlock *self);
gsize                  hl_block_get_n_queries        (HlBlock *self);
gsize                  hl_block_get_n_keys           (HlBlock *self);
gsize                  hl_block_get_n_used_queries   (HlBlock *self);
gsize                  hl_block_get_n_used_keys      (HlBlock *self);
const char *const     *hl_block_get_query_tokens     (HlBlock *self);
const char *const     *hl_block_get_key_tokens       (HlBlock *self);
const char *const     *hl_block_get_query_texts      (HlBlock *self);
const char *const     *hl_block_get_key_texts        (HlBlock *self);
HlTokenStrings        *hl_block_get_query_strings    (HlBlock *self);
HlTokenStrings        *hl_block_get_key_strings      (HlBlock *self);
HlTokenMap            *hl_block_get_query_map        (HlBlock *self);
HlTokenMap            *hl_block_get_key_map          (HlBlock *self);
gsize                  hl_block_get_query_token      (HlBlock *self,
                                                      gsize    query);
gsize                  hl_block_get_key_token        (HlBlock *self,
                                                      gsize    key);
HlTokenMap            *hl_block_make_query_words     (HlBlock *self);
HlTokenMap            *hl_block_make_key_words       (HlBlock *self);
gboolean               hl_block_has_same_tokens      (HlBlock *self);
gboolean               hl_block_find_query_of_key    (HlBlock *self,
                                                      gsize    key,
                                                      gsize   *query);
gboolean               hl_block_has_query_tokens     (HlBlock *self);
gboolean               hl_block_has_key_tokens       (HlBlock *self);
gsize                  hl_block_get_sentence_b_start (HlBlock *self);
gboolean               hl_block_is_transposed        (HlBlock *self);
HlDType                hl_block_get_dtype            (HlBlock *self);
const HlLayerTensor   *hl_block_get_weights          (HlBlock *self,
                                                      guint    layer);
gboolean               hl_block_has_scores           (HlBlock *self);
const HlLayerTensor   *hl_block_get_queries          (HlBlock *self,
                                                      guint    layer);
const HlLayerTensor   *hl_block_get_keys             (HlBlock *self,
                                                      guint    layer);
const HlLayerTensor   *hl_block_get_values           (HlBlock *self,
                                                      guint    layer);
const HlLayerTensor   *hl_block_get_inputs           (HlBlock *self,
                                                      guint    layer);
const HlAttentionRule *hl_block_get_rule             (HlBlock *self,
                                                      guint    layer);

/**
 * HlBlockInit:
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
 * @bias: (nullable) (transfer none): the bytes that biases point into; the block keeps them
 *
 * What hl_block_new() needs. Tensors in it have been checked to fit one another.
 */
typedef struct
{
  HlBlockKind            kind;
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
} HlBlockInit;

HlBlock *hl_block_new (const HlBlockInit *init);

G_END_DECLS
