/* SPDX-License-Identifier: MIT */
/* One kind of attention of one example: what attends to what, and where its numbers lie. */
#include "core/document/attention/hl-block-private.h"

G_DEFINE_FINAL_TYPE (HlBlock, hl_block, G_TYPE_OBJECT)

static void
free_layers (HlLayerTensor *layers,
             guint          n_layers)
{
  if (layers == NULL)
    return;
  for (guint i = 0; i < n_layers; i++)
    g_object_unref (layers[i].tensor);
  g_free (layers);
}

static HlLayerTensor *
copy_layers (const HlLayerTensor *layers,
             guint                n_layers)
{
  if (layers == NULL)
    return NULL;

  HlLayerTensor *copy = g_memdup2 (layers, n_layers * sizeof *layers);
  for (guint i = 0; i < n_layers; i++)
    g_object_ref (copy[i].tensor);
  return copy;
}

static void
hl_block_finalize (GObject *object)
{
  HlBlock *self = HL_BLOCK (object);

  free_layers (self->weights, self->n_layers);
  free_layers (self->queries, self->n_layers);
  free_layers (self->keys, self->n_layers);
  free_layers (self->values, self->n_layers);
  free_layers (self->inputs, self->n_layers);
  g_free (self->n_heads);
  g_free (self->rules);
  g_clear_pointer (&self->bias, g_bytes_unref);
  hl_block_clear_tokens (self);
  G_OBJECT_CLASS (hl_block_parent_class)->finalize (object);
}

static void
hl_block_class_init (HlBlockClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_block_finalize;
}

static void
hl_block_init (HlBlock *self)
{
}

/**
 * hl_block_new:
 * @init: what the block is made of
 *
 * Returns: (transfer full): a block
 */
HlBlock *
hl_block_new (const HlBlockInit *init)
{
  HlBlock *self = g_object_new (HL_TYPE_BLOCK, NULL);

  g_assert (init->n_layers > 0);
  g_assert (init->weights != NULL || (init->queries != NULL && init->keys != NULL));

  self->kind = init->kind;
  self->n_layers = init->n_layers;
  self->weights = copy_layers (init->weights, init->n_layers);
  self->queries = copy_layers (init->queries, init->n_layers);
  self->keys = copy_layers (init->keys, init->n_layers);
  self->values = copy_layers (init->values, init->n_layers);
  self->inputs = copy_layers (init->inputs, init->n_layers);
  self->has_scores = init->weights != NULL && init->has_scores;

  const HlLayerTensor *maps = self->weights;
  self->n_queries = maps ? hl_layer_tensor_get_n_rows (maps) : hl_layer_tensor_get_n_rows (self->queries);
  self->n_keys = maps ? hl_layer_tensor_get_n_columns (maps) : hl_layer_tensor_get_n_rows (self->keys);
  self->n_heads = g_new (guint, init->n_layers);
  for (guint i = 0; i < self->n_layers; i++)
    {
      self->n_heads[i] = (guint) hl_layer_tensor_get_n_heads (maps ? &maps[i] : &self->queries[i]);
      self->max_heads = MAX (self->max_heads, self->n_heads[i]);
    }

  self->n_used_queries = MIN (init->n_used_queries, self->n_queries);
  self->n_used_keys = MIN (init->n_used_keys, self->n_keys);
  hl_block_name_tokens (self, init);
  self->sentence_b_start = init->sentence_b_start;
  self->rules = g_new (HlAttentionRule, init->n_layers);
  for (guint i = 0; i < self->n_layers; i++)
    self->rules[i] = init->rules != NULL ? init->rules[i] : init->rule;
  self->bias = init->bias != NULL ? g_bytes_ref (init->bias) : NULL;
  return self;
}

/**
 * hl_block_get_kind:
 * @self: a block
 *
 * Returns: which attention it is
 */
HlBlockKind
hl_block_get_kind (HlBlock *self)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), HL_BLOCK_ATTENTION);

  return self->kind;
}

/**
 * hl_block_get_n_layers:
 * @self: a block
 *
 * Returns: how many layers, at least 1
 */
guint
hl_block_get_n_layers (HlBlock *self)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), 0);

  return self->n_layers;
}

/**
 * hl_block_get_n_heads:
 * @self: a block
 * @layer: a layer, from 0
 *
 * Returns: how many (query) heads that layer has
 */
guint
hl_block_get_n_heads (HlBlock *self,
                      guint    layer)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), 0);
  g_return_val_if_fail (layer < self->n_layers, 0);

  return self->n_heads[layer];
}

/**
 * hl_block_get_max_heads:
 * @self: a block
 *
 * Returns: the heads of the layer that has the most
 */
