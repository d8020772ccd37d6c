/* SPDX-License-Identifier: MIT */
/* All heads of a block in one row: those of layer 0, then those of layer 1 … */
#pragma once

#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

/**
 * HlHeadIndex:
 * @n_layers: how many layers
 * @starts: (array length=n_layers): the index of each layer's first head; behind them how many heads there are
 *
 * Which head of which layer an index stands for.
 */
typedef struct
{
  guint  n_layers;
  guint *starts;
} HlHeadIndex;

/**
 * hl_head_index_init: (skip)
 * @self: (out caller-allocates): an index, to be cleared
 * @source: whose heads
 */
static inline void
hl_head_index_init (HlHeadIndex       *self,
                    HlAttentionSource *source)
{
  self->n_layers = hl_attention_source_get_n_layers (source);
  self->starts = g_new0 (guint, self->n_layers + 1);
  for (guint layer = 0; layer < self->n_layers; layer++)
    self->starts[layer + 1] = self->starts[layer] + hl_attention_source_get_n_heads (source, layer);
}

/**
 * hl_head_index_clear: (skip)
 * @self: an index
 */
static inline void
hl_head_index_clear (HlHeadIndex *self)
{
  g_free (self->starts);
}

/**
 * hl_head_index_get_n: (skip)
 * @self: an index
 *
 * Returns: how many heads there are
 */
static inline guint
hl_head_index_get_n (const HlHeadIndex *self)
{
  return self->starts[self->n_layers];
}

/**
 * hl_head_index_get_layer: (skip)
 * @self: an index
 * @i: a head
 *
 * Returns: its layer
 */
static inline guint
hl_head_index_get_layer (const HlHeadIndex *self,
                         guint              i)
{
  guint layer = 0, end = self->n_layers;

  while (end - layer > 1)
    {
      const guint middle = layer + (end - layer) / 2;
      if (self->starts[middle] <= i)
        layer = middle;
      else
        end = middle;
    }
  return layer;
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlHeadIndex, hl_head_index_clear)

G_END_DECLS
