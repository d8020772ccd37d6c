/* SPDX-License-Identifier: MIT */
/* A stack of layers: its tensors found by the names of its family, and their shapes checked. */
#include "core/model/hl-stack.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/model/hl-stack-config.h"
#include "core/model/layer/hl-head-columns.h"
#include "core/model/layer/hl-head-rows.h"
#include "core/model/layer/hl-norm-load.h"

/* Weights of this many numbers, 64 MB, are worth keeping twice. Larger models gain less, and take it from memory that others need. */
#define MAX_KEPT (1u << 24)

/* What is needed while a stack is put together. */
typedef struct
{
  HlStack *stack;
  const HlStackNames *names;
  HlModelConfig *config;
  HlWeights *weights;
  gboolean norm_before;
  gboolean norm_bias;
  gboolean qkv_bias;
  gboolean output_bias;
  gboolean feed_forward_bias;
  gboolean feed_forward_output_bias;
  gboolean head_norm;
  gboolean keep_panels;
} Loader;

/* The sizes that the weights of a layer have, of layers with weights of their own. */
static const HlLayerShape *
get_shape (const HlStack *stack,
           guint          layer)
{
  return &stack->shapes[(guint64) layer * stack->n_layers / stack->n_own_layers];
}

/* The start of a layer's names; ALBERT has two numbers in it, the second 0. */
static char *
make_path (Loader     *self,
           guint       layer,
           const char *name)
{
  g_autoptr (GString) path = g_string_new (NULL);

  g_string_append (path, self->names->layer);
  g_autofree char *number = g_strdup_printf ("%u", layer);
  const gsize at = (gsize) (strstr (path->str, "%u") - path->str);
  g_string_erase (path, (gssize) at, 2);
  g_string_insert (path, (gssize) at, number);
  g_string_replace (path, "%u", "0", 0);
  g_string_append (path, name);
  return g_string_free (g_steal_pointer (&path), FALSE);
}

/* The start of the first of several names that the file has; %NULL when it has none and the last of them is empty. */
static char *
find_path (Loader     *self,
           guint       layer,
           const char *names)
{
  g_auto (GStrv) list = g_strsplit (names, "|", -1);
  char **name = list;

  for (; name[1] != NULL; name++)
    {
      g_autofree char *path = make_path (self, layer, *name);
      g_autofree char *weight = g_strconcat (path, ".weight", NULL);

      if (hl_weights_has (self->weights, weight))
        return g_steal_pointer (&path);
    }
  return **name != '\0' ? make_path (self, layer, *name) : NULL;
}

/* A norm that files have nothing of. */
static void
make_bare_norm (const HlStack *stack,
                gsize          width,
                HlNorm        *norm)
{
  norm->centre = !stack->family->rms;
  norm->epsilon = stack->epsilon;
  norm->weight = g_new (float, width);
  for (gsize i = 0; i < width; i++)
    norm->weight[i] = 1;
}

static gboolean
load_norm (Loader     *self,
           const char *name,
           gsize       width,
           gboolean    has_bias,
           HlNorm     *norm,
           GError    **error)
{
  const HlFamily *family = self->stack->family;

  norm->centre = !family->rms;
  norm->epsilon = self->stack->epsilon;
  if (family->norm_plain)
    {
      make_bare_norm (self->stack, width, norm);
      return TRUE;
    }
  if (!hl_norm_load (norm, self->weights, name, width, has_bias, error))
    return FALSE;
  for (gsize i = 0; family->plus_one && i < width; i++)
    norm->weight[i] += 1;
  return TRUE;
}

static gboolean
load_layer_norm (Loader     *self,
                 guint       layer,
                 const char *name,
                 gsize       width,
                 HlNorm     *norm,
                 GError    **error)
{
  if (name == NULL)
    return TRUE;
  g_autofree char *path = find_path (self, layer, name);
  return path == NULL || load_norm (self, path, width, self->norm_bias, norm, error);
}

/* A small matrix as it lies in the file. */
static float *
read_rows (HlWeights  *weights,
           const char *name,
           gsize       n_rows,
           gsize       width,
           GError    **error)
{
  const guint64 start[2] = { 0, 0 }, dims[2] = { n_rows, width };
  g_autoptr (HlTensor) tensor = hl_weights_get (weights, name, 2, dims, error);

  if (tensor == NULL)
    return NULL;
  g_autofree float *numbers = g_new (float, n_rows *width);
  return hl_tensor_read_f32 (tensor, start, dims, numbers, NULL, error) ? g_steal_pointer (&numbers) : NULL;
}

