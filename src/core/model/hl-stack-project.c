/* SPDX-License-Identifier: MIT */
/* From the rows that go into a sublayer to the queries, keys and values of its heads. */
#include "core/model/hl-stack-project.h"

#include <math.h>
#include <string.h>

#include "core/compute/hl-rotary.h"
#include "core/model/layer/hl-head-columns.h"

/* Where the features of one of the three are in a row of products. */
typedef struct
{
  const float *products;
  gsize stride;
  const float *bias;
  float clip; /* 0 for none */
  HlHeadLayout layout;
  gboolean permuted; /* whether features are stored in pairs */
} Part;

/* A norm over the features of a head, by weights of its own or those of all. One over all heads is done before. */
static void
norm_head (const HlStack *stack,
           const HlNorm  *norm,
           guint          head,
           gsize          size,
           gsize          n,
           float         *rows)
{
  HlNorm own;

  if (norm == NULL || norm->weight == NULL || stack->family->head_norm_kind == HL_HEAD_NORM_WIDE)
    return;
  own = *norm;
  if (stack->family->head_norm_kind == HL_HEAD_NORM_OWN)
    {
      own.weight += head * size;
      own.bias = own.bias != NULL ? own.bias + head * size : NULL;
    }
  hl_norm_apply (&own, n, size, rows, size, rows, size);
}

/* A norm over all heads of a part, which has its bias then, and mostly is cut. */
static void
norm_wide (const HlStack *stack,
           const HlNorm  *norm,
           gsize          width,
           gsize          n_rows,
           Part          *part,
           float         *products)
{
  float *first = products + part->layout.first;

  if (norm->weight == NULL || stack->family->head_norm_kind != HL_HEAD_NORM_WIDE)
    return;
  for (gsize row = 0; part->bias != NULL && row < n_rows; row++)
    for (gsize i = 0; i < width; i++)
      first[row * part->stride + i] += part->bias[part->layout.first + i];
  part->bias = NULL;
  if (!stack->family->clip_after_norm)
    {
      for (gsize row = 0; part->clip > 0 && row < n_rows; row++)
        for (gsize i = 0; i < width; i++)
          first[row * part->stride + i] = CLAMP (first[row * part->stride + i], -part->clip, part->clip);
      part->clip = 0;
    }
  hl_norm_apply (norm, n_rows, width, first, part->stride, first, part->stride);
}

/* Rows [n, heads · d] of every stream, or of its memory, become heads [heads, n, d], with bias, norm and rotary embedding. */
static void
split_heads (const HlStack     *stack,
             const HlStackRows *all,
             const Part        *part,
             guint              n_heads,
             gsize              size,
             gsize              n_streams,
             gboolean           of_memory,
             const HlNorm      *norm,
             HlLayerRope        rope,
             gsize              first_turned,
             float             *target)
{
  const gsize n_pairs = rope != HL_LAYER_ROPE_NONE ? hl_stack_get_rope (stack, rope)->n_pairs : 0;

#pragma omp parallel for if (all->n_rows * size * n_heads >= 8192)
  for (gsize number = 0; number < n_streams * n_heads; number++)
    {
      const HlStackStream stream = hl_stack_rows_get_stream (all, number / n_heads);
      const float *rope_table = stream.rope_tables[rope];
      const gsize first_row = of_memory ? stream.first_memory : stream.first;
      const gsize n = of_memory ? stream.n_memory : stream.n;
      const gsize first = hl_head_layout_find (&part->layout, number % n_heads);
      const float *products = part->products + first_row * part->stride;
      const float *bias = part->bias != NULL ? part->bias + first : NULL;
      float *rows = target + (first_row * n_heads + number % n_heads * n) * size;

      for (gsize i = 0; i < n; i++)
        {
          const float *source = products + i * part->stride + first;

          if (part->permuted)
            for (gsize k = 0; k < size; k++)
              rows[i * size + k] = source[hl_head_columns_find_stored (k, size)] + (bias != NULL ? bias[k] : 0);
          else if (bias != NULL)
            for (gsize k = 0; k < size; k++)
              rows[i * size + k] = source[k] + bias[k];
          else
            memcpy (rows + i * size, source, size * sizeof (float));
        }
      for (gsize k = 0; part->clip > 0 && k < n * size; k++)
        rows[k] = CLAMP (rows[k], -part->clip, part->clip);
      norm_head (stack, norm, number % n_heads, size, n, rows);
      if (rope_table != NULL && stack->family->interleaved)
        hl_rotary_apply_pairs (n, n_pairs, rope_table, rows + first_turned, size);
      else if (rope_table != NULL)
        hl_rotary_apply (n, n_pairs, rope_table, rows + first_turned, size);
    }
}

/* Queries grow with their position. */
static void
heat_queries (const HlStackRows  *all,
              const HlLayerShape *shape,
              float              *queries)
{
  const gsize n_past = hl_past_get_n (all->run->past);

  for (gsize number = 0; shape->heat != 0 && number < all->n_streams; number++)
    {
      const HlStackStream stream = hl_stack_rows_get_stream (all, number);
      float *own = queries + stream.first * shape->n_heads * shape->head_size;

      for (gsize i = 0; i < stream.n; i++)
        {
          const double steps = floor ((double) (n_past + i + shape->heat_offset) / shape->heat_length);
          const float factor = (float) (1 + shape->heat * log1p (steps));

          for (guint head = 0; factor != 1 && head < shape->n_heads; head++)
            for (gsize k = 0; k < shape->head_size; k++)
              own[(head * stream.n + i) * shape->head_size + k] *= factor;
        }
    }
}

