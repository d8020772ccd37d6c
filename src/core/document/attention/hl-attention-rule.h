/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <math.h>

G_BEGIN_DECLS

/**
 * HlMask:
 * @causal: a query sees only keys up to its own position; the last query stands at the last key, unless @shift says otherwise
 * @window: with @causal, how many keys a query sees, its own position's included; without, how far it sees to both
 *   sides, likewise; 0 for all
 * @chunk: how many keys a chunk has, of which a query sees only its own, counted from the first key; 0 for no chunks (LLaMA 4)
 * @shift: how many keys further on queries stand than they would without it: where @causal, the last query at the last key, else the first query at
 *   the first key
 * @transposed: whether all this is said of the map before its rows became columns, and its columns rows
 * @first_key: the first key that any query sees; those before it are padding
 * @end_key: one past the last key that any query sees; 0 for all up to the last
 * @scattered: whether single cells may be masked besides, head by head: a source tells which, see hl_weight_is_masked()
 *
 * Which keys a query cannot see, as a rule rather than n × n numbers. A masked weight is exactly 0 by construction,
 * which is not the same as a weight that the model made small.
 */
typedef struct
{
  gboolean causal;
  guint64  window;
  guint64  chunk;
  gint64   shift;
  gboolean transposed;
  guint64  first_key;
  guint64  end_key;
  gboolean scattered;
} HlMask;

/**
 * hl_mask_equal:
 * @a: a rule
 * @b: a rule
 *
 * Returns: whether both say the same
 */
static inline gboolean
hl_mask_equal (const HlMask *a,
               const HlMask *b)
{
  return a->causal == b->causal && a->window == b->window && a->chunk == b->chunk && a->shift == b->shift &&
         a->transposed == b->transposed && a->first_key == b->first_key && a->end_key == b->end_key &&
         a->scattered == b->scattered;
}

/**
 * hl_mask_get_position:
 * @mask: a rule
 * @n_queries: queries of the map, before it was transposed
 * @n_keys: keys of that map
 * @query: an index of a query
 *
 * Returns: where among the keys the query stands; maybe before or behind all of them
 */
static inline gint64
hl_mask_get_position (const HlMask *mask,
                      gsize         n_queries,
                      gsize         n_keys,
                      gsize         query)
{
  /* With a cache of earlier keys there are more keys than queries. */
  return (gint64) query + (mask->causal ? (gint64) n_keys - (gint64) n_queries : 0) + mask->shift;
}

/* A length of keys as a number that can be added to a position: what is longer than any text is as good as this. */
static inline gint64
hl_mask_get_reach (guint64 n_keys)
{
  return (gint64) MIN (n_keys, G_GUINT64_CONSTANT (1) << 40);
}

/* Where the chunk of a position begins, which may be before the first key. */
static inline gint64
hl_mask_get_chunk_start (const HlMask *mask,
                         gint64        position)
{
  const gint64 n = hl_mask_get_reach (mask->chunk), over = position % n;

  return position - (over < 0 ? over + n : over);
}

/**
 * hl_mask_hides:
 * @mask: a rule
 *
 * Returns: whether the rule leaves keys that a query cannot see
 */
static inline gboolean
hl_mask_hides (const HlMask *mask)
{
  return mask->causal || mask->window > 0 || mask->chunk > 0 || mask->first_key > 0 || mask->end_key > 0;
}

/**
 * hl_mask_get_visible:
 * @mask: a rule
 * @n_queries: queries of the map
 * @n_keys: keys of the map
 * @query: an index of a query
 * @first: (out): the first key that the query sees
 * @end: (out): one past the last
 *
 * The visible keys of a query are always one run, possibly empty.
 */
static inline void
hl_mask_get_visible (const HlMask *mask,
                     gsize         n_queries,
                     gsize         n_keys,
                     gsize         query,
                     gsize        *first,
                     gsize        *end)
{
  if (mask->transposed)
    {
      if (query < mask->first_key || (mask->end_key > 0 && query >= mask->end_key))
        {
          *first = *end = query < mask->first_key ? 0 : n_keys;
          return;
        }
      /* The row was a key; the columns were the queries that see it, those at its own position and after. */
      const gint64 n_past = hl_mask_get_position (mask, n_keys, n_queries, 0);
      const gint64 own = (gint64) query - n_past;
      const gint64 window = hl_mask_get_reach (mask->window);
      const gint64 begin = mask->causal ? own : window > 0 ? own + 1 - window : 0;
      *first = (gsize) CLAMP (begin, 0, (gint64) n_keys);
      *end = (gsize) (window > 0 ? CLAMP (own + window, (gint64) *first, (gint64) n_keys) : (gint64) n_keys);
      if (mask->chunk > 0)
        {
          const gint64 chunk = hl_mask_get_chunk_start (mask, (gint64) query);
          *first = (gsize) CLAMP (chunk - n_past, (gint64) *first, (gint64) n_keys);
          *end = (gsize) CLAMP (chunk + hl_mask_get_reach (mask->chunk) - n_past, (gint64) *first, (gint64) *end);
        }
      return;
    }
  const gint64 position = hl_mask_get_position (mask, n_queries, n_keys, query);
  gint64 low = 0, high = (gint64) n_keys;

  if (mask->causal)
    high = CLAMP (position + 1, 0, high);
  if (mask->window > 0)
    {
      const gint64 window = hl_mask_get_reach (mask->window);
      low = CLAMP (position + 1 - window, 0, high);
      if (!mask->causal)
        high = CLAMP (position + window, low, high);
    }
  if (mask->chunk > 0)
    {
      const gint64 chunk = hl_mask_get_chunk_start (mask, position);
      low = CLAMP (chunk, low, high);
      high = CLAMP (chunk + hl_mask_get_reach (mask->chunk), low, high);
    }
  low = MAX (low, (gint64) mask->first_key);
  if (mask->end_key > 0)
    high = MIN (high, (gint64) mask->end_key);
  *first = (gsize) low;
  *end = (gsize) MAX (low, high);
}