/* That of queries or keys. */
static gboolean
load_head_norm (Loader     *self,
                guint       layer,
                const char *name,
                gsize       size,
                guint       n_heads,
                HlNorm     *norm,
                GError    **error)
{
  const HlFamily *family = self->stack->family;
  const gboolean has_bias = self->norm_bias && !family->head_norm_plain;

  if (!self->head_norm)
    return TRUE;
  if (family->head_norm_bare)
    {
      if (get_shape (self->stack, layer)->rope != HL_LAYER_ROPE_NONE)
        make_bare_norm (self->stack, size, norm);
      return TRUE;
    }
  g_autofree char *path = make_path (self, layer, name);
  if (family->head_norm_kind != HL_HEAD_NORM_OWN)
    return load_norm (self, path, family->head_norm_kind == HL_HEAD_NORM_WIDE ? n_heads * size : size, has_bias, norm,
                      error);
  norm->centre = !family->rms;
  norm->epsilon = self->stack->epsilon;
  if (strstr (name, "%u") == NULL)
    {
      g_autofree char *weight = g_strconcat (path, ".weight", NULL);

      norm->weight = read_rows (self->weights, weight, n_heads, size, error);
      return norm->weight != NULL;
    }
  norm->weight = g_new (float, n_heads *size);
  norm->bias = has_bias ? g_new (float, n_heads *size) : NULL;
  for (guint head = 0; head < n_heads; head++)
    {
      g_autofree char *number = g_strdup_printf ("%u", head);
      g_autoptr (GString) own_path = g_string_new (path);
      HlNorm own = { 0 };

      g_string_replace (own_path, "%u", number, 0);
      const gboolean loaded = load_norm (self, own_path->str, size, has_bias, &own, error);
      if (loaded)
        memcpy (norm->weight + head * size, own.weight, size * sizeof (float));
      if (loaded && has_bias)
        memcpy (norm->bias + head * size, own.bias, size * sizeof (float));
      hl_norm_clear (&own);
      if (!loaded)
        return FALSE;
    }
  return TRUE;
}

/* The norms around a sublayer. */
static gboolean
load_norms (Loader     *self,
            guint       layer,
            const char *before_name,
            const char *inner_name,
            const char *after_name,
            HlNorm     *before,
            HlNorm     *inner,
            HlNorm     *after,
            GError    **error)
{
  const gsize width = self->stack->width;

  return load_layer_norm (self, layer, before_name, width, self->norm_before ? before : after, error) &&
         load_layer_norm (self, layer, inner_name, width, inner, error) &&
         load_layer_norm (self, layer, after_name, width, after, error);
}

static gboolean
load_linear (Loader     *self,
             guint       layer,
             const char *name,
             gsize       n_in,
             gsize       n_out,
             gboolean    has_bias,
             HlLinear   *linear,
             GError    **error)
{
  g_autofree char *path = make_path (self, layer, name);

  if (self->keep_panels)
    hl_linear_keep_panels (linear);
  return hl_linear_load (linear, self->weights, path, n_in, n_out, self->stack->family->transposed, has_bias, error);
}

/* Puts the biases of several products, whose results lie beside one another, into one vector; zeros of those that have none. */
static float *
join_biases (HlLinear *const *parts,
             guint            n_parts)
{
  gsize size = 0;

  for (guint i = 0; i < n_parts; i++)
    size += parts[i]->n_out;
  float *all = g_new0 (float, size);
  float *at = all;
  for (guint i = 0; i < n_parts; i++)
    {
      if (parts[i]->bias != NULL)
        memcpy (at, parts[i]->bias, parts[i]->n_out * sizeof (float));
      at += parts[i]->n_out;
    }
  return all;
}

/* Puts features that are stored in pairs into halves, as queries and keys are. */
static void
order_features (float *features,
                gsize  size)
{
  g_autofree float *stored = g_memdup2 (features, size * sizeof *features);

  for (gsize k = 0; k < size; k++)
    features[k] = stored[hl_head_columns_find_stored (k, size)];
}

