/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "core/base/hl-side.h"
#include "core/document/attention/hl-attention-kind.h"
#include "core/document/attention/hl-attention-rule.h"
#include "core/document/attention/hl-attention-tokens.h"
#include "core/document/attention/hl-cell-mask.h"
#include "core/document/attention/hl-layer-tensor.h"
#include "core/document/picture/hl-picture.h"
#include "core/document/tokens/hl-token-map.h"
#include "core/document/tokens/hl-token-strings.h"
#include "core/document/tokens/hl-token-times.h"

G_BEGIN_DECLS

#define HL_TYPE_ATTENTION (hl_attention_get_type ())
G_DECLARE_FINAL_TYPE (HlAttention, hl_attention, HL, ATTENTION, GObject)

HlAttentionKind        hl_attention_get_kind             (HlAttention *self);
guint                  hl_attention_get_n_layers         (HlAttention *self);
guint                  hl_attention_get_n_heads          (HlAttention *self,
                                                          guint        layer);
guint                  hl_attention_get_max_heads        (HlAttention *self);
const char            *hl_attention_get_layer_name       (HlAttention *self);
const char            *hl_attention_get_head_name        (HlAttention *self);
gsize                  hl_attention_get_n                (HlAttention *self,
                                                          HlSide       side);
gsize                  hl_attention_get_n_used           (HlAttention *self,
                                                          HlSide       side);
HlTokenSpan            hl_attention_get_text_span        (HlAttention *self,
                                                          HlSide       side);
const char *const     *hl_attention_get_tokens           (HlAttention *self,
                                                          HlSide       side);
const char *const     *hl_attention_get_texts            (HlAttention *self,
                                                          HlSide       side);
HlTokenStrings        *hl_attention_get_strings          (HlAttention *self,
                                                          HlSide       side);
HlTokenMap            *hl_attention_get_map              (HlAttention *self,
                                                          HlSide       side);
HlPicture             *hl_attention_get_picture          (HlAttention *self,
                                                          HlSide       side);
gboolean               hl_attention_find_patch           (HlAttention *self,
                                                          HlSide       side,
                                                          gsize        index,
                                                          HlPicturePatch *patch);
HlTokenTimes          *hl_attention_get_times            (HlAttention *self,
                                                          HlSide       side);
char                  *hl_attention_dup_time             (HlAttention *self,
                                                          HlSide       side,
                                                          gsize        index);
gsize                  hl_attention_get_position         (HlAttention *self,
                                                          HlSide       side,
                                                          gsize        index);
gboolean               hl_attention_has_same_tokens      (HlAttention *self);
gboolean               hl_attention_find_query_of_key    (HlAttention *self,
                                                          gsize        key,
                                                          gsize       *query);
gboolean               hl_attention_has_tokens           (HlAttention *self,
                                                          HlSide       side);
gboolean               hl_attention_knows_token          (HlAttention *self,
                                                          HlSide       side,
                                                          gsize        index);
gsize                  hl_attention_get_sentence_b_start (HlAttention *self);
gboolean               hl_attention_is_transposed        (HlAttention *self);
HlDType                hl_attention_get_dtype            (HlAttention *self);
const HlLayerTensor   *hl_attention_get_weights          (HlAttention *self,
                                                          guint        layer);
gboolean               hl_attention_has_scores           (HlAttention *self);
const HlLayerTensor   *hl_attention_get_projection       (HlAttention *self,
                                                          HlSide       side,
                                                          guint        layer);
const HlLayerTensor   *hl_attention_get_values           (HlAttention *self,
                                                          guint        layer);
const HlLayerTensor   *hl_attention_get_inputs           (HlAttention *self,
                                                          guint        layer);
const HlLayerTensor   *hl_attention_get_output           (HlAttention *self,
                                                          guint        layer);
const HlLayerTensor   *hl_attention_get_value_norms      (HlAttention *self,
                                                          guint        layer);
const HlLayerTensor   *hl_attention_get_stream           (HlAttention *self,
                                                          guint        layer);
HlTensor              *hl_attention_get_output_norm      (HlAttention *self);
const HlLayerTensor   *hl_attention_get_distances        (HlAttention *self,
                                                          HlSide       side,
                                                          guint        layer);
const char            *hl_attention_get_quantity         (HlAttention *self);
gboolean               hl_attention_is_signed            (HlAttention *self);
const HlAttentionRule *hl_attention_get_rule             (HlAttention *self,
                                                          guint        layer);
gboolean               hl_attention_has_bias             (HlAttention *self,
                                                          guint        layer);
