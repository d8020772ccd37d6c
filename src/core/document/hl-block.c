/* SPDX-License-Identifier: MIT */
/* One kind of attention of one example: what attends to what, and where its numbers lie. */
#include "core/document/hl-block-private.h"

#include <glib/gi18n-lib.h>

G_DEFINE_FINAL_TYPE (HlBlock, hl_block, G_TYPE_OBJECT)

static const struct
{
  const char *name;
  const char *label;
} kinds[] = {
  [HL_BLOCK_ATTENTION] = { "attention", N_ ("Attention") },
  [HL_BLOCK_ENCODER] = { "encoder", N_ ("Encoder") },
  [HL_BLOCK_DECODER] = { "decoder", N_ ("Decoder") },
  [HL_BLOCK_CROSS] = { "cross", N_ ("Cross") },
};

/**
 * hl_block_kind_get_name:
 * @kind: a kind of block
 *
 * Returns: `attention`, `encoder`, `decoder` or `cross`, not translated
 */
const char *
hl_block_kind_get_name (HlBlockKind kind)
{
  g_return_val_if_fail (kind < G_N_ELEMENTS (kinds), NULL);

  return kinds[kind].name;
}

/**
 * hl_block_kind_get_label:
 * @kind: a kind of block
 *
 * Returns: its name for people, translated
 */
const char *
hl_block_kind_get_label (HlBlockKind kind)
{
  g_return_val_if_fail (kind < G_N_ELEMENTS (kinds), NULL);

  return _ (kinds[kind].label);
}

/**
 * hl_block_kind_from_name:
 * @name: as hl_block_kind_get_name() gives it
 * @kind: (out): the kind
 *
 * Returns: whether there is such a kind
 */
gboolean
hl_block_kind_from_name (const char  *name,
                         HlBlockKind *kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_strcmp0 (name, kinds[i].name) == 0)
      {
        *kind = i;
        return TRUE;
      }
  return FALSE;
}

/**
 * hl_layer_tensor_get_n_heads:
 * @layer: the maps of a layer
 *
 * Returns: how many heads
 */
guint64
hl_layer_tensor_get_n_heads (const HlLayerTensor *layer)
{
  return layer->head_axis < 0 ? 1 : hl_tensor_get_shape (layer->tensor)->dims[layer->head_axis];
}

/**
 * hl_layer_tensor_get_n_rows:
 * @layer: the maps of a layer
 *
 * Returns: how many rows: queries, or tokens of a projection
 */
guint64
hl_layer_tensor_get_n_rows (const HlLayerTensor *layer)
{
  return hl_tensor_get_shape (layer->tensor)->dims[layer->row_axis];
}

/**
 * hl_layer_tensor_get_n_columns:
 * @layer: the maps of a layer
 *
 * Returns: how many columns: keys, or features of a projection
 */
guint64
hl_layer_tensor_get_n_columns (const HlLayerTensor *layer)
{
  return hl_tensor_get_shape (layer->tensor)->dims[layer->column_axis];
}

/**
 * hl_layer_tensor_read:
 * @layer: the maps of a layer
 * @head: which head
 * @first_row: the first row
 * @n_rows: how many
 * @first_column: the first column
 * @n_columns: how many
 * @target: (out caller-allocates): room for @n_rows × @n_columns, columns fastest
 * @cancellable: (nullable): stops it
 * @error: as hl_tensor_read_f32()
 *
 * Reads a part of the map of one head, whatever the order of axes in the file.
 *
 * Returns: whether @target was filled
 */
gboolean
hl_layer_tensor_read (const HlLayerTensor  *layer,
                      guint64               head,
                      guint64               first_row,
                      guint64               n_rows,
                      guint64               first_column,
                      guint64               n_columns,
                      float                *target,
                      GCancellable         *cancellable,
                      GError              **error)
{
  const HlShape *shape = hl_tensor_get_shape (layer->tensor);
  guint64 start[HL_MAX_RANK] = { 0 };
  guint64 count[HL_MAX_RANK];

  for (guint i = 0; i < shape->rank; i++)
    count[i] = 1;
  if (layer->layer_axis >= 0)
    start[layer->layer_axis] = layer->layer;
  if (layer->batch_axis >= 0)
    start[layer->batch_axis] = layer->batch;
  if (layer->head_axis >= 0)
    start[layer->head_axis] = head;
  start[layer->row_axis] = first_row;
  count[layer->row_axis] = n_rows;
  start[layer->column_axis] = first_column;
  count[layer->column_axis] = n_columns;

  if (layer->row_axis < layer->column_axis || n_rows == 1 || n_columns == 1)
    return hl_tensor_read_f32 (layer->tensor, start, count, target, cancellable, error);

  /* Keys come before queries in the file: read them so, then turn them over. */
  g_autofree float *turned = g_try_malloc_n (n_rows * n_columns, sizeof (float));
  if (turned == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("there is not enough memory"));
      return FALSE;
    }
  if (!hl_tensor_read_f32 (layer->tensor, start, count, turned, cancellable, error))
    return FALSE;
  for (guint64 column = 0; column < n_columns; column++)
    for (guint64 row = 0; row < n_rows; row++)
      target[row * n_columns + column] = turned[column * n_rows + row];
  return TRUE;
}

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
 * hl_block_get_query_tokens:
 * @self: a block
 *
 * Returns: (transfer none): as many strings as there are queries: tokens as the tokenizer spells them, positions where there are none
 */
const char *const *
hl_block_get_query_tokens (HlBlock *self)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), NULL);

  return hl_token_strings_get (self->query_tokens);
}

/**
 * hl_block_get_key_tokens:
 * @self: a block
 *
 * Returns: (transfer none): as many strings as there are keys; see hl_block_get_query_tokens()
 */
const char *const *
hl_block_get_key_tokens (HlBlock *self)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), NULL);

  return hl_token_strings_get (self->key_tokens);
}

/**
 * hl_block_has_query_tokens:
 * @self: a block
 *
 * Returns: whether the file names the queries' tokens
 */
gboolean
hl_block_has_query_tokens (HlBlock *self)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), FALSE);

  return self->has_query_tokens;
}

/**
 * hl_block_has_key_tokens:
 * @self: a block
 *
 * Returns: whether the file names the keys' tokens
 */
gboolean
hl_block_has_key_tokens (HlBlock *self)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), FALSE);

  return self->has_key_tokens;
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
 * Returns: (transfer none) (nullable): where the [query, feature] numbers lie that its queries are projected from, if they are known;
 *   there is one “head” of them
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