/* What is added with a sublayer's result is multiplied as that is. */
static void
scale_bias (const HlStack *stack,
            const float   *scale,
            HlLinear      *linear)
{
  for (gsize i = 0; linear->bias != NULL && i < linear->n_out; i++)
    linear->bias[i] *= stack->residual_scale * (scale != NULL ? scale[i] : 1);
}

/* What each feature of a sublayer's result is multiplied by, if it is. */
static gboolean
load_scale (Loader     *self,
            guint       layer,
            const char *name,
            float     **scale,
            GError    **error)
{
  if (name == NULL)
    return TRUE;
  g_autofree char *path = make_path (self, layer, name);
  *scale = hl_weights_get_vector (self->weights, path, self->stack->width, error);
  return *scale != NULL;
}

static gboolean
load_sinks (Loader              *self,
            guint                layer,
            const char          *name,
            guint                n_heads,
            HlAttentionSublayer *attention,
            GError             **error)
{
  g_autofree char *path = make_path (self, layer, name);

  attention->sinks = hl_weights_get_vector (self->weights, path, n_heads, error);
  if (attention->sinks == NULL)
    return FALSE;
  for (guint head = 0; head < n_heads; head++)
    if (!isfinite (attention->sinks[head]))
      {
        g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("a number of tensor “%s” is NaN or infinite"), path);
        return FALSE;
      }
  return TRUE;
}

/* What makes queries and keys of distances, where that is not what makes those of tokens. */
static gboolean
load_distance_parts (Loader                 *self,
                     guint                   layer,
                     const HlAttentionNames *names,
                     HlAttentionSublayer    *attention,
                     GError                **error)
{
  const HlStack *stack = self->stack;
  const HlDistanceParts *parts = &stack->distances->parts;
  const HlLayerShape *shape = get_shape (stack, layer);
  const gsize width = shape->n_heads * shape->head_size;

  return (!parts->has_queries || load_linear (self, layer, names->distance_query, stack->width, width, TRUE,
                                              &attention->distance_query, error)) &&
         (!parts->has_keys ||
          load_linear (self, layer, names->distance_key, stack->width, width, TRUE, &attention->distance_key, error));
}

static gboolean
load_attention (Loader                 *self,
                guint                   layer,
                const HlAttentionNames *names,
                HlAttentionSublayer    *attention,
                GError                **error)
{
  HlStack *stack = self->stack;
  const HlLayerShape *shape = get_shape (stack, layer);
  const gsize query_width = shape->n_heads * shape->head_size * (shape->gated ? 2 : 1);
  const gsize key_width = shape->n_key_heads * shape->head_size;
  const gsize value_width = shape->n_key_heads * shape->value_size;
  const gboolean first = layer == 0 && stack->family->no_first_norm;

  if (names == &self->names->attention && self->names->latent.key_down != NULL)
    {
      g_autofree char *path = make_path (self, layer, "");

      attention->latent =
        hl_latent_load (self->weights, self->config, &self->names->latent, path, shape, stack->width, error);
      if (attention->latent == NULL)
        return FALSE;
    }
  else if (names->fused != NULL)
    {
      if (!load_linear (self, layer, names->fused, stack->width, query_width + key_width + value_width, self->qkv_bias,
                        &attention->query, error))
        return FALSE;
      attention->bias = g_steal_pointer (&attention->query.bias);
    }
  else
    {
      HlLinear *const parts[] = { &attention->query, &attention->key, &attention->value };

      const char *value = shape->keys_are_values ? names->key : names->value;

      if (!load_linear (self, layer, names->query, stack->width, query_width, self->qkv_bias, parts[0], error) ||
          (!shape->borrows &&
           (!load_linear (self, layer, names->key, stack->width, key_width,
                          self->qkv_bias && !stack->family->unbiased_keys, parts[1], error) ||
            !load_linear (self, layer, value, stack->width, value_width, self->qkv_bias, parts[2], error))))
        return FALSE;
      if (self->qkv_bias)
        attention->bias = join_biases (parts, shape->borrows ? 1 : G_N_ELEMENTS (parts));
      const guint n_ordered = shape->n_heads + (shape->borrows ? 0 : shape->n_key_heads);
      for (guint head = 0; self->qkv_bias && stack->family->permuted && head < n_ordered; head++)
        order_features (attention->bias + head * shape->head_size, shape->head_size);
    }
  if (!load_linear (self, layer, names->output, shape->n_heads * shape->value_size, stack->width, self->output_bias,
                    &attention->output, error) ||
      !load_scale (self, layer, names->scale, &attention->scale, error))
    return FALSE;
  scale_bias (stack, attention->scale, &attention->output);
  attention->output_rows = hl_head_rows_new (attention->output.tensor, attention->output.transposed, shape->n_heads,
                                             stack->residual_scale, attention->scale);
  if (stack->family->value_norm)
    make_bare_norm (stack, shape->value_size, &attention->value_norm);
  if (names->sinks != NULL && !load_sinks (self, layer, names->sinks, shape->n_heads, attention, error))
    return FALSE;
  if (stack->distances != NULL && !stack->distances->parts.shared &&
      !load_distance_parts (self, layer, names, attention, error))
    return FALSE;
  return load_head_norm (self, layer, names->query_norm, shape->head_size, shape->n_heads, &attention->query_norm,
                         error) &&
         (shape->borrows || load_head_norm (self, layer, names->key_norm, shape->head_size, shape->n_key_heads,
                                            &attention->key_norm, error)) &&
         load_norms (self, layer, first ? NULL : names->before, names->inner, names->after, &attention->before,
                     &attention->inner, &attention->after, error);
}