/**
 * hl_mask_is_visible:
 * @mask: a rule
 * @n_queries: queries of the map
 * @n_keys: keys of the map
 * @query: an index of a query
 * @key: an index of a key
 *
 * Returns: whether the query sees the key
 */
static inline gboolean
hl_mask_is_visible (const HlMask *mask,
                    gsize         n_queries,
                    gsize         n_keys,
                    gsize         query,
                    gsize         key)
{
  gsize first, end;

  hl_mask_get_visible (mask, n_queries, n_keys, query, &first, &end);
  return key >= first && key < end;
}

/* So far below the greatest of its row, a score stands for −∞: some write −10000 for it (Devlin et al. 2019). */
#define HL_MASKED_BELOW 9000

/**
 * hl_score_is_masked:
 * @score: a score
 * @greatest: the greatest of its row
 *
 * Returns: whether a query was not to see a key
 */
static inline gboolean
hl_score_is_masked (float score,
                    float greatest)
{
  return score == -INFINITY || score < greatest - HL_MASKED_BELOW;
}

/**
 * hl_weight_is_masked:
 * @mask: a rule
 * @weight: a weight of a source with that rule, read with `marks_masked`
 *
 * Besides what the rule says there may be scores of −∞ anywhere. They need no memory of their own: their weight is the 0 below zero, −0, which
 * counts as 0 wherever one calculates; a sum, a mean or the greatest of weights is −0 if all of them are.
 *
 * Returns: whether the query cannot see the key
 */
static inline gboolean
hl_weight_is_masked (const HlMask *mask,
                     float         weight)
{
  return mask->scattered && weight == 0 && signbit (weight);
}

/**
 * HlDistances: (skip)
 * @rows: [n_queries + n_keys − 1], the row of the tables that a distance has, by key − query + n_queries − 1
 * @n_rows: rows of the tables
 * @first_row: which row of the model's own table the first of them is
 * @keys: (nullable): [n_heads, n_rows, n_features], what queries are multiplied by; %NULL where that is not done, or where the tables are elsewhere
 * @queries: (nullable): likewise keys
 *
 * What distance and content add to scores: to q·k of distance d, q·@keys[d] + k·@queries[d], before all are scaled (He et al. 2021, DeBERTa).
 */
typedef struct
{
  guint32 *rows;
  gsize    n_rows;
  gsize    first_row;
  float   *keys;
  float   *queries;
} HlDistances;

/**
 * hl_distances_free:
 * @self: (transfer full): distances, with their tables
 */
static inline void
hl_distances_free (HlDistances *self)
{
  g_free (self->rows);
  g_free (self->keys);
  g_free (self->queries);
  g_free (self);
}

/**
 * HlAttentionRule: (skip)
 * @scale: what q·k is multiplied by; 1/√d in most models
 * @softcap: c: a score s becomes c·tanh(s/c) before bias and mask, as Gemma 2 does; 0 for no cap
 * @mask: which keys a query cannot see
 * @bias: (nullable): [n_heads, n_queries + n_keys − 1], what is added to a score, by key − query + n_queries − 1. Where it is elsewhere,
 *   hl_attention_get_bias() has it
 * @sinks: (nullable): [n_heads], a learned score that joins the softmax of every row and whose weight goes to no key, as in gpt-oss
 *   (OpenAI 2025): rows sum to less than 1
 * @distances: (nullable): what is added to q·k by distance and content; not with @softcap
 * @left_out: whether the layer has no weights here because it was left out of the file, and not because it has no attention
 *
 * How the weights of a layer follow from its queries and keys: the softmax over keys of cap(@scale · q·k) + @bias, of
 * the keys that @mask leaves (Vaswani et al. 2017, 3.2.1; the bias: Raffel et al. 2020, 2.1). A rule does not own its
 * bias, its sinks and its distances.
 */
typedef struct
{
  double       scale;
  double       softcap;
  HlMask       mask;
  const float *bias;
  const float *sinks;
  const HlDistances *distances;
  gboolean     left_out;
} HlAttentionRule;

G_END_DECLS
