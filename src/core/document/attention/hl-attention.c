/* SPDX-License-Identifier: MIT */
#include "core/document/attention/hl-attention.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/base/hl-error.h"

/**
 * HlAttention:
 *
 * One kind of attention of one example: what attends to what, and where its numbers lie. Immutable.
 */
struct _HlAttention
{
  GObject parent_instance;

  HlAttentionKind kind;
  guint n_layers;
  guint *n_heads;
  guint max_heads;
  const char *layer_name;
  const char *head_name;
  HlLayerTensor *weights;
  HlLayerTensor *projections[2];
  HlLayerTensor *distances[2];
  HlLayerTensor *biases;
  HlLayerTensor *values;
  HlLayerTensor *inputs;
  HlLayerTensor *output;
  HlLayerTensor *value_norms;
  HlLayerTensor *stream;
  HlTensor *output_norm;
  HlLayerTensor *ingredients[HL_N_INGREDIENTS];
  HlFinish *finishes;
  gboolean has_scores;
  char *quantity;
  gboolean is_signed;
  HlAttentionTokens tokens[2];
  gsize sentence_b_start;
  gboolean is_transposed;
  HlAttentionRule *rules;
  GBytes *bias;
  HlCellMask *cells;
  char **layer_types;
  char **modules;
};

G_DEFINE_FINAL_TYPE (HlAttention, hl_attention, G_TYPE_OBJECT)

/* Of a new attention whose rows and columns are the tokens of the text. */
static void
hl_attention_name_tokens (HlAttention           *self,
                          const HlAttentionInit *init)
{
  HlAttentionTokens *queries = &self->tokens[HL_QUERIES];
  HlAttentionTokens *keys = &self->tokens[HL_KEYS];

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      HlAttentionTokens *tokens = &self->tokens[side];

      tokens->n_used = MIN (init->n_used[side], tokens->n);
      tokens->text_span = init->text_spans[side];
      g_assert (init->pictures[side] == NULL || hl_picture_get_n_tokens (init->pictures[side]) == tokens->n);
      tokens->picture = init->pictures[side] != NULL ? hl_picture_ref (init->pictures[side]) : NULL;
      g_assert (init->times[side] == NULL || init->times[side]->n == tokens->n);
      tokens->times = init->times[side] != NULL ? hl_token_times_ref (init->times[side]) : NULL;
    }
  hl_attention_tokens_spell (queries, init->tokens[HL_QUERIES], init->first_query);
  if (init->tokens[HL_KEYS] == init->tokens[HL_QUERIES] && keys->n == queries->n && init->first_query == 0)
    hl_attention_tokens_spell_as (keys, queries);
  else
    hl_attention_tokens_spell (keys, init->tokens[HL_KEYS], 0);
  queries->texts = hl_attention_tokens_make_texts (queries);
  /* In self-attention both are the same text. */
  if (hl_token_strings_equal (queries->strings, keys->strings) && hl_picture_equal (queries->picture, keys->picture))
    {
      hl_token_strings_unref (keys->strings);
      keys->strings = hl_token_strings_ref (queries->strings);
      keys->texts = hl_token_strings_ref (queries->texts);
    }
  else
    keys->texts = hl_attention_tokens_make_texts (keys);
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

/* Of the layers that there are; no more strings than that. */
static char **
copy_strings (const char *const *strings,
              guint              n_layers)
{
  if (strings == NULL)
    return NULL;

  char **copy = g_new0 (char *, n_layers + 1);
  for (guint i = 0; i < n_layers && strings[i] != NULL; i++)
    copy[i] = g_strdup (strings[i]);
  return copy;
}