/* What some models do to all that leaves a layer. */
static gboolean
load_finish (Loader  *self,
             guint    number,
             HlLayer *layer,
             GError **error)
{
  const HlStack *stack = self->stack;
  g_autofree char *path = make_path (self, number, "");

  layer->factor = 1;
  if (self->names->factor != NULL)
    {
      g_autofree char *name = g_strconcat (path, self->names->factor, NULL);
      g_autofree float *factor = hl_weights_get_vector (self->weights, name, 1, error);

      if (factor == NULL)
        return FALSE;
      layer->factor = *factor;
    }
  return stack->inputs.words == NULL || hl_layer_input_load (&layer->input, self->weights, &self->names->inputs, path,
                                                             stack->inputs.size, stack->width, stack->epsilon, error);
}

/* What a layer has in place of attention, with the norms around it. */
static gboolean
load_delta (Loader  *self,
            guint    number,
            HlLayer *layer,
            GError **error)
{
  const HlStack *stack = self->stack;
  const HlAttentionNames *names = &self->names->attention;
  HlAttentionSublayer *attention = &layer->attention;
  g_autofree char *path = make_path (self, number, "");

  layer->delta = hl_delta_net_load (self->weights, self->config, &self->names->delta, path, stack->width,
                                    stack->activation, stack->epsilon, error);
  return layer->delta != NULL && load_norms (self, number, names->before, names->inner, names->after,
                                             &attention->before, &attention->inner, &attention->after, error);
}

static gboolean
load_feed_forward (Loader        *self,
                   guint          layer,
                   HlFeedForward *feed_forward,
                   HlExperts    **experts,
                   GError       **error)
{
  HlStack *stack = self->stack;
  const HlFeedForwardNames *names = &self->names->feed_forward;
  const char *in = !stack->gated && names->plain != NULL ? names->plain : names->in;
  const gboolean has_gate = stack->gated && names->gate != NULL;
  const gsize inner = get_shape (stack, layer)->inner_width;
  const gsize in_width = stack->gated && !has_gate ? 2 * inner : inner;

  g_autofree char *path = make_path (self, layer, "");
  g_autofree char *router =
    self->names->experts.router != NULL ? g_strconcat (path, self->names->experts.router, ".weight", NULL) : NULL;

  if (router != NULL && hl_weights_has (self->weights, router))
    {
      *experts = hl_experts_load (self->weights, self->config, stack->family, &self->names->experts, path, stack->width,
                                  stack->activation, self->keep_panels, error);
      return *experts != NULL && load_norms (self, layer, names->before, names->inner, names->after,
                                             &feed_forward->before, &feed_forward->inner, &feed_forward->after, error);
    }
  feed_forward->inner_width = inner;
  feed_forward->gated = stack->gated;
  feed_forward->activation = stack->activation;
  if ((has_gate && !load_linear (self, layer, names->gate, stack->width, inner, self->feed_forward_bias,
                                 &feed_forward->gate, error)) ||
      !load_linear (self, layer, in, stack->width, in_width, self->feed_forward_bias, &feed_forward->in, error) ||
      !load_linear (self, layer, names->out, inner, stack->width, self->feed_forward_output_bias, &feed_forward->out,
                    error) ||
      !load_scale (self, layer, names->scale, &feed_forward->scale, error))
    return FALSE;
  scale_bias (stack, feed_forward->scale, &feed_forward->out);
  if (self->feed_forward_bias && has_gate)
    {
      HlLinear *const parts[] = { &feed_forward->gate, &feed_forward->in };
      feed_forward->bias = join_biases (parts, G_N_ELEMENTS (parts));
    }
  else
    {
      feed_forward->bias = g_steal_pointer (&feed_forward->in.bias);
    }
  return load_norms (self, layer, names->before, names->inner, names->after, &feed_forward->before,
                     &feed_forward->inner, &feed_forward->after, error);
}