float                 *hl_attention_read_bias            (HlAttention  *self,
                                                          guint         layer,
                                                          guint         head,
                                                          GCancellable *cancellable,
                                                          GError      **error);
const HlLayerTensor   *hl_attention_get_bias             (HlAttention *self,
                                                          guint        layer);
GBytes                *hl_attention_get_bias_bytes       (HlAttention *self);
HlCellMask            *hl_attention_get_cells            (HlAttention *self);
const char *const     *hl_attention_get_layer_types      (HlAttention *self);
const char *const     *hl_attention_get_modules          (HlAttention *self);
const char            *hl_attention_get_layer_type       (HlAttention *self,
                                                          guint        layer);
const char            *hl_attention_get_module           (HlAttention *self,
                                                          guint        layer);

/**
 * HlIngredient:
 * @HL_INGREDIENT_QUERY_WEIGHTS: W_Q, [head, feature of the model, feature of the head]
 * @HL_INGREDIENT_KEY_WEIGHTS: W_K, likewise, possibly of fewer heads (grouped)
 * @HL_INGREDIENT_VALUE_WEIGHTS: W_V, likewise
 * @HL_INGREDIENT_QUERY_BIAS: what is added to X·W_Q, [head, 1, feature of the head]
 * @HL_INGREDIENT_KEY_BIAS: likewise
 * @HL_INGREDIENT_VALUE_BIAS: likewise
 * @HL_INGREDIENT_KEY_PROJECTION: E of a Linformer, [head, position, token], of one head if it is the same for all
 * @HL_INGREDIENT_VALUE_PROJECTION: F, likewise
 * @HL_INGREDIENT_TOKEN_KEYS: the keys that E projects, [head, token, feature]
 * @HL_INGREDIENT_TOKEN_VALUES: the values that F projects, likewise
 *
 * What queries, keys and values are made of (Vaswani et al. 2017, 3.2.2; Wang et al. 2020, 4).
 */
typedef enum {
  HL_INGREDIENT_QUERY_WEIGHTS,
  HL_INGREDIENT_KEY_WEIGHTS,
  HL_INGREDIENT_VALUE_WEIGHTS,
  HL_INGREDIENT_QUERY_BIAS,
  HL_INGREDIENT_KEY_BIAS,
  HL_INGREDIENT_VALUE_BIAS,
  HL_INGREDIENT_KEY_PROJECTION,
  HL_INGREDIENT_VALUE_PROJECTION,
  HL_INGREDIENT_TOKEN_KEYS,
  HL_INGREDIENT_TOKEN_VALUES,
  HL_N_INGREDIENTS,
} HlIngredient;

/**
 * HlFinish:
 * @HL_FINISH_NONE: nothing
 * @HL_FINISH_NORM: each query and key is normalised
 * @HL_FINISH_ROTARY: then rotated by its position (Su et al. 2021)
 * @HL_FINISH_RESULT_NORM: what the heads give is normalised before it is added to the stream
 *
 * What becomes of X·W_Q and X·W_K before they are queries and keys, and of what the heads give.
 */
typedef enum /*< flags >*/ {
  HL_FINISH_NONE,
  HL_FINISH_NORM = 1 << 0,
  HL_FINISH_ROTARY = 1 << 1,
  HL_FINISH_RESULT_NORM = 1 << 2,
} HlFinish;

const HlLayerTensor *hl_attention_get_ingredient (HlAttention *self,
                                                  HlIngredient ingredient,
                                                  guint        layer);
HlFinish             hl_attention_get_finish     (HlAttention *self,
                                                  guint        layer);