static void
hl_attention_finalize (GObject *object)
{
  HlAttention *self = HL_ATTENTION (object);

  free_layers (self->weights, self->n_layers);
  free_layers (self->projections[HL_QUERIES], self->n_layers);
  free_layers (self->projections[HL_KEYS], self->n_layers);
  free_layers (self->distances[HL_QUERIES], self->n_layers);
  free_layers (self->distances[HL_KEYS], self->n_layers);
  free_layers (self->biases, self->n_layers);
  free_layers (self->values, self->n_layers);
  free_layers (self->inputs, self->n_layers);
  free_layers (self->output, self->n_layers);
  for (guint i = 0; i < HL_N_INGREDIENTS; i++)
    free_layers (self->ingredients[i], self->n_layers);
  free_layers (self->value_norms, self->n_layers);
  free_layers (self->stream, self->n_layers);
  g_clear_object (&self->output_norm);
  g_free (self->quantity);
  g_free (self->n_heads);
  for (guint i = 0; self->rules != NULL && i < self->n_layers; i++)
    g_free ((float *) self->rules[i].sinks);
  g_free (self->rules);
  g_free (self->finishes);
  g_clear_pointer (&self->bias, g_bytes_unref);
  g_clear_pointer (&self->cells, hl_cell_mask_unref);
  g_strfreev (self->layer_types);
  g_strfreev (self->modules);
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    hl_attention_tokens_clear (&self->tokens[side]);
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
 * hl_attention_new: (skip)
 * @init: what the attention is made of
 *
 * Returns: (transfer full): an attention
 */
HlAttention *
hl_attention_new (const HlAttentionInit *init)
{
  HlAttention *self = g_object_new (HL_TYPE_ATTENTION, NULL);

  g_assert (init->n_layers > 0);
  g_assert (init->weights != NULL || (init->projections[HL_QUERIES] != NULL && init->projections[HL_KEYS] != NULL));

  self->kind = init->kind;
  self->n_layers = init->n_layers;
  self->weights = copy_layers (init->weights, init->n_layers);
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      self->projections[side] = copy_layers (init->projections[side], init->n_layers);
      self->distances[side] = copy_layers (init->distances[side], init->n_layers);
    }
  self->biases = copy_layers (init->biases, init->n_layers);
  self->values = copy_layers (init->values, init->n_layers);
  self->inputs = copy_layers (init->inputs, init->n_layers);
  self->output = copy_layers (init->output, init->n_layers);
  self->value_norms = copy_layers (init->value_norms, init->n_layers);
  self->stream = copy_layers (init->stream, init->n_layers);
  g_set_object (&self->output_norm, init->output_norm);
  for (guint i = 0; i < HL_N_INGREDIENTS; i++)
    self->ingredients[i] = copy_layers (init->ingredients[i], init->n_layers);
  self->finishes = g_new (HlFinish, init->n_layers);
  for (guint i = 0; i < self->n_layers; i++)
    self->finishes[i] = init->finishes != NULL ? init->finishes[i] : init->finish;
  self->has_scores = init->weights != NULL && init->has_scores;
  self->quantity = g_strdup (init->quantity);
  self->is_signed = init->is_signed;

  const HlLayerTensor *maps = self->weights;
  const HlLayerTensor *queries = self->projections[HL_QUERIES];
  const HlLayerTensor *keys = self->projections[HL_KEYS];
  self->tokens[HL_QUERIES].n = hl_layer_tensor_get_n_rows (maps ? maps : queries);
  self->tokens[HL_KEYS].n = maps ? hl_layer_tensor_get_n_columns (maps) : hl_layer_tensor_get_n_rows (keys);
  self->n_heads = g_new (guint, init->n_layers);
  for (guint i = 0; i < self->n_layers; i++)
    {
      self->n_heads[i] = (guint) hl_layer_tensor_get_n_heads (maps ? &maps[i] : &queries[i]);
      self->max_heads = MAX (self->max_heads, self->n_heads[i]);
    }

  hl_attention_name_tokens (self, init);
  self->sentence_b_start = init->sentence_b_start;
  self->rules = g_new (HlAttentionRule, init->n_layers);
  for (guint i = 0; i < self->n_layers; i++)
    {
      self->rules[i] = init->rules != NULL ? init->rules[i] : init->rule;
      if (self->rules[i].sinks != NULL)
        self->rules[i].sinks = g_memdup2 (self->rules[i].sinks, self->n_heads[i] * sizeof (float));
      self->rules[i].mask.scattered = self->rules[i].mask.scattered || init->cells != NULL;
    }
  self->bias = init->bias != NULL ? g_bytes_ref (init->bias) : NULL;
  self->cells = init->cells != NULL ? hl_cell_mask_ref (init->cells) : NULL;
  self->layer_types = copy_strings (init->layer_types, init->n_layers);
  self->modules = copy_strings (init->modules, init->n_layers);
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
 * hl_attention_get_n:
 * @self: an attention
 * @side: queries or keys
 *
 * Returns: rows of every map, or its columns, padding included
 */
gsize
hl_attention_get_n (HlAttention *self,
                    HlSide       side)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), 0);

  return self->tokens[side].n;
}