/* A table of embeddings: as wide as it has to be, with at least one row. */
static HlTensor *
load_table (Loader            *self,
            const char *const *names,
            gsize              width,
            GError           **error)
{
  g_autoptr (HlTensor) tensor = hl_weights_find (self->weights, names, error);

  if (tensor == NULL)
    return NULL;
  const HlShape *shape = hl_tensor_get_shape (tensor);
  if (shape->rank != 2 || shape->dims[1] != width || shape->dims[0] == 0)
    {
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("tensor “%s” is %s; rows of %zu numbers are needed"), names[0],
                   sizes, width);
      return NULL;
    }
  return g_steal_pointer (&tensor);
}

static gboolean
load_positions (Loader  *self,
                GError **error)
{
  HlStack *stack = self->stack;
  guint64 max_length;

  if (stack->position_kind == HL_POSITIONS_LEARNED || stack->position_kind == HL_POSITIONS_AFTER_PADDING)
    {
      g_autofree char *name = g_strconcat (self->names->positions, ".weight", NULL);
      const char *const names[] = { name, NULL };
      /* Without a norm of their sum, words are projected first. */
      const gsize width = self->names->embedding_norm != NULL ? stack->embedding_width : stack->width;
      const guint64 offset = stack->position_kind == HL_POSITIONS_AFTER_PADDING ? stack->padding_id + 1
                                                                                : stack->family->position_offset;

      stack->positions = load_table (self, names, width, error);
      if (stack->positions == NULL)
        return FALSE;
      const guint64 n_rows = hl_tensor_get_shape (stack->positions)->dims[0];
      if (n_rows <= offset)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("tensor “%s” has no row for the first token"), name);
          return FALSE;
        }
      stack->max_length = n_rows - offset;
      return TRUE;
    }
  /* T5 and others without a table take texts of any length; what config.json says is what they were trained on. */
  if (!hl_model_config_read_size (self->config, "max_position_embeddings", 0, &max_length, error))
    return FALSE;
  stack->max_length = max_length;
  return TRUE;
}

/* What takes pixels; a norm of the embeddings may follow. */
static gboolean
load_patches (Loader  *self,
              GError **error)
{
  HlStack *stack = self->stack;
  const char *norm = self->names->embedding_norm;

  stack->patches = hl_patches_load (self->weights, self->config, stack->family, stack->width, error);
  return stack->patches != NULL &&
         (norm == NULL || load_norm (self, norm, stack->width, self->norm_bias, &stack->embedding_norm, error));
}

static gboolean
load_embedding_norm (Loader  *self,
                     GError **error)
{
  const char *name = self->names->embedding_norm;
  g_autofree char *own = g_strndup (name, strcspn (name, "|"));
  g_autofree char *weight = g_strconcat (own, ".weight", NULL);

  if (strchr (name, '|') != NULL && !hl_weights_has (self->weights, weight))
    return TRUE;
  return load_norm (self, own, self->stack->embedding_width, self->norm_bias, &self->stack->embedding_norm, error);
}