/**
 * HlAttentionInit: (skip)
 * @kind: which attention it is
 * @weights: (nullable): n_layers maps [head, query, key]; %NULL when they follow from the projections
 * @projections: (nullable): of each side n_layers projections [head, token, feature], of keys possibly of fewer heads
 *   (grouped)
 * @values: (nullable): likewise
 * @distances: (nullable): of each side n_layers tables [head, row, feature], the queries and keys of distances, see #HlDistances
 * @biases: (nullable): n_layers times [head, distance], no head axis: what is added to scores, where it is not in @rules, see #HlAttentionRule
 * @has_scores: whether @weights are scores, of which a softmax over keys makes weights
 * @quantity: (nullable) (transfer none): what @weights are, if they are not weights, as a file calls it: `norm`
 * @is_signed: whether these lie on both sides of zero
 * @inputs: (nullable): n_layers times [token, feature], what its queries are projected from; no head axis
 * @output: (nullable): n_layers times [head, feature of the head, feature of the model], the rows of the output projection
 * @value_norms: (nullable): n_layers times [head, key], no head axis
 * @stream: (nullable): n_layers times [query, feature], what the result of attention is added to; no head axis
 * @output_norm: (nullable): [n_layers, feature], the weights of the layer norm that stands behind attention
 * @ingredients: (nullable): of each of #HlIngredient n_layers
 * @finish: what becomes of queries and keys behind their weights, the same in all layers
 * @finishes: (nullable): n_layers of the same, in place of @finish
 * @n_layers: at least 1
 * @tokens: (nullable) (transfer none): of each side as many as there are; %NULL for none
 * @first_query: the position of the first query, which is its label when there are no tokens
 * @n_used: of each side those that are not padding
 * @text_spans: of each side those between padding, where that does not follow from the keys that queries see: queries of cross attention; of no
 *   tokens where nothing is said of that
 * @pictures: (nullable) (transfer none): of each side the images that its tokens stand for parts of, of as many tokens
 * @times: (nullable) (transfer none): of each side when its tokens are, of as many
 * @sentence_b_start: the first token of the second text, 0 when there is none
 * @rule: how weights follow from queries and keys, and which keys a query cannot see, the same in all layers
 * @rules: (nullable): n_layers rules, in place of @rule; sinks are copied
 * @bias: (nullable) (transfer none): the bytes that biases or distances are in; the attention keeps them
 * @cells: (nullable) (transfer none): which single keys a query cannot see besides
 * @layer_types: (nullable) (transfer none): n_layers strings, or fewer: what the attention of each layer is called, such as `sliding_attention`
 * @modules: (nullable) (transfer none): likewise the names of their modules
 *
 * What hl_attention_new() needs. Tensors in it have been checked to fit one another.
 */
typedef struct
{
  HlAttentionKind        kind;
  const HlLayerTensor   *weights;
  const HlLayerTensor   *projections[2];
  const HlLayerTensor   *values;
  const HlLayerTensor   *distances[2];
  const HlLayerTensor   *biases;
  gboolean               has_scores;
  const char            *quantity;
  gboolean               is_signed;
  const HlLayerTensor   *inputs;
  const HlLayerTensor   *output;
  const HlLayerTensor   *value_norms;
  const HlLayerTensor   *stream;
  HlTensor              *output_norm;
  const HlLayerTensor   *ingredients[HL_N_INGREDIENTS];
  HlFinish               finish;
  const HlFinish        *finishes;
  guint                  n_layers;
  const char *const     *tokens[2];
  gsize                  first_query;
  gsize                  n_used[2];
  HlTokenSpan            text_spans[2];
  HlPicture             *pictures[2];
  HlTokenTimes          *times[2];
  gsize                  sentence_b_start;
  HlAttentionRule        rule;
  const HlAttentionRule *rules;
  GBytes                *bias;
  HlCellMask            *cells;
  const char *const     *layer_types;
  const char *const     *modules;
} HlAttentionInit;

HlAttention *hl_attention_new (const HlAttentionInit *init);

/**
 * HlDerivedAttention: (skip)
 * @kind: which attention it is
 * @n_layers: at least 1
 * @n_heads: (array length=n_layers): heads of each layer, each at least 1
 * @masks: (array length=n_layers): which keys a query cannot see
 * @layer_name: (nullable) (transfer none): of one layer that is made of several, how: `mean`; a string that stays
 * @head_name: (nullable) (transfer none): of heads that are made of several, likewise
 * @tokens: those of each side
 * @sentence_b_start: the first token of the second text, 0 when there is none
 * @is_transposed: whether rows stand for keys and columns for queries
 *
 * What an attention is made of whose weights follow from those of another. Begin with that other, then change what differs.
 * It owns all that it points to: use `g_auto`.
 */
typedef struct
{
  HlAttentionKind   kind;
  guint             n_layers;
  guint            *n_heads;
  HlMask           *masks;
  const char       *layer_name;
  const char       *head_name;
  HlAttentionTokens tokens[2];
  gsize             sentence_b_start;
  gboolean          is_transposed;
} HlDerivedAttention;

void         hl_derived_attention_init         (HlDerivedAttention       *self,
                                                HlAttention              *attention);
void         hl_derived_attention_clear        (HlDerivedAttention       *self);
void         hl_derived_attention_clear_tokens (HlDerivedAttention       *self);
HlAttention *hl_attention_new_derived          (const HlDerivedAttention *init);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlDerivedAttention, hl_derived_attention_clear)

G_END_DECLS