/**
 * hl_attention_get_n_used:
 * @self: an attention
 * @side: queries or keys
 *
 * Returns: how many of the tokens of that side, counted from the first, are not padding
 */
gsize
hl_attention_get_n_used (HlAttention *self,
                         HlSide       side)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), 0);

  return self->tokens[side].n_used;
}

/**
 * hl_attention_get_text_span: (skip)
 * @self: an attention
 * @side: queries or keys
 *
 * Cross attention does not tell which of its queries are padding: the mask of the decoder does.
 *
 * Returns: which tokens of the document are between padding, where this does not follow from the keys that queries see; none where
 *   it does, or where nothing is said of it
 */
HlTokenSpan
hl_attention_get_text_span (HlAttention *self,
                            HlSide       side)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), ((HlTokenSpan){ 0, 0 }));

  return self->tokens[side].text_span;
}

/**
 * hl_attention_get_sentence_b_start:
 * @self: an attention
 *
 * Returns: the index of the second text's first token among the keys, 0 when there is one text
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

  const HlLayerTensor *stored = self->weights ? self->weights : self->projections[HL_QUERIES];
  return stored != NULL ? hl_tensor_get_dtype (stored->tensor) : HL_DTYPE_F32;
}

/**
 * hl_attention_get_weights: (skip)
 * @self: an attention
 * @layer: a layer
 *
 * Returns: (transfer none) (nullable): where its weights lie, if the file has them; those of later layers follow
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
 * hl_attention_get_projection: (skip)
 * @self: an attention
 * @side: queries or keys
 * @layer: a layer
 *
 * Returns: (transfer none) (nullable): where its query or key projections lie, if the file has them; those of later
 *   layers follow
 */
const HlLayerTensor *
hl_attention_get_projection (HlAttention *self,
                             HlSide       side,
                             guint        layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);
  g_return_val_if_fail (layer < self->n_layers, NULL);

  return self->projections[side] ? &self->projections[side][layer] : NULL;
}

/**
 * hl_attention_get_distances: (skip)
 * @self: an attention
 * @side: queries or keys
 * @layer: a layer, from 0
 *
 * Returns: (transfer none) (nullable): [head, row, feature], the queries or keys of distances, where scores depend on both distance and content
 */
const HlLayerTensor *
hl_attention_get_distances (HlAttention *self,
                            HlSide       side,
                            guint        layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);
  g_return_val_if_fail (layer < self->n_layers, NULL);

  return self->distances[side] != NULL ? &self->distances[side][layer] : NULL;
}

/**
 * hl_attention_get_values: (skip)
 * @self: an attention
 * @layer: a layer
 *
 * Returns: (transfer none) (nullable): where its value projections lie, if the file has them; those of later layers
 *   follow
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
 * hl_attention_get_inputs: (skip)
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
 * hl_attention_get_output: (skip)
 * @self: an attention
 * @layer: a layer
 *
 * Gives the rows of the output projection that belong to each head: what the head adds to the stream is its weights times
 * its values times these. The projection's bias belongs to no head and is not among them.
 *
 * Returns: (transfer none) (nullable): where W_O lies, [head, feature of the head, feature of the model], if it is known; those
 *   of later layers follow
 */
const HlLayerTensor *
hl_attention_get_output (HlAttention *self,
                         guint        layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);
  g_return_val_if_fail (layer < self->n_layers, NULL);

  return self->output ? &self->output[layer] : NULL;
}

