/* SPDX-License-Identifier: MIT */
/* What attention hands on: weights times values, a block of queries at a time, so that no map of n × n is ever there. */
#include "core/compute/hl-attend-output.h"

#include "core/compute/hl-matmul.h"

/* Queries of one block: enough rows for the products to be fast, few enough for the scores to stay in the cache. */
#define BLOCK 64

/* One block of one head. */
static void
attend_block (const HlAttentionRule *rule,
              guint               head,
              gsize               n_queries,
              gsize               n_keys,
              gsize               n_features,
              gsize               first_query,
              gsize               end_query,
              const float        *queries,
              const float        *keys,
              const float        *values,
              float              *scores,
              float              *output,
              gsize               output_stride)
{
  const gsize n_rows = end_query - first_query;
  gsize first_key, end_key, unused;

  /* The first query of a block sees the first key that any of them does, the last the last. */
  hl_mask_get_visible (&rule->mask, n_queries, n_keys, first_query, &first_key, &unused);
  hl_mask_get_visible (&rule->mask, n_queries, n_keys, end_query - 1, &unused, &end_key);
  hl_matmul (TRUE, n_rows, end_key - first_key, n_features, (float) rule->scale, queries + first_query * n_features,
             n_features, keys + first_key * n_features, n_features, 0, scores + first_key, n_keys);
  for (gsize query = first_query; query < end_query; query++)
    hl_attend_rule_finish_row (rule, head, n_queries, n_keys, query, scores + (query - first_query) * n_keys);
  hl_matmul (FALSE, n_rows, n_features, end_key - first_key, 1, scores + first_key, n_keys,
             values + first_key * n_features, n_features, 0, output + first_query * output_stride, output_stride);
}

/**
 * hl_attend_output:
 * @rule: how weights follow from scores
 * @n_heads: query heads
 * @n_key_heads: heads of keys and values, a divisor of @n_heads
 * @n_queries: how many queries
 * @n_keys: how many keys
 * @n_features: features of a head
 * @queries: [n_heads, n_queries, n_features]
 * @keys: [n_key_heads, n_keys, n_features]
 * @values: [n_key_heads, n_keys, n_features]
 * @output: (out caller-allocates): [n_queries, n_heads · n_features]
 *
 * softmax(scale · Q·Kᵀ + mask) · V of every head. Takes 64 × @n_keys numbers of memory a thread.
 */
void
hl_attend_output (const HlAttentionRule *rule,
                  guint               n_heads,
                  guint               n_key_heads,
                  gsize               n_queries,
                  gsize               n_keys,
                  gsize               n_features,
                  const float        *queries,
                  const float        *keys,
                  const float        *values,
                  float              *output)
{
  const gsize n_blocks = (n_queries + BLOCK - 1) / BLOCK;
  const guint group = n_heads / n_key_heads;

  g_return_if_fail (n_key_heads > 0 && n_heads % n_key_heads == 0);

#pragma omp parallel
  {
    g_autofree float *scores = g_new (float, MIN (n_queries, BLOCK) *n_keys);
#pragma omp for schedule(dynamic)
    for (gsize i = 0; i < n_heads * n_blocks; i++)
      {
        const guint head = (guint) (i / n_blocks);
        const gsize first = i % n_blocks * BLOCK;

        attend_block (rule, head, n_queries, n_keys, n_features, first, MIN (first + BLOCK, n_queries),
                      queries + head * n_queries * n_features, keys + head / group * n_keys * n_features,
                      values + head / group * n_keys * n_features, scores, output + head * n_features,
                      n_heads * n_features);
      }
  }
}