static gboolean
load_embeddings (Loader  *self,
                 GError **error)
{
  HlStack *stack = self->stack;
  const HlStackNames *names = self->names;
  guint64 n_texts;

  if (names->patches.projection != NULL)
    return load_patches (self, error);
  stack->words = load_table (self, names->words, stack->embedding_width, error);
  if (stack->words == NULL || !load_positions (self, error))
    return FALSE;
  if (hl_tensor_get_shape (stack->words)->dims[0] < stack->vocabulary_size)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("tensor “%s” has %" PRIu64 " rows for a vocabulary of %zu"),
                   names->words[0], hl_tensor_get_shape (stack->words)->dims[0], stack->vocabulary_size);
      return FALSE;
    }
  if (!hl_model_config_read_size (self->config, "type_vocab_size", 2, &n_texts, error))
    return FALSE;
  if (names->segments != NULL && n_texts > 0)
    {
      g_autofree char *name = g_strconcat (names->segments, ".weight", NULL);
      stack->segments = load_table (self, (const char *const[]){ name, NULL }, stack->embedding_width, error);
      if (stack->segments == NULL)
        return FALSE;
      stack->n_segments = hl_tensor_get_shape (stack->segments)->dims[0];
    }
  if (names->embedding_norm != NULL && !load_embedding_norm (self, error))
    return FALSE;
  return names->projection == NULL || stack->embedding_width == stack->width ||
         hl_linear_load (&stack->projection, self->weights, names->projection, stack->embedding_width, stack->width,
                         FALSE, stack->family->projection_bias, error);
}

static gboolean
load_relative_bias (Loader  *self,
                    GError **error)
{
  HlStack *stack = self->stack;
  g_autoptr (GPtrArray) tables = g_ptr_array_new_with_free_func (g_object_unref);
  guint64 n_buckets, max_distance;

  if (self->names->relative_bias == NULL)
    return TRUE;
  if (!hl_model_config_read_size (self->config, "relative_attention_num_buckets", 32, &n_buckets, error) ||
      !hl_model_config_read_size (self->config, "relative_attention_max_distance", 128, &max_distance, error))
    return FALSE;
  if (n_buckets < 4 || max_distance <= n_buckets / 2)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in config.json does not fit “%s”"),
                   "relative_attention_max_distance", "relative_attention_num_buckets");
      return FALSE;
    }
  const guint64 start[2] = { 0, 0 }, dims[2] = { n_buckets, stack->shapes[0].n_heads };
  stack->n_buckets = (guint) n_buckets;
  stack->max_distance = (guint) max_distance;
  stack->n_biases = strstr (self->names->relative_bias, "%u") != NULL ? stack->n_layers : 1;
  for (guint i = 0; i < stack->n_biases; i++)
    {
      g_autofree char *number = g_strdup_printf ("%u", i);
      g_autoptr (GString) name = g_string_new (self->names->relative_bias);
      g_string_replace (name, "%u", number, 0);
      g_string_append (name, ".weight");
      HlTensor *tensor = hl_weights_get (self->weights, name->str, 2, dims, error);
      if (tensor == NULL)
        return FALSE;
      g_ptr_array_add (tables, tensor);
    }
  /* How many there are, and how large, is what config.json says until all tensors are found. */
  stack->relative_bias = g_try_new (float, stack->n_biases *n_buckets *dims[1]);
  if (stack->relative_bias == NULL)
    return hl_error_set_no_memory (error);
  for (guint i = 0; i < stack->n_biases; i++)
    if (!hl_tensor_read_f32 (tables->pdata[i], start, dims, stack->relative_bias + i * n_buckets * dims[1], NULL,
                             error))
      return FALSE;
  return TRUE;
}