/**
 * hl_attention_get_ingredient: (skip)
 * @self: an attention
 * @ingredient: one of them
 * @layer: a layer
 *
 * Returns: (transfer none) (nullable): where the numbers lie, if they are known; those of later layers follow
 */
const HlLayerTensor *
hl_attention_get_ingredient (HlAttention *self,
                             HlIngredient ingredient,
                             guint        layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);
  g_return_val_if_fail (ingredient < HL_N_INGREDIENTS, NULL);
  g_return_val_if_fail (layer < self->n_layers, NULL);

  return self->ingredients[ingredient] ? &self->ingredients[ingredient][layer] : NULL;
}

/**
 * hl_attention_get_finish:
 * @self: an attention
 * @layer: one of its layers
 *
 * Returns: what becomes of queries and keys behind their weights, and of the result
 */
HlFinish
hl_attention_get_finish (HlAttention *self,
                         guint        layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), HL_FINISH_NONE);
  g_return_val_if_fail (layer < self->n_layers, HL_FINISH_NONE);

  return self->finishes != NULL ? self->finishes[layer] : HL_FINISH_NONE;
}

/**
 * hl_attention_get_value_norms: (skip)
 * @self: an attention
 * @layer: a layer
 *
 * Returns: (transfer none) (nullable): where the lengths lie that the file has of keys' values after the output
 *   projection, ‖v_j·W_O‖₂: a row a head, a column a key; there is one “head” of them; those of later layers follow
 */
const HlLayerTensor *
hl_attention_get_value_norms (HlAttention *self,
                              guint        layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);
  g_return_val_if_fail (layer < self->n_layers, NULL);

  return self->value_norms ? &self->value_norms[layer] : NULL;
}

/**
 * hl_attention_get_stream: (skip)
 * @self: an attention
 * @layer: a layer
 *
 * Returns: (transfer none) (nullable): where the [query, feature] numbers lie that the result of attention is added to, if
 *   they are known: its inputs, before a norm that stands before attention; there is one “head” of them
 */
const HlLayerTensor *
hl_attention_get_stream (HlAttention *self,
                         guint        layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);
  g_return_val_if_fail (layer < self->n_layers, NULL);

  return self->stream ? &self->stream[layer] : NULL;
}

/**
 * hl_attention_get_output_norm: (skip)
 * @self: an attention
 *
 * Returns: (transfer none) (nullable): [layer, feature], the weights γ of the layer norm of the sum of attention and
 *   stream; %NULL where no norm stands behind attention, or it is not known
 */
HlTensor *
hl_attention_get_output_norm (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return self->output_norm;
}

/**
 * hl_attention_get_quantity:
 * @self: an attention
 *
 * Returns: (transfer none) (nullable): what stands in place of weights, as the file calls it: `norm`; %NULL where weights do
 */
const char *
hl_attention_get_quantity (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return self->quantity;
}

/**
 * hl_attention_is_signed:
 * @self: an attention
 *
 * Returns: whether what stands in place of weights lies on both sides of zero: a difference
 */
gboolean
hl_attention_is_signed (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), FALSE);

  return self->is_signed;
}

/**
 * hl_attention_get_rule: (skip)
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

/**
 * hl_attention_has_bias:
 * @self: an attention
 * @layer: a layer
 *
 * Returns: whether something is added to the scores of the layer by distance alone, see hl_attention_read_bias()
 */
gboolean
hl_attention_has_bias (HlAttention *self,
                       guint        layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), FALSE);
  g_return_val_if_fail (layer < self->n_layers, FALSE);

  return self->rules[layer].bias != NULL || (self->biases != NULL && self->n_heads[layer] > 0);
}

/**
 * hl_attention_read_bias: (skip)
 * @self: an attention
 * @layer: a layer that has a bias
 * @head: a head of it
 * @cancellable: (nullable): stops it
 * @error: what reading fails with, %HL_ERROR_VALUE for a number that is NaN
 *
 * Returns: (transfer full) (nullable): [n_queries + n_keys − 1], what is added to a score of the head, by key − query + n_queries − 1; free with
 *   g_free()
 */
