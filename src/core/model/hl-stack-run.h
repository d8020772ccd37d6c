/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-progress.h"
#include "core/compute/hl-attend.h"
#include "core/document/attention/hl-attention.h"
#include "core/model/hl-stack.h"

G_BEGIN_DECLS

/**
 * HlLayerProjections:
 * @attention: which attention it is
 * @layer: the layer, from 0
 * @n_heads: query heads
 * @n_key_heads: heads of keys and values
 * @n_queries: tokens that ask
 * @n_keys: tokens that are asked
 * @head_size: features of a head
 * @queries: [n_heads, n_queries, head_size], after norms and rotary embedding
 * @keys: [n_key_heads, n_keys, head_size], likewise
 * @values: [n_key_heads, n_keys, head_size]
 * @inputs: [n_queries, width], what the queries are projected from
 * @width: features of that
 * @rule: how weights follow
 *
 * All that the attention of a layer follows from. Good during the call that it is given to.
 */
typedef struct
{
  HlAttentionKind attention;
  guint        layer;
  guint        n_heads;
  guint        n_key_heads;
  gsize        n_queries;
  gsize        n_keys;
  gsize        head_size;
  const float *queries;
  const float *keys;
  const float *values;
  const float *inputs;
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
 * HlStackRun:
 * @weights: those of the stack
 * @ids: (array length=n_tokens): the tokens' numbers
 * @segments: (nullable) (array length=n_tokens): 0 for the first text, 1 for the second; %NULL for 0
 * @n_tokens: how many
 * @memory: (nullable): [n_memory, width], what the encoder gave, for a decoder
 * @n_memory: tokens of the encoder
 * @attention: which attention the layers' own is
 * @func: told of every layer
 * @data: for @func
 * @progress: (nullable): told how far it is
 * @progress_begin: what is done before, of 1
 * @progress_end: what is done after
 *
 * What a stack is run on.
 */
typedef struct
{
  HlWeights     *weights;
  const guint32 *ids;
  const guint32 *segments;
  gsize          n_tokens;
  const float   *memory;
  gsize          n_memory;
  HlAttentionKind attention;
  HlLayerFunc    func;
  gpointer       data;
  HlProgress    *progress;
  double         progress_begin;
  double         progress_end;
} HlStackRun;

gboolean hl_stack_check_run (const HlStack     *self,
                             const HlStackRun  *run,
                             GError           **error);
gboolean hl_stack_run       (const HlStack     *self,
                             const HlStackRun  *run,
                             float            **output,
                             GCancellable      *cancellable,
                             GError           **error);

G_END_DECLS
