/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-progress.h"
#include "core/compute/hl-attend.h"
#include "core/document/attention/hl-attention.h"
#include "core/model/hl-past.h"
#include "core/model/hl-stack.h"

G_BEGIN_DECLS

/**
 * HlLayerProjections:
 * @attention: which attention it is
 * @layer: the layer, from 0
 * @text: which text it is of, from 0; of one text 0
 * @n_heads: query heads
 * @n_key_heads: heads of keys and values
 * @n_queries: tokens that ask
 * @n_keys: tokens that are asked
 * @head_size: features of a query and a key
 * @value_size: features of a value
 * @queries: [n_heads, n_queries, head_size], after norms and rotary embedding
 * @keys: [n_key_heads, n_keys, head_size], likewise
 * @values: [n_key_heads, n_keys, value_size]
 * @inputs: [n_queries, width], what the queries are projected from
 * @stream: [n_queries, width], what the result is added to: the inputs before a norm
 * @width: features of both
 * @rule: how weights follow
 *
 * All that the attention of a layer follows from. Good during the call that it is given to.
 */
typedef struct
{
  HlAttentionKind attention;
  guint        layer;
  guint        text;
  guint        n_heads;
  guint        n_key_heads;
  gsize        n_queries;
  gsize        n_keys;
  gsize        head_size;
  gsize        value_size;
  const float *queries;
  const float *keys;
  const float *values;
  const float *inputs;
  const float *stream;
  gsize        width;
  HlAttentionRule rule;
} HlLayerProjections;

/**
 * HlLayerFunc:
 * @projections: of one layer
 * @data: what was given along
 *
 * Called on the thread that computes, as soon as a layer's queries and keys are there.
 */
typedef void (*HlLayerFunc) (const HlLayerProjections *projections,
                             gpointer                  data);

/**
 * HlStream:
 * @attention: that of the stack's layers: self, encoder or decoder
 * @n_layers: how many layers are done
 * @final: whether the final norm is done too
 * @n_streams: streams side by side
 * @n_tokens: tokens of each
 * @width: features of a token
 * @states: [n_streams, n_tokens, width], what goes from layer to layer
 *
 * The residual stream at some point. Good during the call that it is given to.
 */
typedef struct
{
  HlAttentionKind attention;
  guint        n_layers;
  gboolean     final;
  gsize        n_streams;
  gsize        n_tokens;
  gsize        width;
  const float *states;
} HlStream;

/**
 * HlStreamFunc:
 * @stream: the stream
 * @data: what was given along
 *
 * Told of the stream before the first layer, after every layer, and after the final norm, also of stacks without one.
 */
typedef void (*HlStreamFunc) (const HlStream *stream,
                              gpointer        data);

/**
 * HlSublayer:
 * @HL_SUBLAYER_ATTENTION: attention to the stack's own tokens
 * @HL_SUBLAYER_CROSS: attention to the encoder's
 * @HL_SUBLAYER_LINEAR: what a layer without a map has in place of attention
 * @HL_SUBLAYER_FEED_FORWARD: the feed-forward
 * @HL_SUBLAYER_INPUT: what is added of the layer's own embeddings
 *
 * A part of a layer.
 */
typedef enum {
  HL_SUBLAYER_ATTENTION,
  HL_SUBLAYER_CROSS,
  HL_SUBLAYER_LINEAR,
  HL_SUBLAYER_FEED_FORWARD,
  HL_SUBLAYER_INPUT,
} HlSublayer;

/**
 * HlSublayerResult:
 * @attention: that of the stack's layers: self, encoder or decoder
 * @sublayer: which part of the layer
 * @layer: the layer, from 0
 * @n_streams: streams side by side
 * @n_tokens: tokens of each
 * @width: features of a token
 * @before: [n_streams, n_tokens, width], the stream that the result is added to
 * @heads: (nullable): [n_streams, n_tokens, n_heads · value_size], what the heads give; %NULL of all but attention
 * @result: [n_streams, n_tokens, width], what is added, without the bias of its last product and before any norm of it
 *
 * What a sublayer comes to. Good during the call that it is given to.
 */
typedef struct
{
  HlAttentionKind attention;
  HlSublayer   sublayer;
  guint        layer;
  gsize        n_streams;
  gsize        n_tokens;
  gsize        width;
  const float *before;
  const float *heads;
  const float *result;
} HlSublayerResult;

