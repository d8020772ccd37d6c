/* SPDX-License-Identifier: MIT */
/* One kind of attention of one example: what attends to what, and where its numbers lie. */
#include "core/document/attention/hl-attention-private.h"

G_DEFINE_FINAL_TYPE (HlAttention, hl_attention, G_TYPE_OBJECT)

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
hl_attention_finalize (GObject *object)
{
  HlAttention *self = HL_ATTENTION (object);

  free_layers (self->weights, self->n_layers);
  free_layers (self->queries, self->n_layers);
  free_layers (self->keys, self->n_layers);
  free_layers (self->values, self->n_layers);
  free_layers (self->inputs, self->n_layers);
  g_free (self->n_heads);
  g_free (self->rules);
  g_clear_pointer (&self->bias, g_bytes_unref);
  hl_attention_clear_tokens (self);
  G_OBJECT_CLASS (hl_attention_parent_class)->finalize (object);
}

static void
hl_attention_class_init (HlAttentionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_attention_finalize;
}

static void
hl_attention_init (HlAttention *self)
{
}

/**
 * hl_attention_new:
 * @init: what the attention is made of
 *
 * Returns: (transfer full): an attention
 */
HlAttention *
hl_attention_new (const HlAttentionInit *init)
{
  HlAttention *self = g_object_new (HL_TYPE_ATTENTION, NULL);

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
  hl_attention_name_tokens (self, init);
  self->sentence_b_start = init->sentence_b_start;
  self->rules = g_new (HlAttentionRule, init->n_layers);
  for (guint i = 0; i < self->n_layers; i++)
    self->rules[i] = init->rules != NULL ? init->rules[i] : init->rule;
  self->bias = init->bias != NULL ? g_bytes_ref (init->bias) : NULL;
  return self;
}

/**
 * hl_attention_get_kind:
 * @self: an attention
 *
 * Returns: which attention it is
 */
HlAttentionKind
hl_attention_get_kind (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), HL_ATTENTION_SELF);

  return self->kind;
}

/**
 * hl_attention_get_n_layers:
 * @self: an attention
 *
 * Returns: how many layers, at least 1
 */
guint
hl_attention_get_n_layers (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), 0);

  return self->n_layers;
}

/**
 * hl_attention_get_n_heads:
 * @self: an attention
 * @layer: a layer, from 0
 *
 * Returns: how many (query) heads that layer has
 */
guint
hl_attention_get_n_heads (HlAttention *self,
                          guint        layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), 0);
  g_return_val_if_fail (layer < self->n_layers, 0);

  return self->n_heads[layer];
}

/**
 * hl_attention_get_max_heads:
 * @self: an attention
 *
 * Returns: the heads of the layer that has the most
 */
guint
hl_attention_get_max_heads (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), 0);

  return self->max_heads;
}

/**
 * hl_attention_get_n_queries:
 * @self: an attention
 *
 * Returns: rows of every map, padding included
 */
gsize
hl_attention_get_n_queries (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), 0);

  return self->n_queries;
}

/**
 * hl_attention_get_n_keys:
 * @self: an attention
 *
 * Returns: columns of every map, padding included
 */
gsize
hl_attention_get_n_keys (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), 0);

  return self->n_keys;
}

/**
 * hl_attention_get_n_used_queries:
 * @self: an attention
 *
 * Returns: how many of the queries, counted from the first, are not padding
 */
gsize
hl_attention_get_n_used_queries (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), 0);

  return self->n_used_queries;
}

/**
 * hl_attention_get_n_used_keys:
 * @self: an attention
 *
 * Returns: how many of the keys, counted from the first, are not padding
 */
gsize
hl_attention_get_n_used_keys (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), 0);

  return self->n_used_keys;
}

/**
 * hl_attention_get_sentence_b_start:
 * @self: an attention
 *
 * Returns: the index of the second text's first token, 0 when there is one text
 */
gsize
hl_attention_get_sentence_b_start (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), 0);

  return self->sentence_b_start;
}

/**
 * hl_attention_get_dtype:
 * @self: an attention
 *
 * Returns: the type the file stores its weights in, or its queries; float32 for what is derived
 */
HlDType
hl_attention_get_dtype (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), HL_DTYPE_F32);

  const HlLayerTensor *stored = self->weights ? self->weights : self->queries;
  return stored != NULL ? hl_tensor_get_dtype (stored->tensor) : HL_DTYPE_F32;
}

/**
 * hl_attention_get_weights:
 * @self: an attention
 * @layer: a layer
 *
 * Returns: (transfer none) (nullable): where its weights lie, if the file has them
 */
const HlLayerTensor *
hl_attention_get_weights (HlAttention *self,
                          guint        layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);
  g_return_val_if_fail (layer < self->n_layers, NULL);

  return self->weights ? &self->weights[layer] : NULL;
}

/**
 * hl_attention_has_scores:
 * @self: an attention
 *
 * Returns: whether what hl_attention_get_weights() tells are scores, of which a softmax over keys makes weights
 */
gboolean
hl_attention_has_scores (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), FALSE);

  return self->has_scores;
}

/**
 * hl_attention_get_queries:
 * @self: an attention
 * @layer: a layer
 *
 * Returns: (transfer none) (nullable): where its query projections lie, if the file has them
 */
const HlLayerTensor *
hl_attention_get_queries (HlAttention *self,
                          guint        layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);
  g_return_val_if_fail (layer < self->n_layers, NULL);

  return self->queries ? &self->queries[layer] : NULL;
}

/**
 * hl_attention_get_keys:
 * @self: an attention
 * @layer: a layer
 *
 * Returns: (transfer none) (nullable): where its key projections lie, if the file has them
 */
const HlLayerTensor *
hl_attention_get_keys (HlAttention *self,
                       guint        layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);
  g_return_val_if_fail (layer < self->n_layers, NULL);

  return self->keys ? &self->keys[layer] : NULL;
}

/**
 * hl_attention_get_values:
 * @self: an attention
 * @layer: a layer
 *
 * Returns: (transfer none) (nullable): where its value projections lie, if the file has them
 */
const HlLayerTensor *
hl_attention_get_values (HlAttention *self,
                         guint        layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);
  g_return_val_if_fail (layer < self->n_layers, NULL);

  return self->values ? &self->values[layer] : NULL;
}

/**
 * hl_attention_get_inputs:
 * @self: an attention
 * @layer: a layer
 *
 * Returns: (transfer none) (nullable): where the [query, feature] numbers lie that its queries are projected from, if
 *   they are known; there is one “head” of them
 */
const HlLayerTensor *
hl_attention_get_inputs (HlAttention *self,
                         guint        layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);
  g_return_val_if_fail (layer < self->n_layers, NULL);

  return self->inputs ? &self->inputs[layer] : NULL;
}

/**
 * hl_attention_get_rule:
 * @self: an attention
 * @layer: a layer
 *
 * Returns: (transfer none): how its weights follow from queries and keys, and which keys a query cannot see
 */
const HlAttentionRule *
hl_attention_get_rule (HlAttention *self,
                       guint        layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);
  g_return_val_if_fail (layer < self->n_layers, NULL);

  return &self->rules[layer];
}
