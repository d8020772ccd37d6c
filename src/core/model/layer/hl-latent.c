/* SPDX-License-Identifier: MIT */
/* Queries, keys and values by way of fewer features. */
#include "core/model/layer/hl-latent.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/model/layer/hl-head-columns.h"
#include "core/model/layer/hl-norm-load.h"

#define MAX_SIZE (1 << 16)

/* These norms have an epsilon of their own, whatever config.json says of others. */
#define EPSILON 1e-6f

struct _HlLatent
{
  HlLinear query_down; /* without a tensor when queries are made at once */
  HlNorm query_norm;
  HlLinear query_up;
  HlLinear key_down; /* what keys and values are made of, and behind it what heads share of the keys */
  HlNorm key_norm;
  HlLinear key_up; /* of each head the rest of the key, and the value; without a tensor when those of heads are apart */
  HlLinear *head_keys;
  HlLinear *head_values;
  guint n_heads; /* of those that are apart */
  gsize key_rank;
  gboolean interleaved; /* whether features that are turned together stand beside one another */
};

/* Gives a layer the sizes that config.json says for such attention. */
gboolean
hl_latent_read_shape (HlLayerShape  *shape,
                      HlModelConfig *config,
                      GError       **error)
{
  guint64 turned, rest, value;

  if (!hl_model_config_read_size (config, "qk_rope_head_dim", HL_CONFIG_REQUIRED, &turned, error) ||
      !hl_model_config_read_size (config, "qk_nope_head_dim", HL_CONFIG_REQUIRED, &rest, error) ||
      !hl_model_config_read_size (config, "v_head_dim", HL_CONFIG_REQUIRED, &value, error))
    return FALSE;
  if (turned < 2 || turned % 2 != 0 || turned > MAX_SIZE || rest > MAX_SIZE || value == 0 || value > MAX_SIZE ||
      shape->n_heads * (turned + rest + value) > (1 << 20))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("the sizes of heads in config.json make no sense: %u and %u features of a key, %u of a value"),
                   (guint) rest, (guint) turned, (guint) value);
      return FALSE;
    }
  shape->n_key_heads = shape->n_heads;
  shape->head_size = turned + rest;
  shape->value_size = value;
  shape->first_turned = rest;
  return TRUE;
}

static gboolean
load_norm (HlNorm     *norm,
           HlWeights  *weights,
           const char *layer,
           const char *name,
           gsize       width,
           GError    **error)
{
  g_autofree char *path = g_strconcat (layer, name, NULL);

  norm->epsilon = EPSILON;
  return hl_norm_load (norm, weights, path, width, FALSE, error);
}

static gboolean
load_linear (HlLinear   *linear,
             HlWeights  *weights,
             const char *layer,
             const char *name,
             gsize       n_in,
             gsize       n_out,
             gboolean    has_bias,
             GError    **error)
{
  g_autofree char *path = g_strconcat (layer, name, NULL);

  return hl_linear_load (linear, weights, path, n_in, n_out, FALSE, has_bias, error);
}

/* What makes keys and values of each head, apart. */
static gboolean
load_heads (HlLatent            *self,
            HlWeights           *weights,
            const HlLatentNames *names,
            const char          *layer,
            const HlLayerShape  *shape,
            GError             **error)
{
  const guint n_heads = shape->n_heads;
  g_autofree char *keys = g_strconcat (layer, names->head_keys, NULL);
  g_autofree char *values = g_strconcat (layer, names->head_values, NULL);

  self->n_heads = n_heads;
  self->head_keys = g_new0 (HlLinear, n_heads);
  self->head_values = g_new0 (HlLinear, n_heads);
  for (guint head = 0; head < n_heads; head++)
    if (!hl_linear_load_part (&self->head_keys[head], weights, keys, head, n_heads, self->key_rank, shape->first_turned,
                              TRUE, FALSE, error) ||
        !hl_linear_load_part (&self->head_values[head], weights, values, head, n_heads, self->key_rank,
                              shape->value_size, FALSE, FALSE, error))
      return FALSE;
  return TRUE;
}

/* Finds the tensors of a layer, whose names begin with @layer. */
HlLatent *
hl_latent_load (HlWeights           *weights,
                HlModelConfig       *config,
                const HlLatentNames *names,
                const char          *layer,
                const HlLayerShape  *shape,
                gsize                width,
                GError             **error)
{
  g_autoptr (HlLatent) self = g_new0 (HlLatent, 1);
  const gsize query_width = shape->n_heads * shape->head_size, rest = shape->first_turned;
  const gsize turned = shape->head_size - rest;
  const gsize key_width = shape->n_heads * (rest + shape->value_size);
  guint64 query_rank, key_rank;
  gboolean has_bias;

  if (!hl_model_config_read_size (config, "q_lora_rank", 0, &query_rank, error) ||
      !hl_model_config_read_size (config, "kv_lora_rank", HL_CONFIG_REQUIRED, &key_rank, error) ||
      !hl_model_config_read_boolean (config, "rope_interleave", TRUE, &self->interleaved, error) ||
      !hl_model_config_read_boolean (config, "attention_bias", FALSE, &has_bias, error))
    return NULL;
  if (key_rank == 0 || key_rank > MAX_SIZE || query_rank > MAX_SIZE)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in config.json is not %s"),
                   query_rank > MAX_SIZE ? "q_lora_rank" : "kv_lora_rank", _ ("a size"));
      return NULL;
    }
  self->key_rank = key_rank;
  if (query_rank == 0
        ? !load_linear (&self->query_up, weights, layer, names->query, width, query_width, FALSE, error)
        : !load_linear (&self->query_down, weights, layer, names->query_down, width, query_rank, has_bias, error) ||
            !load_norm (&self->query_norm, weights, layer, names->query_norm, query_rank, error) ||
            !load_linear (&self->query_up, weights, layer, names->query_up, query_rank, query_width, FALSE, error))
    return NULL;
  if (!load_linear (&self->key_down, weights, layer, names->key_down, width, key_rank + turned, has_bias, error) ||
      !load_norm (&self->key_norm, weights, layer, names->key_norm, key_rank, error) ||
      (names->key_up != NULL
         ? !load_linear (&self->key_up, weights, layer, names->key_up, key_rank, key_width, FALSE, error)
         : !load_heads (self, weights, names, layer, shape, error)))
    return NULL;
  return g_steal_pointer (&self);
}

