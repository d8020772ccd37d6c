/* SPDX-License-Identifier: MIT */
/* Attention of a few new tokens to all that came before them: keys and values are read once, where they are kept. */
#include "core/compute/hl-attend-step.h"

#include <omp.h>
#include <string.h>

#include "core/base/hl-kernel.h"
#include "core/compute/hl-attend.h"

/* Fewer multiplications than these are done sooner than a second thread wakes. */
#define MIN_PARALLEL (1 << 15)

HL_KERNEL static void
score_keys (const float *query,
            const float *keys,
            gsize        n_features,
            gsize        first,
            gsize        end,
            float        scale,
            float       *scores)
{
  for (gsize key = first; key < end; key++)
    {
      const float *features = keys + key * n_features;
      float sum = 0;

#pragma omp simd reduction(+ : sum)
      for (gsize i = 0; i < n_features; i++)
        sum += query[i] * features[i];
      scores[key] = sum * scale;
    }
}

HL_KERNEL static void
sum_values (const float *weights,
            const float *values,
            gsize        n_features,
            gsize        first,
            gsize        end,
            float       *output)
{
  memset (output, 0, n_features * sizeof *output);
  for (gsize key = first; key < end; key++)
    {
      const float weight = weights[key];
      const float *features = values + key * n_features;

#pragma omp simd
      for (gsize i = 0; i < n_features; i++)
        output[i] += weight * features[i];
    }
}

/* Softmax(scale · Q·Kᵀ + mask) · V of every head, [n_queries, n_heads, n_value_features]. @queries is [n_heads, n_queries, n_features]; the last
 * query stands at the last key. */
void
hl_attend_step (const HlAttentionRule *rule,
                guint                  n_heads,
                gsize                  n_queries,
                gsize                  n_features,
                gsize                  n_value_features,
                const float           *queries,
                const HlKeptKeys      *kept,
                float                 *output,
                HlScratch             *scratch)
{
  const gsize n_keys = kept->n_keys, n_rows = n_heads * n_queries;
  const gboolean alone = n_rows * n_keys * n_features < MIN_PARALLEL || omp_in_parallel ();
  const gsize n_threads = alone ? 1 : MIN (n_rows, (gsize) omp_get_max_threads ());
  float *rows = hl_scratch_get (scratch, n_threads * n_keys);

  g_return_if_fail (kept->n_key_heads > 0 && n_heads % kept->n_key_heads == 0);

#pragma omp parallel for schedule(static) num_threads(n_threads) if (n_threads > 1)
  for (gsize i = 0; i < n_rows; i++)
    {
      const guint head = (guint) (i / n_queries);
      const gsize query = i % n_queries;
      const guint key_head = head / (n_heads / kept->n_key_heads);
      float *weights = rows + (gsize) omp_get_thread_num () * n_keys;
      gsize first, end;

      hl_mask_get_visible (&rule->mask, n_queries, n_keys, query, &first, &end);
      score_keys (queries + i * n_features, kept->keys + key_head * kept->stride, n_features, first, end,
                  (float) rule->scale, weights);
      hl_attend_rule_finish_row (rule, head, n_queries, n_keys, query, NULL, weights);
      sum_values (weights, kept->values + key_head * kept->value_stride, n_value_features, first, end,
                  output + (query * n_heads + head) * n_value_features);
    }
}
