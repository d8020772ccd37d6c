/* SPDX-License-Identifier: MIT */
/* A block without numbers of its own: what attends to what in maps that are made of those of another block. */
#include "core/document/attention/hl-derived-block.h"

#include "core/document/attention/hl-block-private.h"

/**
 * hl_derived_block_init:
 * @self: (out): what a derived block is to be made of
 * @block: what it is derived from
 *
 * Takes everything from @block.
 */
void
hl_derived_block_init (HlDerivedBlock *self,
                       HlBlock        *block)
{
  *self = (HlDerivedBlock){
    .kind = block->kind,
    .n_layers = block->n_layers,
    .n_heads = g_memdup2 (block->n_heads, block->n_layers * sizeof (guint)),
    .masks = g_new (HlMask, block->n_layers),
    .layer_name = block->layer_name,
    .head_name = block->head_name,
    .n_queries = block->n_queries,
    .n_keys = block->n_keys,
    .n_used_queries = block->n_used_queries,
    .n_used_keys = block->n_used_keys,
    .query_tokens = hl_token_strings_ref (block->query_tokens),
    .key_tokens = hl_token_strings_ref (block->key_tokens),
    .query_texts = hl_token_strings_ref (block->query_texts),
    .key_texts = hl_token_strings_ref (block->key_texts),
    .has_query_tokens = block->has_query_tokens,
    .has_key_tokens = block->has_key_tokens,
    .query_map = block->query_map != NULL ? hl_token_map_ref (block->query_map) : NULL,
    .key_map = block->key_map != NULL ? hl_token_map_ref (block->key_map) : NULL,
    .sentence_b_start = block->sentence_b_start,
    .is_transposed = block->is_transposed,
  };
  for (guint i = 0; i < block->n_layers; i++)
    self->masks[i] = block->rules[i].mask;
}

/**
 * hl_derived_block_clear:
 * @self: what a derived block was made of
 *
 * Frees what it points to.
 */
void
hl_derived_block_clear (HlDerivedBlock *self)
{
  g_clear_pointer (&self->n_heads, g_free);
  g_clear_pointer (&self->masks, g_free);
  hl_derived_block_clear_tokens (self);
}

/**
 * hl_derived_block_clear_tokens:
 * @self: what a derived block is to be made of
 *
 * Forgets the tokens of the block that it began with, for others to take their place.
 */
void
hl_derived_block_clear_tokens (HlDerivedBlock *self)
{
  g_clear_pointer (&self->query_tokens, hl_token_strings_unref);
  g_clear_pointer (&self->key_tokens, hl_token_strings_unref);
  g_clear_pointer (&self->query_texts, hl_token_strings_unref);
  g_clear_pointer (&self->key_texts, hl_token_strings_unref);
  g_clear_pointer (&self->query_map, hl_token_map_unref);
  g_clear_pointer (&self->key_map, hl_token_map_unref);
}

/**
 * hl_block_new_derived:
 * @init: what the block is made of
 *
 * Makes a block that has layers, heads and tokens, but no tensors: hl_block_get_weights(), hl_block_get_queries() and
 * their like give %NULL for every layer, so that how its weights are made is not known. Of the rule of a layer only the
 * mask means anything.
 *
 * Returns: (transfer full): a block
 */
HlBlock *
hl_block_new_derived (const HlDerivedBlock *init)
{
  g_return_val_if_fail (init->n_layers > 0, NULL);
  g_return_val_if_fail (init->n_queries > 0 && init->n_keys > 0, NULL);

  HlBlock *self = g_object_new (HL_TYPE_BLOCK, NULL);
  self->kind = init->kind;
  self->n_layers = init->n_layers;
  self->n_heads = g_memdup2 (init->n_heads, init->n_layers * sizeof (guint));
  self->layer_name = init->layer_name;
  self->head_name = init->head_name;
  self->n_queries = init->n_queries;
  self->n_keys = init->n_keys;
  self->n_used_queries = MIN (init->n_used_queries, init->n_queries);
  self->n_used_keys = MIN (init->n_used_keys, init->n_keys);
  self->query_tokens = hl_token_strings_ref (init->query_tokens);
  self->key_tokens = hl_token_strings_ref (init->key_tokens);
  self->query_texts = hl_token_strings_ref (init->query_texts);
  self->key_texts = hl_token_strings_ref (init->key_texts);
  self->has_query_tokens = init->has_query_tokens;
  self->has_key_tokens = init->has_key_tokens;
  self->query_map = init->query_map != NULL ? hl_token_map_ref (init->query_map) : NULL;
  self->key_map = init->key_map != NULL ? hl_token_map_ref (init->key_map) : NULL;
  self->sentence_b_start = init->sentence_b_start;
  self->is_transposed = init->is_transposed;
  self->rules = g_new0 (HlAttentionRule, init->n_layers);
  for (guint i = 0; i < init->n_layers; i++)
    {
      self->max_heads = MAX (self->max_heads, init->n_heads[i]);
      self->rules[i].mask = init->masks[i];
    }
  return self;
}

/**
 * hl_block_get_layer_name:
 * @self: a block
 *
 * Returns: (transfer none) (nullable): what its one layer is called that is made of several, `mean` or `max`, not
 *   translated; %NULL where layers are layers, which have numbers
 */
const char *
hl_block_get_layer_name (HlBlock *self)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), NULL);

  return self->layer_name;
}

/**
 * hl_block_get_head_name:
 * @self: a block
 *
 * Returns: (transfer none) (nullable): what the one head of each layer is called that is made of several, likewise
 */
const char *
hl_block_get_head_name (HlBlock *self)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), NULL);

  return self->head_name;
}

/**
 * hl_block_is_transposed:
 * @self: a block
 *
 * Returns: whether what counts as queries, the rows of its maps, stands for keys and the other way round
 */
gboolean
hl_block_is_transposed (HlBlock *self)
{
  g_return_val_if_fail (HL_IS_BLOCK (self), FALSE);

  return self->is_transposed;
}