/* What has to do with neighbours and distances besides. */
static gboolean
load_distances (Loader  *self,
                GError **error)
{
  HlStack *stack = self->stack;
  const HlStackNames *names = self->names;
  HlDistanceParts parts = { 0 };
  gboolean relative;
  guint64 n_taps;

  if (!hl_model_config_read_boolean (self->config, "relative_attention", FALSE, &relative, error) ||
      !hl_model_config_read_size (self->config, "conv_kernel_size", 0, &n_taps, error))
    return FALSE;
  if (names->distances != NULL && relative && !hl_distance_parts_read (&parts, self->config, error))
    return FALSE;
  if (parts.has_keys || parts.has_queries)
    {
      stack->distances = hl_distance_table_load (self->weights, self->config, names->distances, names->distance_norm,
                                                 stack->width, stack->epsilon, error);
      if (stack->distances == NULL)
        return FALSE;
    }
  if (names->convolution != NULL && n_taps > 0)
    {
      stack->convolution = hl_convolution_load (self->weights, self->config, names->convolution,
                                                names->convolution_norm, stack->width, stack->epsilon, error);
      if (stack->convolution == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Numbers in the matrices of all layers. */
static gboolean
count_weights (Loader  *self,
               double  *n_weights,
               GError **error)
{
  const HlStack *stack = self->stack;
  guint64 n_experts = 1;

  if (self->names->experts.router != NULL &&
      (!hl_model_config_read_size (self->config, HL_CONFIG_EXPERTS, HL_CONFIG_REQUIRED, &n_experts, error) ||
       !hl_model_config_check_size ("num_hidden_layers × num_experts", stack->n_own_layers * n_experts,
                                    HL_LIMIT_ALL_EXPERTS, error)))
    return FALSE;
  *n_weights = 0;
  for (guint i = 0; i < stack->n_own_layers; i++)
    {
      const HlLayerShape *shape = get_shape (stack, i);
      const double attention = (double) (shape->n_heads + shape->n_key_heads) *
                               (double) (shape->head_size + shape->value_size);

      *n_weights += (double) stack->width *
                    (attention * (stack->has_cross ? 2 : 1) +
                     (double) n_experts * (stack->gated ? 3.0 : 2.0) * (double) shape->inner_width);
    }
  return TRUE;
}

static gboolean
load_layers (Loader  *self,
             GError **error)
{
  HlStack *stack = self->stack;
  double n_weights;

  if (!count_weights (self, &n_weights, error))
    return FALSE;
  self->keep_panels = n_weights <= MAX_KEPT;
  stack->layers = g_new0 (HlLayer, stack->n_own_layers);
  for (guint i = 0; i < stack->n_own_layers; i++)
    {
      HlLayer *layer = &stack->layers[i];

      if (!(get_shape (stack, i)->kind == HL_LAYER_DELTA
              ? load_delta (self, i, layer, error)
              : load_attention (self, i, &self->names->attention, &layer->attention, error)) ||
          (stack->has_cross && !load_attention (self, i, &self->names->cross, &layer->cross, error)) ||
          !load_feed_forward (self, i, &layer->feed_forward, &layer->experts, error) ||
          !load_finish (self, i, layer, error))
        return FALSE;
    }
  return TRUE;
}

/* Of what ends the feed-forward layer. */
static gboolean
read_output_bias (Loader  *self,
                  GError **error)
{
  const char *key = self->stack->family->feed_forward_output_bias;

  self->feed_forward_output_bias = self->feed_forward_bias;
  return key == NULL || hl_model_config_read_boolean (self->config, key, self->feed_forward_bias,
                                                      &self->feed_forward_output_bias, error);
}

/* Where keys have no bias, whether values have one is said by itself: the switch of queries counts for both here. */
static gboolean
check_value_bias (const Loader *self,
                  GError      **error)
{
  gboolean has_bias = self->qkv_bias;

  if (self->stack->family->unbiased_keys &&
      !hl_model_config_read_boolean (self->config, "value_bias", TRUE, &has_bias, error))
    return FALSE;
  if (has_bias == self->qkv_bias)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("“%s” in config.json does not fit “%s”"), "value_bias",
               "query_bias");
  return FALSE;
}

/* Finds all tensors of a stack and checks that they have the shapes that the configuration gives them. Only vectors
 * are read. */
HlStack *
hl_stack_load (const HlFamily *family,
               HlStackPart     part,
               HlModelConfig  *config,
               HlWeights      *weights,
               GError        **error)
{
  g_autoptr (HlStack) stack = g_new0 (HlStack, 1);
  Loader loader = {
    .stack = stack,
    .names = part == HL_STACK_DECODER ? &family->decoder : &family->stack,
    .config = config,
    .weights = weights,
  };
  double epsilon;
  gboolean no_final_norm;

  stack->family = family;
  stack->causal = part == HL_STACK_WHOLE ? family->causal : part == HL_STACK_DECODER;
  stack->has_cross = part == HL_STACK_DECODER;
  if (part == HL_STACK_WHOLE && !stack->causal && !hl_switch_read (&family->causal_when, config, &stack->causal, error))
    return NULL;
  if (!hl_stack_read_config (stack, part, config, &epsilon, error) ||
      !hl_switch_read (&family->norm_before, config, &loader.norm_before, error) ||
      !hl_switch_read (&family->norm_bias, config, &loader.norm_bias, error) ||
      !hl_switch_read (&family->qkv_bias, config, &loader.qkv_bias, error) ||
      !hl_switch_read (&family->output_bias, config, &loader.output_bias, error) ||
      !hl_switch_read (&family->feed_forward_bias, config, &loader.feed_forward_bias, error) ||
      !read_output_bias (&loader, error) || !hl_switch_read (&family->head_norm, config, &loader.head_norm, error) ||
      !hl_model_config_read_boolean (config, "_remove_final_layer_norm", FALSE, &no_final_norm, error))
    return NULL;
  stack->epsilon = (float) epsilon;
  if (!check_value_bias (&loader, error) || !load_embeddings (&loader, error) ||
      !hl_layer_inputs_load (&stack->inputs, weights, config, &loader.names->inputs, stack->n_layers, stack->width,
                             stack->epsilon, error) ||
      !load_relative_bias (&loader, error) || !load_distances (&loader, error) || !load_layers (&loader, error))
    return NULL;
  /* Layers that end with a norm leave nothing for one behind the last. */
  if (loader.names->final_norm != NULL && loader.norm_before && !no_final_norm &&
      !load_norm (&loader, loader.names->final_norm, stack->width, loader.norm_bias, &stack->final_norm, error))
    return NULL;
  return g_steal_pointer (&stack);
}

static void
clear_attention (HlAttentionSublayer *attention)
{
  hl_linear_clear (&attention->query);
  hl_linear_clear (&attention->key);
  hl_linear_clear (&attention->value);
  hl_linear_clear (&attention->output);
  hl_linear_clear (&attention->distance_query);
  hl_linear_clear (&attention->distance_key);
  g_clear_object (&attention->output_rows);
  g_free (attention->bias);
  g_free (attention->sinks);
  g_free (attention->scale);
  g_clear_pointer (&attention->latent, hl_latent_free);
  hl_norm_clear (&attention->query_norm);
  hl_norm_clear (&attention->key_norm);
  hl_norm_clear (&attention->value_norm);
  hl_norm_clear (&attention->before);
  hl_norm_clear (&attention->inner);
  hl_norm_clear (&attention->after);
}

static void
clear_layer (HlLayer *layer)
{
  clear_attention (&layer->attention);
  clear_attention (&layer->cross);
  hl_feed_forward_clear (&layer->feed_forward);
  g_clear_pointer (&layer->experts, hl_experts_free);
  hl_layer_input_clear (&layer->input);
  g_clear_pointer (&layer->delta, hl_delta_net_free);
}

void
hl_stack_free (HlStack *self)
{
  for (guint i = 0; self->layers != NULL && i < self->n_own_layers; i++)
    clear_layer (&self->layers[i]);
  g_free (self->layers);
  g_free (self->shapes);
  hl_rope_clear (&self->rope);
  hl_rope_clear (&self->local_rope);
  g_free (self->relative_bias);
  g_clear_pointer (&self->distances, hl_distance_table_free);
  g_clear_pointer (&self->convolution, hl_convolution_free);
  g_free (self->slopes);
  g_clear_pointer (&self->patches, hl_patches_free);
  hl_layer_inputs_clear (&self->inputs);
  g_clear_object (&self->words);
  g_clear_object (&self->positions);
  g_clear_object (&self->segments);
  hl_norm_clear (&self->embedding_norm);
  hl_norm_clear (&self->final_norm);
  hl_linear_clear (&self->projection);
  g_free (self);
}

/* Returns the weights of a layer, which others may share. */
const HlLayer *
hl_stack_get_layer (const HlStack *self,
                    guint          layer)
{
  return &self->layers[(guint64) layer * self->n_own_layers / self->n_layers];
}

/* Returns the rotary embedding of some layers; %NULL for none. */
const HlRope *
hl_stack_get_rope (const HlStack *self,
                   HlLayerRope    rope)
{
  return rope == HL_LAYER_ROPE_NONE ? NULL : rope == HL_LAYER_ROPE_LOCAL ? &self->local_rope : &self->rope;
}

/* Returns whether a run that begins with a later layer needs nothing but what that layer gets of the one before. */
gboolean
hl_stack_can_begin_anywhere (const HlStack *self)
{
  gboolean can = self->inputs.words == NULL;

  for (guint layer = 0; layer < self->n_layers; layer++)
    can = can && !self->shapes[layer].borrows;
  return can;
}

/* Returns whether keys of earlier tokens stay as they are when a text grows to so many. They do not where words are scaled by how
 * many of all tokens are masked. */
gboolean
hl_stack_can_go_on (const HlStack *self,
                    gsize          n)
{
  return !self->drops_mask && !hl_rope_depends_on_length (&self->rope, n) &&
         !hl_rope_depends_on_length (&self->local_rope, n);
}