/* Queries, keys and values of one sublayer: from @input, keys and values from @memory if it is cross-attention, unless they are kept. */
void
hl_stack_project (const HlStack             *stack,
                  const HlStackRows         *rows,
                  const HlAttentionSublayer *attention,
                  const HlLayerShape        *shape,
                  const float               *input,
                  const float               *memory,
                  gboolean                   has_keys,
                  const HlStackHeads        *heads)
{
  const gsize size = shape->head_size;
  const gsize query_step = shape->gated ? 2 * size : size;
  const gsize query_width = shape->n_heads * query_step, key_width = shape->n_key_heads * size;
  const gsize all = hl_layer_shape_get_products (shape);
  const gboolean fused = attention->key.tensor == NULL && !shape->borrows;
  const gboolean of_memory = memory != NULL;
  const gsize n_key_streams = of_memory ? hl_stack_rows_get_n_memory_streams (rows) : rows->n_streams;
  const gsize n_key_rows = of_memory ? hl_stack_rows_get_n_memory (rows) : rows->n_rows;
  const HlFusedOrder order = fused ? stack->family->fused_order : HL_FUSED_IN_TURN;
  const gboolean permuted = stack->family->permuted;
  Part query = { heads->products, all, attention->bias, stack->clip, hl_head_layout_get (shape, order, 0), permuted };
  Part key = { heads->products, all, attention->bias, stack->clip, hl_head_layout_get (shape, order, 1), permuted };
  Part value = { heads->products, all, attention->bias, stack->clip, hl_head_layout_get (shape, order, 2), FALSE };

  if (!of_memory)
    memory = input;
  if (attention->latent != NULL)
    hl_latent_apply (attention->latent, shape, rows->n_rows, input, heads->products, heads->room, heads->scratch);
  else
    hl_linear_apply (&attention->query, rows->n_rows, input, stack->width, heads->products, all, heads->scratch);
  norm_wide (stack, &attention->query_norm, query_width, rows->n_rows, &query, heads->products);
  split_heads (stack, rows, &query, shape->n_heads, size, rows->n_streams, FALSE, &attention->query_norm, shape->rope,
               shape->first_turned, heads->queries);
  heat_queries (rows, shape, heads->queries);
  if (has_keys)
    return;
  if (!fused)
    {
      hl_linear_apply (&attention->key, n_key_rows, memory, stack->width, heads->products + query_width, all,
                       heads->scratch);
      hl_linear_apply (&attention->value, n_key_rows, memory, stack->width, heads->products + query_width + key_width,
                       all, heads->scratch);
    }
  norm_wide (stack, &attention->key_norm, key_width, n_key_rows, &key, heads->products);
  split_heads (stack, rows, &key, shape->n_key_heads, size, n_key_streams, of_memory, &attention->key_norm, shape->rope,
               shape->first_turned, heads->keys);
  split_heads (stack, rows, &value, shape->n_key_heads, shape->value_size, n_key_streams, of_memory,
               &attention->value_norm, HL_LAYER_ROPE_NONE, 0, heads->values);
}

/* A table of distances, [heads, n_rows, head size], of what the model knows of them. */
static void
project_table (const HlStack      *stack,
               const HlLayerShape *shape,
               const HlLinear     *linear,
               const float        *bias,
               const HlDistances  *distances,
               float             **table,
               HlScratch          *scratch)
{
  const gsize n = distances->n_rows, size = shape->head_size, width = shape->n_heads * size;
  const float *rows = stack->distances->rows + distances->first_row * stack->width;
  g_autofree float *products = g_new (float, n *width);

  if (*table == NULL)
    *table = g_new (float, n *width);
  hl_linear_apply (linear, n, rows, stack->width, products, width, scratch);
  for (guint head = 0; head < shape->n_heads; head++)
    for (gsize i = 0; i < n; i++)
      for (gsize k = 0; k < size; k++)
        (*table)[(head * n + i) * size + k] = products[i * width + head * size + k] + bias[head * size + k];
}

/* Queries and keys of the distances of every text, in a stack that has such. */
void
hl_stack_project_distances (const HlStack             *stack,
                            HlStackRows               *rows,
                            const HlAttentionSublayer *attention,
                            const HlLayerShape        *shape,
                            HlScratch                 *scratch)
{
  const HlDistanceParts *parts = &stack->distances->parts;
  const gsize width = shape->n_heads * shape->head_size;
  const HlLinear *query = parts->shared ? &attention->query : &attention->distance_query;
  const HlLinear *key = parts->shared ? &attention->key : &attention->distance_key;

  for (gsize i = 0; i < rows->n_texts; i++)
    {
      HlDistances *distances = rows->texts[i].distances;

      if (distances == NULL)
        continue;
      if (parts->has_queries)
        project_table (stack, shape, query, parts->shared ? attention->bias : query->bias, distances,
                       &distances->queries, scratch);
      if (parts->has_keys)
        project_table (stack, shape, key, parts->shared ? attention->bias + width : key->bias, distances,
                       &distances->keys, scratch);
    }
}