guint
hl_block_get_max_heads (HlBlock *self)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), 0);

  return self->max_heads;
}

/**
 * hl_block_get_n_queries:
 * @self: a block
 *
 * Returns: rows of every map, padding included
 */
gsize
hl_block_get_n_queries (HlBlock *self)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), 0);

  return self->n_queries;
}

/**
 * hl_block_get_n_keys:
 * @self: a block
 *
 * Returns: columns of every map, padding included
 */
gsize
hl_block_get_n_keys (HlBlock *self)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), 0);

  return self->n_keys;
}

/**
 * hl_block_get_n_used_queries:
 * @self: a block
 *
 * Returns: how many of the queries, counted from the first, are not padding
 */
gsize
hl_block_get_n_used_queries (HlBlock *self)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), 0);

  return self->n_used_queries;
}

/**
 * hl_block_get_n_used_keys:
 * @self: a block
 *
 * Returns: how many of the keys, counted from the first, are not padding
 */
gsize
hl_block_get_n_used_keys (HlBlock *self)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), 0);

  return self->n_used_keys;
}

/**
 * hl_block_get_sentence_b_start:
 * @self: a block
 *
 * Returns: the index of the second text's first token, 0 when there is one text
 */
gsize
hl_block_get_sentence_b_start (HlBlock *self)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), 0);

  return self->sentence_b_start;
}

/**
 * hl_block_get_dtype:
 * @self: a block
 *
 * Returns: the type the file stores its weights in, or its queries; float32 for what is derived
 */
HlDType
hl_block_get_dtype (HlBlock *self)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), HL_DTYPE_F32);

  const HlLayerTensor *stored = self->weights ? self->weights : self->queries;
  return stored != NULL ? hl_tensor_get_dtype (stored->tensor) : HL_DTYPE_F32;
}

/**
 * hl_block_get_weights:
 * @self: a block
 * @layer: a layer
 *
 * Returns: (transfer none) (nullable): where its weights lie, if the file has them
 */
const HlLayerTensor *
hl_block_get_weights (HlBlock *self,
                      guint    layer)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), NULL);
  g_return_val_if_fail (layer < self->n_layers, NULL);

  return self->weights ? &self->weights[layer] : NULL;
}

/**
 * hl_block_has_scores:
 * @self: a block
 *
 * Returns: whether what hl_block_get_weights() tells are scores, of which a softmax over keys makes weights
 */
gboolean
hl_block_has_scores (HlBlock *self)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), FALSE);

  return self->has_scores;
}

/**
 * hl_block_get_queries:
 * @self: a block
 * @layer: a layer
 *
 * Returns: (transfer none) (nullable): where its query projections lie, if the file has them
 */
const HlLayerTensor *
hl_block_get_queries (HlBlock *self,
                      guint    layer)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), NULL);
  g_return_val_if_fail (layer < self->n_layers, NULL);

  return self->queries ? &self->queries[layer] : NULL;
}

/**
 * hl_block_get_keys:
 * @self: a block
 * @layer: a layer
 *
 * Returns: (transfer none) (nullable): where its key projections lie, if the file has them
 */
const HlLayerTensor *
hl_block_get_keys (HlBlock *self,
                   guint    layer)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), NULL);
  g_return_val_if_fail (layer < self->n_layers, NULL);

  return self->keys ? &self->keys[layer] : NULL;
}

/**
 * hl_block_get_values:
 * @self: a block
 * @layer: a layer
 *
 * Returns: (transfer none) (nullable): where its value projections lie, if the file has them
 */
const HlLayerTensor *
hl_block_get_values (HlBlock *self,
                     guint    layer)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), NULL);
  g_return_val_if_fail (layer < self->n_layers, NULL);

  return self->values ? &self->values[layer] : NULL;
}

/**
 * hl_block_get_inputs:
 * @self: a block
 * @layer: a layer
 *
 * Returns: (transfer none) (nullable): where the [query, feature] numbers lie that its queries are projected from, if
 *   they are known; there is one “head” of them
 */
const HlLayerTensor *
hl_block_get_inputs (HlBlock *self,
                     guint    layer)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), NULL);
  g_return_val_if_fail (layer < self->n_layers, NULL);

  return self->inputs ? &self->inputs[layer] : NULL;
}

/**
 * hl_block_get_rule:
 * @self: a block
 * @layer: a layer
 *
 * Returns: (transfer none): how its weights follow from queries and keys, and which keys a query cannot see
 */
const HlAttentionRule *
hl_block_get_rule (HlBlock *self,
                   guint    layer)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), NULL);
  g_return_val_if_fail (layer < self->n_layers, NULL);

  return &self->rules[layer];
}