float *
hl_attention_read_bias (HlAttention  *self,
                        guint         layer,
                        guint         head,
                        GCancellable *cancellable,
                        GError      **error)
{
  g_return_val_if_fail (hl_attention_has_bias (self, layer), NULL);
  g_return_val_if_fail (head < self->n_heads[layer], NULL);

  const gsize n = self->tokens[HL_QUERIES].n + self->tokens[HL_KEYS].n - 1;
  if (self->rules[layer].bias != NULL)
    return g_memdup2 (self->rules[layer].bias + head * n, n * sizeof (float));
  g_autofree float *bias = g_try_new (float, n);
  if (bias == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  if (!hl_layer_tensor_read (&self->biases[layer], 0, head, 1, 0, n, bias, cancellable, error))
    return NULL;
  for (gsize i = 0; i < n; i++)
    if (isnan (bias[i]))
      {
        g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” has a number that is NaN"), "bias");
        return NULL;
      }
  return g_steal_pointer (&bias);
}

/**
 * hl_attention_get_bias: (skip)
 * @self: an attention
 * @layer: a layer
 *
 * Returns: (transfer none) (nullable): where a file has what is added to scores by distance: a row a head, no head axis; those of later layers follow
 */
const HlLayerTensor *
hl_attention_get_bias (HlAttention *self,
                       guint        layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);
  g_return_val_if_fail (layer < self->n_layers, NULL);

  return self->biases != NULL ? &self->biases[layer] : NULL;
}

/**
 * hl_attention_get_bias_bytes: (skip)
 * @self: an attention
 *
 * Returns: (transfer none) (nullable): what the biases and distances of its rules are in, for another attention with these rules
 */
GBytes *
hl_attention_get_bias_bytes (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return self->bias;
}

/**
 * hl_attention_get_layer_types: (skip)
 * @self: an attention
 *
 * Returns: (transfer none) (nullable): of each layer, or of the first layers, hl_attention_get_layer_type()
 */
const char *const *
hl_attention_get_layer_types (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return (const char *const *) self->layer_types;
}

/**
 * hl_attention_get_modules: (skip)
 * @self: an attention
 *
 * Returns: (transfer none) (nullable): likewise hl_attention_get_module()
 */
const char *const *
hl_attention_get_modules (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return (const char *const *) self->modules;
}

/**
 * hl_attention_get_cells: (skip)
 * @self: an attention
 *
 * Returns: (transfer none) (nullable): which single keys a query cannot see, besides those that the rules' masks tell
 */
HlCellMask *
hl_attention_get_cells (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return self->cells;
}

static const char *
get_of_layer (HlAttention *self,
              char       **strings,
              guint        layer)
{
  const char *string = strings != NULL && layer < self->n_layers ? strings[layer] : NULL;

  return string != NULL && *string != '\0' ? string : NULL;
}

/**
 * hl_attention_get_layer_type:
 * @self: an attention
 * @layer: a layer
 *
 * Returns: (transfer none) (nullable): what the file calls the attention of the layer, such as `sliding_attention`
 */
const char *
hl_attention_get_layer_type (HlAttention *self,
                             guint        layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return get_of_layer (self, self->layer_types, layer);
}

/**
 * hl_attention_get_module:
 * @self: an attention
 * @layer: a layer
 *
 * Returns: (transfer none) (nullable): the name of the module that the layer's attention is, such as `model.layers.0.self_attn`
 */
const char *
hl_attention_get_module (HlAttention *self,
                         guint        layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return get_of_layer (self, self->modules, layer);
}

/**
 * hl_attention_get_tokens:
 * @self: an attention
 * @side: queries or keys
 *
 * Returns: (transfer none): as many strings as there are queries or keys: tokens as the tokenizer spells them, positions
 *   where there are none
 */
const char *const *
hl_attention_get_tokens (HlAttention *self,
                         HlSide       side)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return hl_token_strings_get (self->tokens[side].strings);
}

/**
 * hl_attention_has_tokens:
 * @self: an attention
 * @side: queries or keys
 *
 * Returns: whether the file names the tokens of that side
 */
