/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-norm.h"
#include "core/document/attention/hl-attention-rule.h"
#include "core/model/layer/hl-convolution.h"
#include "core/model/layer/hl-delta-net.h"
#include "core/model/layer/hl-distance-table.h"
#include "core/model/layer/hl-experts.h"
#include "core/model/layer/hl-head-layout.h"
#include "core/model/layer/hl-latent.h"
#include "core/model/layer/hl-layer-input.h"
#include "core/model/layer/hl-layer-shape.h"
#include "core/model/layer/hl-linear.h"
#include "core/model/layer/hl-rope.h"
#include "core/model/vision/hl-patches.h"

G_BEGIN_DECLS

/**
 * HlAttention:
 * @query: the weights of queries, or of all three in one
 * @key: those of keys; without a tensor when fused
 * @value: likewise
 * @output: what follows the heads
 * @output_rows: a look at its weights as the rows of each head, #HlHeadRows
 * @bias: (nullable): of queries, keys and values, in the order in which the products lie
 * @latent: (nullable): what makes queries, keys and values in place of @query, @key and @value
 * @sinks: (nullable): a score of each head, see #HlAttentionRule
 * @distance_query: what makes queries of distances, without a tensor where @query does
 * @distance_key: likewise keys
 * @query_norm: of a head's queries; all norms are without weights when there are none
 * @key_norm: likewise
 * @value_norm: likewise
 * @before: the norm of what goes in
 * @inner: the norm of what comes out
 * @after: the norm of the sum
 * @scale: (nullable): what each feature of the result is multiplied by before it is added; the bias and the rows of @output_rows are so already
 *
 * An attention sublayer.
 */
typedef struct
{
  HlLinear query;
  HlLinear key;
  HlLinear value;
  HlLinear output;
  HlTensor *output_rows;
  float   *bias;
  HlLatent *latent;
  float   *sinks;
  HlLinear distance_query;
  HlLinear distance_key;
  HlNorm   query_norm;
  HlNorm   key_norm;
  HlNorm   value_norm;
  HlNorm   before;
  HlNorm   inner;
  HlNorm   after;
  float   *scale;
} HlAttentionSublayer;

/**
 * HlLayer:
 * @attention: to the stack's own tokens
 * @delta: (nullable): what takes the place of attention, whose norms are those of @attention
 * @cross: to the encoder's, in a decoder
 * @feed_forward: what follows
 * @experts: (nullable): what takes the place of its products in a mixture of experts
 * @input: what is added behind it of the layer's own embeddings
 * @factor: what all that leaves the layer is multiplied by
 *
 * The weights of a layer.
 */
typedef struct
{
  HlAttentionSublayer attention;
  HlDeltaNet   *delta;
  HlAttentionSublayer cross;
  HlFeedForward feed_forward;
  HlExperts    *experts;
  HlLayerInput  input;
  float         factor;
} HlLayer;

/**
 * HlStack:
 *
 * A stack of layers with its embeddings: a whole model, or its encoder or decoder. Members are set by hl_stack_load().
 */
typedef struct
{
  const HlFamily *family;
  gboolean        causal;
  gboolean        both_ways; /* causal in others of the family */
  gboolean        has_cross;
  guint           n_layers;
  guint           n_run_layers; /* the first of these, which are computed */
  guint           n_own_layers; /* ALBERT's layers share their weights */
  gsize           width;
  gsize           embedding_width;
  gsize           vocabulary_size;
  gsize           n_segments;
  gsize           max_length; /* 0 when nothing limits it */
  gboolean        gated;
  gboolean        parallel;
  HlActivation    activation;
  float           word_scale;
  float           residual_scale; /* of what sublayers come to */
  float           clip;           /* of queries, keys and values; 0 for none */
  float           softcap;
  guint           padding_id;
  gboolean        drops_mask; /* whether mask_id has no embedding */
  guint           mask_id;
  float           epsilon; /* of norms */
  HlPositions     position_kind;

  HlPatches *patches; /* nullable: what takes the place of words, positions and segments */
  HlTensor *words;
  HlTensor *positions;
  HlTensor *segments;
  HlNorm    embedding_norm;
  HlLinear  projection;
  HlNorm    final_norm;
  float    *relative_bias; /* [n_biases, n_buckets, heads of a layer] */
  guint     n_biases; /* 1 of all layers, or one of each */
  guint     n_buckets;
  guint     max_distance;
  HlDistanceTable *distances; /* nullable */
  HlConvolution   *convolution; /* nullable */
  float    *slopes; /* nullable: [n_heads], of a bias by distance without weights */
  HlRope    rope;
  HlRope    local_rope;
  HlLayerInputs inputs;
  HlLayer  *layers;     /* [n_own_layers] */
  HlLayerShape *shapes; /* [n_layers] */
} HlStack;

/**
 * HlStackPart:
 * @HL_STACK_WHOLE: the only stack of a model
 * @HL_STACK_ENCODER: the encoder of two
 * @HL_STACK_DECODER: the decoder of two
 *
 * Which stack of a model.
 */
typedef enum {
  HL_STACK_WHOLE,
  HL_STACK_ENCODER,
  HL_STACK_DECODER,
} HlStackPart;

HlStack *hl_stack_load        (const HlFamily  *family,
                               HlStackPart      part,
                               HlModelConfig   *config,
                               HlWeights       *weights,
                               GError         **error);
void     hl_stack_free        (HlStack         *self);
const HlLayer *
         hl_stack_get_layer   (const HlStack   *self,
                               guint            layer);
const HlRope *
         hl_stack_get_rope    (const HlStack   *self,
                               HlLayerRope      rope);
gboolean hl_stack_can_begin_anywhere
                              (const HlStack   *self);
gboolean hl_stack_can_go_on   (const HlStack   *self,
                               gsize            n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlStack, hl_stack_free)

G_END_DECLS