/**
 * HlSublayerFunc:
 * @result: what a sublayer comes to
 * @data: what was given along
 *
 * Called on the thread that computes, before the result is added.
 */
typedef void (*HlSublayerFunc) (const HlSublayerResult *result,
                                gpointer                data);

/**
 * HlHeadEditKind:
 * @HL_HEAD_ZERO: it gives nothing (Michel et al. 2019)
 * @HL_HEAD_UNIFORM: it attends to all keys that a query sees alike (Kovaleva et al. 2019)
 *
 * What is done to a head.
 */
typedef enum {
  HL_HEAD_ZERO,
  HL_HEAD_UNIFORM,
} HlHeadEditKind;

/**
 * HlHeadEdit:
 * @attention: which attention the head is of
 * @layer: its layer, from 0
 * @head: the query head, from 0
 * @kind: what is done to it
 *
 * A head that is to be other than it is.
 */
typedef struct
{
  HlAttentionKind attention;
  guint        layer;
  guint        head;
  HlHeadEditKind kind;
} HlHeadEdit;

/**
 * HlStackRun:
 * @weights: those of the stack; set by hl_model_run_stack()
 * @ids: (nullable) (array length=n_tokens): the tokens' numbers; %NULL with @pixels
 * @pixels: (nullable): what takes their place in a stack that takes pixels; @n_tokens follows from them
 * @segments: (nullable) (array length=n_tokens): 0 for the first text, 1 for the second; %NULL for 0
 * @n_tokens: how many
 * @lengths: (nullable) (array length=n_streams): of several texts, whose @ids stand one behind the other, how many are of each: each is a stream
 *   of its own, and may be empty. %NULL where all streams are of one text
 * @first_layer: the layer to begin with
 * @start: (nullable): [n_streams, n_tokens, width], the stream before that layer; %NULL for the embeddings of @ids
 * @n_streams: streams that are run side by side from the beginning; 0 is 1
 * @past: (nullable): what is kept of the tokens before, behind which @ids stand, and which then holds them too; only of one stream from its
 *   beginning. @func is told of the keys and values of @ids alone
 * @memory: (nullable): [n_streams, n_memory, width], what the encoder gave, for a decoder
 * @n_memory: tokens of the encoder; those of all texts if there are several
 * @memory_lengths: (nullable) (array length=n_streams): of several texts with @memory, how many of its tokens are of each
 * @attention: which attention the layers' own is
 * @edits: (array length=n_edits): heads that are to be other than they are
 * @n_edits: how many
 * @apart: whether each edit is made in a stream of its own. All are of the same attention of the first layer, and the streams part there
 * @func: (nullable): told of every layer, as long as there is one stream of a text; of several texts, of each that is not empty
 * @stream_func: (nullable): told of the residual stream
 * @sublayer_func: (nullable): told of what every sublayer comes to
 * @data: for these functions
 * @progress: (nullable): told how far it is
 * @progress_begin: what is done before, of 1
 * @progress_end: what is done after
 *
 * What a stack is run on. Rows of several streams go through the linear layers together, so that weights are read once for all of them; the
 * numbers of a stream do not depend on what it is run with. Of several texts, only @func can be told, and nothing is edited, kept or started
 * from. The last layer is computed whole if its output is wanted or @stream_func or @sublayer_func is there.
 */
typedef struct
{
  HlWeights     *weights;
  const guint32 *ids;
  const HlPixels *pixels;
  const guint32 *segments;
  gsize          n_tokens;
  const gsize   *lengths;
  guint          first_layer;
  const float   *start;
  gsize          n_streams;
  HlPast        *past;
  const float   *memory;
  gsize          n_memory;
  const gsize   *memory_lengths;
  HlAttentionKind attention;
  const HlHeadEdit *edits;
  gsize          n_edits;
  gboolean       apart;
  HlLayerFunc    func;
  HlStreamFunc   stream_func;
  HlSublayerFunc sublayer_func;
  gpointer       data;
  HlProgress    *progress;
  double         progress_begin;
  double         progress_end;
} HlStackRun;

gboolean hl_stack_run (const HlStack     *self,
                       const HlStackRun  *run,
                       float            **output,
                       GCancellable      *cancellable,
                       GError           **error);

G_END_DECLS