gboolean
hl_attention_has_tokens (HlAttention *self,
                         HlSide       side)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), FALSE);

  return self->tokens[side].n_known > 0;
}

/**
 * hl_attention_knows_token: (skip)
 * @self: an attention
 * @side: queries or keys
 * @index: a query or key
 *
 * Returns: whether the file names that token: it may have fewer tokens than there are positions
 */
gboolean
hl_attention_knows_token (HlAttention *self,
                          HlSide       side,
                          gsize        index)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), FALSE);
  g_return_val_if_fail (index < self->tokens[side].n, FALSE);

  return hl_attention_tokens_knows (&self->tokens[side], index);
}

/**
 * hl_attention_get_texts:
 * @self: an attention
 * @side: queries or keys
 *
 * Returns: (transfer none): as many strings: what people read in place of hl_attention_get_tokens(), see
 *   hl_token_text_make_labels()
 */
const char *const *
hl_attention_get_texts (HlAttention *self,
                        HlSide       side)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return hl_token_strings_get (self->tokens[side].texts);
}

/**
 * hl_attention_get_strings: (skip)
 * @self: an attention
 * @side: queries or keys
 *
 * Returns: (transfer none): hl_attention_get_tokens(), to be kept longer than the attention
 */
HlTokenStrings *
hl_attention_get_strings (HlAttention *self,
                          HlSide       side)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return self->tokens[side].strings;
}

/**
 * hl_attention_get_map: (skip)
 * @self: an attention
 * @side: queries or keys
 *
 * Returns: (transfer none) (nullable): which tokens of the attention of the document each query or key stands for, in a
 *   difference those of the first side; %NULL where each is a token by itself
 */
HlTokenMap *
hl_attention_get_map (HlAttention *self,
                      HlSide       side)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return self->tokens[side].map;
}

/**
 * hl_attention_get_times: (skip)
 * @self: an attention
 * @side: of queries or keys
 *
 * Returns: (transfer none) (nullable): when each token of the side is, by its position, see hl_attention_get_position(); %NULL of a text,
 *   and where nobody said it
 */
HlTokenTimes *
hl_attention_get_times (HlAttention *self,
                        HlSide       side)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return self->tokens[side].times;
}

/**
 * hl_attention_dup_time: (skip)
 * @self: an attention
 * @side: queries or keys
 * @index: a query or key
 *
 * Returns: (transfer full) (nullable): when it is, as “0.42–0.44 s”: from where the first of its tokens begins until the last of
 *   them ends; %NULL where nobody said it, and where its text says it
 */
char *
hl_attention_dup_time (HlAttention *self,
                       HlSide       side,
                       gsize        index)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);
  g_return_val_if_fail (index < self->tokens[side].n, NULL);

  return hl_attention_tokens_dup_time (&self->tokens[side], index);
}

/**
 * hl_attention_get_picture: (skip)
 * @self: an attention
 * @side: queries or keys
 *
 * Returns: (transfer none) (nullable): the images that tokens of that side stand for parts of, by their position, see
 *   hl_attention_get_position()
 */
HlPicture *
hl_attention_get_picture (HlAttention *self,
                          HlSide       side)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), NULL);

  return self->tokens[side].picture;
}

/**
 * hl_attention_find_patch: (skip)
 * @self: an attention
 * @side: queries or keys
 * @index: a query or key
 * @patch: (out): what it stands for, of hl_attention_get_picture()
 *
 * Returns: whether it is one token that stands for a part of an image
 */
gboolean
hl_attention_find_patch (HlAttention    *self,
                         HlSide          side,
                         gsize           index,
                         HlPicturePatch *patch)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), FALSE);
  g_return_val_if_fail (index < self->tokens[side].n, FALSE);

  return hl_attention_tokens_find_patch (&self->tokens[side], index, patch);
}

/**
 * hl_attention_get_position:
 * @self: an attention
 * @side: queries or keys
 * @index: a query or key
 *
 * Returns: the position of its first token in the text: what people are told when others are hidden or put together
 */
gsize
hl_attention_get_position (HlAttention *self,
                           HlSide       side,
                           gsize        index)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), 0);
  g_return_val_if_fail (index < self->tokens[side].n, 0);

  return hl_attention_tokens_get_span (&self->tokens[side], index).first;
}

