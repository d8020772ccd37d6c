/* SPDX-License-Identifier: MIT */
/* An attention without numbers of its own: what attends to what in maps that are made of those of another attention. */
#include "core/document/attention/hl-derived-attention.h"

#include "core/document/attention/hl-attention-private.h"

/**
 * hl_derived_attention_init:
 * @self: (out): what a derived attention is to be made of
 * @attention: what it is derived from
 *
 * Takes everything from @attention.
 */
void
hl_derived_attention_init (HlDerivedAttention *self,
                           HlAttention        *attention)
{
  *self = (HlDerivedAttention){
    .kind = attention->kind,
    .n_layers = attention->n_layers,
    .n_heads = g_memdup2 (attention->n_heads, attention->n_layers * sizeof (guint)),
    .masks = g_new (HlMask, attention->n_layers),
    .layer_name = attention->layer_name,
    .head_name = attention->head_name,
    .n_queries = attention->n_queries,
    .n_keys = attention->n_keys,
    .n_used_queries = attention->n_used_queries,
    .n_used_keys = attention->n_used_keys,
    .query_tokens = hl_token_strings_ref (attention->query_tokens),
    .key_tokens = hl_token_strings_ref (attention->key_tokens),
    .query_texts = hl_token_strings_ref (attention->query_texts),
    .key_texts = hl_token_strings_ref (attention->key_texts),
    .has_query_tokens = attention->has_query_tokens,
    .has_key_tokens = attention->has_key_tokens,
    .query_map = attention->query_map != NULL ? hl_token_map_ref (attention->query_map) : NULL,
    .key_map = attention->key_map != NULL ? hl_token_map_ref (attention->key_map) : NULL,
    .sentence_b_start = attention->sentence_b_start,
    .is_transposed = attention->is_transposed,
  };
  for (guint i = 0; i < attention->n_layers; i++)
    self->masks[i] = attention->rules[i].mask;
}

/**
 * hl_derived_attention_clear:
 * @self: what a derived attention was made of
 *
 * Frees what it points to.
 */
void
hl_derived_attention_clear (HlDerivedAttention *self)
{
  g_clear_pointer (&self->n_heads, g_free);
  g_clear_pointer (&self->masks, g_free);
  hl_derived_attention_clear_tokens (self);
}

/**
 * hl_derived_attention_clear_tokens:
 * @self: what a derived attention is to be made of
 *
 * Forgets the tokens of the attention that it began with, for others to take their place.
 */
void
hl_derived_attention_clear_tokens (HlDerivedAttention *self)
{
  g_clear_pointer (&self->query_tokens, hl_token_strings_unref);
  g_clear_pointer (&self->key_tokens, hl_token_strings_unref);
  g_clear_pointer (&self->query_texts, hl_token_strings_unref);
  g_clear_pointer (&self->key_texts, hl_token_strings_unref);
  g_clear_pointer (&self->query_map, hl_token_map_unref);
  g_clear_pointer (&self->key_map, hl_token_map_unref);
}

/**
 * hl_attention_new_derived:
 * @init: what the attention is made of
 *
 * Makes an attention that has layers, heads and tokens, but no tensors: hl_attention_get_weights(), hl_attention_get_queries() and
 * their like give %NULL for every layer, so that how its weights are made is not known. Of the rule of a layer only the
 * mask means anything.
 *
 * Returns: (transfer full): an attention
 */
HlAttention *
hl_attention_new_derived (const HlDerivedAttention *init)
{
  g_return_val_if_fail (init->n_layers > 0, NULL);
  g_return_val_if_fail (init->n_queries > 0 && init->n_keys > 0, NULL);

  HlAttention *self = g_object_new (HL_TYPE_ATTENTION, NULL);
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
 * hl_attention_get_layer_name:
 * @self: an attention
 *
 * Returns: (transfer none) (nullable): what its one layer is called that is made of several, `mean` or `max`, not
 *   translated; %NULL where layers are layers, which have numbers
 */
const char *
hl_attention_get_layer_name (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return self->layer_name;
}

/**
 * hl_attention_get_head_name:
 * @self: an attention
 *
 * Returns: (transfer none) (nullable): what the one head of each layer is called that is made of several, likewise
 */
const char *
hl_attention_get_head_name (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return self->head_name;
}

/**
 * hl_attention_is_transposed:
 * @self: an attention
 *
 * Returns: whether what counts as queries, the rows of its maps, stands for keys and the other way round
 */
gboolean
hl_attention_is_transposed (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), FALSE);

  return self->is_transposed;
}