void
hl_latent_free (HlLatent *self)
{
  hl_linear_clear (&self->query_down);
  hl_norm_clear (&self->query_norm);
  hl_linear_clear (&self->query_up);
  hl_linear_clear (&self->key_down);
  hl_norm_clear (&self->key_norm);
  hl_linear_clear (&self->key_up);
  for (guint head = 0; head < self->n_heads; head++)
    {
      hl_linear_clear (&self->head_keys[head]);
      hl_linear_clear (&self->head_values[head]);
    }
  g_free (self->head_keys);
  g_free (self->head_values);
  g_free (self);
}

/* A product with its bias. */
static void
multiply (const HlLinear *linear,
          gsize           n_rows,
          const float    *input,
          gsize           input_stride,
          float          *output,
          gsize           output_stride,
          HlScratch      *scratch)
{
  hl_linear_apply (linear, n_rows, input, input_stride, output, output_stride, scratch);
  for (gsize i = 0; linear->bias != NULL && i < n_rows; i++)
    for (gsize k = 0; k < linear->n_out; k++)
      output[i * output_stride + k] += linear->bias[k];
}

/* Puts features that are turned together half of them apart. */
static void
order_pairs (float *features,
             gsize  n,
             float *stored)
{
  memcpy (stored, features, n * sizeof *stored);
  for (gsize k = 0; k < n; k++)
    features[k] = stored[hl_head_columns_find_stored (k, n)];
}

/* Puts a row's keys and values where those of other models are. */
static void
place_keys (const HlLayerShape *shape,
            const float        *shared,
            const float        *heads,
            float              *keys,
            float              *values)
{
  const gsize rest = shape->first_turned, turned = shape->head_size - rest, size = shape->value_size;

  for (guint head = 0; head < shape->n_heads; head++)
    {
      const float *own = heads + head * (rest + size);

      memcpy (keys + head * shape->head_size, own, rest * sizeof (float));
      memcpy (keys + head * shape->head_size + rest, shared, turned * sizeof (float));
      memcpy (values + head * size, own + rest, size * sizeof (float));
    }
}

/* Returns the numbers that a row takes besides. */
gsize
hl_latent_get_room (const HlLatent     *self,
                    const HlLayerShape *shape)
{
  const gsize query_rank = self->query_down.tensor != NULL ? self->query_down.n_out : 0;

  return query_rank + self->key_down.n_out + shape->n_heads * (shape->first_turned + shape->value_size);
}

/* Makes queries, keys and values of rows [n_rows, width] beside one another, [n_rows, those of all heads]. What is turned by position is not
 * turned yet. */
void
hl_latent_apply (const HlLatent     *self,
                 const HlLayerShape *shape,
                 gsize               n_rows,
                 const float        *input,
                 float              *target,
                 HlScratch          *room,
                 HlScratch          *scratch)
{
  const gsize rest = shape->first_turned, turned = shape->head_size - rest;
  const gsize query_width = shape->n_heads * shape->head_size, value_width = shape->n_heads * shape->value_size;
  const gsize stride = 2 * query_width + value_width;
  const gsize width = self->key_down.n_in, down = self->key_rank + turned;
  const gsize up = shape->n_heads * (rest + shape->value_size);
  const gsize query_rank = self->query_down.tensor != NULL ? self->query_down.n_out : 0;
  float *query = hl_scratch_get (room, n_rows * hl_latent_get_room (self, shape) + shape->head_size);
  float *key = query + n_rows * query_rank;
  float *heads = key + n_rows * down;
  float *stored = heads + n_rows * up;

  if (query_rank > 0)
    {
      multiply (&self->query_down, n_rows, input, width, query, query_rank, scratch);
      hl_norm_apply (&self->query_norm, n_rows, query_rank, query, query_rank, query, query_rank);
    }
  hl_linear_apply (&self->query_up, n_rows, query_rank > 0 ? query : input, query_rank > 0 ? query_rank : width, target,
                   stride, scratch);
  multiply (&self->key_down, n_rows, input, width, key, down, scratch);
  hl_norm_apply (&self->key_norm, n_rows, self->key_rank, key, down, key, down);
  if (self->key_up.tensor != NULL)
    hl_linear_apply (&self->key_up, n_rows, key, down, heads, up, scratch);
  for (guint head = 0; head < self->n_heads; head++)
    {
      float *own = heads + head * (rest + shape->value_size);

      hl_linear_apply (&self->head_keys[head], n_rows, key, down, own, up, scratch);
      hl_linear_apply (&self->head_values[head], n_rows, key, down, own + rest, up, scratch);
    }
  for (gsize i = 0; i < n_rows; i++)
    {
      float *row = target + i * stride, *shared = key + i * down + self->key_rank;

      for (guint head = 0; self->interleaved && head < shape->n_heads; head++)
        order_pairs (row + head * shape->head_size + rest, turned, stored);
      if (self->interleaved)
        order_pairs (shared, turned, stored);
      place_keys (shape, shared, heads + i * up, row + query_width, row + 2 * query_width);
    }
}