/**
 * hl_attention_has_same_tokens:
 * @self: an attention
 *
 * Returns: whether its queries and its keys are the same text, padding too, so that what is made of the tokens of one
 *   side is that of the other
 */
gboolean
hl_attention_has_same_tokens (HlAttention *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), FALSE);

  const HlAttentionTokens *queries = &self->tokens[HL_QUERIES], *keys = &self->tokens[HL_KEYS];
  return queries->n_used == keys->n_used && hl_token_strings_equal (queries->strings, keys->strings);
}

/**
 * hl_attention_find_query_of_key:
 * @self: an attention of a document
 * @key: a key
 * @query: (out): the query that is the same token
 *
 * In self-attention every query is also a key; where there are fewer queries, those before them were computed earlier,
 * and the last query stands at the last key.
 *
 * Returns: whether there is one
 */
gboolean
hl_attention_find_query_of_key (HlAttention *self,
                                gsize        key,
                                gsize       *query)
{
  g_return_val_if_fail (HL_IS_ATTENTION (self), FALSE);
  g_return_val_if_fail (query != NULL, FALSE);

  const HlAttentionTokens *queries = &self->tokens[HL_QUERIES], *keys = &self->tokens[HL_KEYS];
  if (self->kind == HL_ATTENTION_CROSS || key >= keys->n)
    return FALSE;
  const gint64 shift = self->rules[0].mask.shift;
  const gint64 first = (gint64) keys->n - (gint64) queries->n + shift;
  if ((queries->n > keys->n && shift == 0) || (gint64) key < first || (gint64) key - first >= (gint64) queries->n)
    return FALSE;
  *query = (gsize) ((gint64) key - first);
  return !hl_attention_tokens_knows (queries, *query) || !hl_attention_tokens_knows (keys, key) ||
         g_str_equal (hl_token_strings_get (queries->strings)[*query], hl_token_strings_get (keys->strings)[key]);
}

/* An attention without numbers of its own: what attends to what in maps that are made of those of another attention. */

/**
 * hl_derived_attention_init: (skip)
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
    .sentence_b_start = attention->sentence_b_start,
    .is_transposed = attention->is_transposed,
  };
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    hl_attention_tokens_copy (&attention->tokens[side], &self->tokens[side]);
  for (guint i = 0; i < attention->n_layers; i++)
    self->masks[i] = attention->rules[i].mask;
}

/**
 * hl_derived_attention_clear: (skip)
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
 * hl_derived_attention_clear_tokens: (skip)
 * @self: what a derived attention is to be made of
 *
 * Forgets the tokens of the attention that it began with, for others to take their place.
 */
void
hl_derived_attention_clear_tokens (HlDerivedAttention *self)
{
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    hl_attention_tokens_clear (&self->tokens[side]);
}

/**
 * hl_attention_new_derived: (skip)
 * @init: what the attention is made of
 *
 * Makes an attention that has layers, heads and tokens, but no tensors: hl_attention_get_weights(),
 * hl_attention_get_projection() and their like give %NULL for every layer, so that how its weights are made is not known.
 * Of the rule of a layer only the mask means anything.
 *
 * Returns: (transfer full): an attention
 */
HlAttention *
hl_attention_new_derived (const HlDerivedAttention *init)
{
  g_return_val_if_fail (init->n_layers > 0, NULL);
  g_return_val_if_fail (init->tokens[HL_QUERIES].n > 0 && init->tokens[HL_KEYS].n > 0, NULL);

  HlAttention *self = g_object_new (HL_TYPE_ATTENTION, NULL);
  self->kind = init->kind;
  self->n_layers = init->n_layers;
  self->n_heads = g_memdup2 (init->n_heads, init->n_layers * sizeof (guint));
  self->layer_name = init->layer_name;
  self->head_name = init->head_name;
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      hl_attention_tokens_copy (&init->tokens[side], &self->tokens[side]);
      self->tokens[side].n_used = MIN (init->tokens[side].n_used, init->tokens[side].n);
    }
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
