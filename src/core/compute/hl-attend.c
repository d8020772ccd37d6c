/* SPDX-License-Identifier: MIT */
/* The softmax of one query's scores. */
#include "core/compute/hl-attend.h"

#include <math.h>
#include <omp.h>
#include <string.h>

#include "core/base/hl-kernel.h"
#include "core/compute/hl-vector-math.h"

/* The exponential of a score that is not above the greatest. */
static inline float
get_power (float score,
           float greatest)
{
  const float below = score - greatest;

  return hl_exp_within (below < -88.0f ? -88.0f : below);
}

/* Nothing is attended to; what is broken is seen to be broken. */
static void
attend_to_nothing (float *scores,
                   gsize  n)
{
  for (gsize i = 0; i < n; i++)
    scores[i] = isnan (scores[i]) ? NAN : 0;
}

/* Turns scores into weights that sum to 1 with that of the sink, a score beside them that may be −∞. */
HL_KERNEL static HlSoftmaxNorm
soften (float *scores,
        gsize  n,
        float  sink)
{
  float greatest = sink, sum = 0;

#pragma omp simd reduction(max : greatest)
  for (gsize i = 0; i < n; i++)
    greatest = scores[i] > greatest ? scores[i] : greatest;
  if (greatest == -INFINITY)
    {
      attend_to_nothing (scores, n);
      return (HlSoftmaxNorm){ greatest, 0 };
    }
#pragma omp simd reduction(+ : sum)
  for (gsize i = 0; i < n; i++)
    {
      scores[i] = get_power (scores[i], greatest);
      sum += scores[i];
    }
  if (sink > -INFINITY)
    sum += get_power (sink, greatest);
  const float norm = 1 / sum;
#pragma omp simd
  for (gsize i = 0; i < n; i++)
    scores[i] *= norm;
  return (HlSoftmaxNorm){ greatest, norm };
}

/* Turns scores into weights that sum to 1. When no score is above −∞, all weights are 0: nothing is attended to.
 * Returns what hl_attend_normalise() needs to make the same weights of some of the scores. */
HlSoftmaxNorm
hl_attend_softmax (float *scores,
                   gsize  n)
{
  return soften (scores, n, -INFINITY);
}

/* Turns scores into the very weights that the softmax of the whole row gives. */
HL_KERNEL static void
hl_attend_normalise (float        *scores,
                     gsize         n,
                     HlSoftmaxNorm norm)
{
  if (norm.greatest == -INFINITY)
    {
      attend_to_nothing (scores, n);
      return;
    }
#pragma omp simd
  for (gsize i = 0; i < n; i++)
    scores[i] = get_power (scores[i], norm.greatest) * norm.norm;
}

/* From scores to weights by the rule of a layer. */

HL_KERNEL static void
cap_scores (float *scores,
            gsize  n,
            float  softcap)
{
  for (gsize i = 0; i < n; i++)
    scores[i] = softcap * hl_tanh (scores[i] / softcap);
}

/* Soft cap and bias of the scores of some keys, all of which the query sees. */
static void
finish_scores (const HlAttentionRule *rule,
               guint                  head,
               gsize                  n_queries,
               gsize                  n_keys,
               gsize                  query,
               gsize                  first,
               gsize                  end,
               float                 *row)
{
  if (rule->softcap > 0)
    cap_scores (row + first, end - first, (float) rule->softcap);
  if (rule->bias == NULL)
    return;
  const float *bias = rule->bias + head * (n_queries + n_keys - 1) + (n_queries - 1 - query);
  for (gsize key = first; key < end; key++)
    row[key] += bias[key];
}

static void
hide_scores (const guint8 *seen,
             gsize         first,
             gsize         end,
             float        *row)
{
  for (gsize key = first; seen != NULL && key < end; key++)
    if (seen[key] == 0)
      row[key] = -INFINITY;
}

/* The exponential of what is hidden is tiny, not 0. */
static void
hide_weights (const guint8 *seen,
              gsize         first,
              gsize         end,
              float        *row)
{
  for (gsize key = first; seen != NULL && key < end; key++)
    if (seen[key] == 0)
      row[key] = -0.0f;
}

/* Soft cap, bias, mask and softmax of one row of scores. What the mask hides becomes 0, and what @seen hides, which may be %NULL, −0, whatever stood
 * there. Returns what hl_attend_rule_finish_part() needs to know of the row. */
HlSoftmaxNorm
hl_attend_rule_finish_row (const HlAttentionRule *rule,
                           guint                  head,
                           gsize                  n_queries,
                           gsize                  n_keys,
                           gsize                  query,
                           const guint8          *seen,
                           float                 *row)
{
  gsize first, end;

  hl_mask_get_visible (&rule->mask, n_queries, n_keys, query, &first, &end);
  finish_scores (rule, head, n_queries, n_keys, query, first, end, row);
  hide_scores (seen, first, end, row);
  const HlSoftmaxNorm norm = soften (row + first, end - first, rule->sinks != NULL ? rule->sinks[head] : -INFINITY);
  hide_weights (seen, first, end, row);
  memset (row, 0, first * sizeof (float));
  memset (row + end, 0, (n_keys - end) * sizeof (float));
  return norm;
}

/* Makes the weights of some keys, the same as in the whole row. */
static void
hl_attend_rule_finish_part (const HlAttentionRule *rule,
                            guint                  head,
                            gsize                  n_queries,
                            gsize                  n_keys,
                            gsize                  query,
                            gsize                  first_key,
                            gsize                  end_key,
                            HlSoftmaxNorm          norm,
                            const guint8          *seen,
                            float                 *row)
{
  gsize first, end;

  hl_mask_get_visible (&rule->mask, n_queries, n_keys, query, &first, &end);
  first = CLAMP (first, first_key, end_key);
  end = CLAMP (end, first, end_key);
  finish_scores (rule, head, n_queries, n_keys, query, first, end, row);
  hide_scores (seen, first, end, row);
  hl_attend_normalise (row + first, end - first, norm);
  hide_weights (seen, first, end, row);
  memset (row + first_key, 0, (first - first_key) * sizeof (float));
  memset (row + end, 0, (end_key - end) * sizeof (float));
}

/* Weights of some queries at a time, as tiles of a product, so that a key is read once for many of them. */

/* Numbers of the panels that all rows use before the next ones are fetched: half of what a cache of a core holds. */
#define PART_SIZE (1 << 17)

/* Returns how many numbers a row of weights needs, as the last panel of keys may be wider than what is left. */
gsize
hl_attend_tile_get_stride (gsize n_keys)
{
  return n_keys + HL_TILE_COLUMNS;
}

/* Puts keys into the order in which tiles use them. */
static void
hl_attend_pack_keys (const float *keys,
                     gsize        n_keys,
                     gsize        n_features,
                     float       *panels)
{
  const HlTile *tile = hl_tile_get (0);

  for (gsize key = 0; key < n_keys; key += HL_TILE_COLUMNS)
    tile->pack (MIN (n_keys - key, HL_TILE_COLUMNS), n_features, keys + key * n_features, n_features,
                panels + key * n_features);
}

/* Returns what hl_attend_pack_keys() makes of them; %NULL when there is no memory. */
GBytes *
hl_attend_make_panels (const float *keys,
                       gsize        n_keys,
                       gsize        n_features)
{
  const gsize n_packed = (n_keys + HL_TILE_COLUMNS - 1) / HL_TILE_COLUMNS * HL_TILE_COLUMNS;
  gsize size;

  if (!g_size_checked_mul (&size, n_packed, n_features) || !g_size_checked_mul (&size, size, sizeof (float)))
    return NULL;
  float *panels = g_try_malloc (MAX (size, 1));
  if (panels == NULL)
    return NULL;
  hl_attend_pack_keys (keys, n_keys, n_features, panels);
  return g_bytes_new_take (panels, size);
}

/* Q·Kᵀ. The numbers of a query do not depend on what others it is asked for with. */
void
hl_attend_tile_multiply (const HlAttendHead *self,
                         const float        *queries,
                         gsize               n_rows,
                         gsize               first_key,
                         gsize               end_key,
                         float              *products,
                         gsize               stride)
{
  const HlTile *tile = hl_tile_get (0);
  const gsize width = self->n_features;
  const gsize part_size = MAX (PART_SIZE / MAX (width * HL_TILE_COLUMNS, 1), 1) * HL_TILE_COLUMNS;

  for (gsize part = first_key; part < end_key; part += part_size)
    for (gsize row = 0; row < n_rows; row += tile->n_rows)
      for (gsize key = part; key < MIN (part + part_size, end_key); key += HL_TILE_COLUMNS)
        tile->multiply (MIN (n_rows - row, tile->n_rows), FALSE, width, queries + row * width, width,
                        self->panels + (key - self->first_packed) * width, HL_TILE_COLUMNS,
                        products + row * stride + key, stride);
}

HL_KERNEL static void
scale_row (float *row,
           gsize  n,
           float  scale)
{
#pragma omp simd
  for (gsize i = 0; i < n; i++)
    row[i] *= scale;
}

/* What distances add to the products of some queries. */
static void
add_distances (const HlAttendHead *self,
               const float        *queries,
               gsize               first_query,
               gsize               n_rows,
               gsize               first_key,
               gsize               end_key,
               float              *products,
               gsize               stride)
{
  if (self->distances != NULL)
    hl_attend_distances_add (self->distances, queries, n_rows, self->n_queries, first_query, first_key, end_key,
                             (float) self->rule->scale / self->scale, products, stride);
}

static const guint8 *
get_seen (const HlAttendHead *self,
          gsize               row)
{
  return self->seen != NULL ? self->seen + row * self->n_keys : NULL;
}

/* Softmax(scale · Q·Kᵀ + mask), whole rows. */
void
hl_attend_tile (const HlAttendHead *self,
                const float        *queries,
                gsize               first_query,
                gsize               n_rows,
                float              *weights,
                gsize               stride,
                gsize              *first_key,
                gsize              *end_key,
                HlSoftmaxNorm      *norms)
{
  const HlMask *mask = &self->rule->mask;
  gsize unused;

  /* The first query sees the first key that any of them does, and the last one the last. */
  hl_mask_get_visible (mask, self->n_queries, self->n_keys, first_query, first_key, &unused);
  hl_mask_get_visible (mask, self->n_queries, self->n_keys, first_query + n_rows - 1, &unused, end_key);
  *first_key -= (*first_key - self->first_packed) % HL_TILE_COLUMNS;
  hl_attend_tile_multiply (self, queries, n_rows, *first_key, *end_key, weights, stride);
  add_distances (self, queries, first_query, n_rows, *first_key, *end_key, weights, stride);
  for (gsize i = 0; i < n_rows; i++)
    {
      float *row = weights + i * stride;

      if (self->scale != 1)
        scale_row (row + *first_key, *end_key - *first_key, self->scale);
      const HlSoftmaxNorm norm = hl_attend_rule_finish_row (self->rule, self->head, self->n_queries, self->n_keys,
                                                            first_query + i, get_seen (self, i), row);
      if (norms != NULL)
        norms[i] = norm;
    }
}

/* The same weights as hl_attend_tile() makes, without the work for all other keys. */
void
hl_attend_tile_part (const HlAttendHead  *self,
                     const float         *queries,
                     gsize                first_query,
                     gsize                n_rows,
                     gsize                first_key,
                     gsize                end_key,
                     const HlSoftmaxNorm *norms,
                     float               *weights,
                     gsize                stride)
{
  hl_attend_tile_multiply (self, queries, n_rows, first_key - first_key % HL_TILE_COLUMNS, end_key, weights, stride);
  add_distances (self, queries, first_query, n_rows, first_key, end_key, weights, stride);
  for (gsize i = 0; i < n_rows; i++)
    {
      float *row = weights + i * stride;

      if (self->scale != 1)
        scale_row (row + first_key, end_key - first_key, self->scale);
      hl_attend_rule_finish_part (self->rule, self->head, self->n_queries, self->n_keys, first_query + i, first_key,
                                  end_key, norms[i], get_seen (self, i), row);
    }
}

/* What attention hands on: weights times values, a few queries at a time, so that their scores stay in the cache and no map of n × n is
 * ever there. */

/* Queries of one head that a thread takes at a time. The panels of its keys are made once for them. */
#define BLOCK 192

/* One head. */
typedef struct
{
  HlAttendHead attend;
  gsize n_value_features;
  const float *queries;
  const float *keys;
  const float *values;
  float *output;
  gsize output_stride;
} Head;

/* What a thread works in. */
typedef struct
{
  float *keys;    /* panels, [ceil (n_keys / 32), n_features, 32] */
  float *values;  /* the last features, [n_keys, 32], unless they fill a panel anyway */
  float *queries; /* [rows of a tile, n_features], scaled */
  float *scores;  /* [rows of a tile, n_keys + 32], as the last panel may be wider than what is left */
} Room;

static gsize
get_room_size (gsize n_keys,
               gsize n_features)
{
  return (n_keys + HL_TILE_COLUMNS) * (n_features + HL_TILE_COLUMNS + HL_TILE_MAX_ROWS) + HL_TILE_MAX_ROWS * n_features;
}

static Room
split_room (float *numbers,
            gsize  n_keys,
            gsize  n_features)
{
  Room room;

  room.keys = numbers;
  room.values = room.keys + (n_keys + HL_TILE_COLUMNS) * n_features;
  room.scores = room.values + (n_keys + HL_TILE_COLUMNS) * HL_TILE_COLUMNS;
  room.queries = room.scores + (n_keys + HL_TILE_COLUMNS) * HL_TILE_MAX_ROWS;
  return room;
}

/* Puts the visible keys, and the values that are no whole panel, into the order of panels. */
static void
pack (const Head *self,
      const Room *room,
      gsize       first_key,
      gsize       end_key)
{
  const gsize n_features = self->attend.n_features, width = self->n_value_features;
  const gsize rest = width % HL_TILE_COLUMNS;

  hl_attend_pack_keys (self->keys + first_key * n_features, end_key - first_key, n_features, room->keys);
  for (gsize key = first_key; rest > 0 && key < end_key; key++)
    {
      float *row = room->values + (key - first_key) * HL_TILE_COLUMNS;

      memcpy (row, self->values + key * width + width - rest, rest * sizeof (float));
      memset (row + rest, 0, (HL_TILE_COLUMNS - rest) * sizeof (float));
    }
}

/* Weights, which lie in the room, times values. */
static void
sum_values (const Head *self,
            const Room *room,
            gsize       first_key,
            gsize       end_key,
            gsize       first_query,
            gsize       n_rows)
{
  const HlTile *tile = hl_tile_get (0);
  const gsize width = self->n_value_features;
  const gsize stride = hl_attend_tile_get_stride (self->attend.n_keys);
  const gsize rest = width % HL_TILE_COLUMNS;
  float *output = self->output + first_query * self->output_stride;
  float sums[HL_TILE_MAX_ROWS * HL_TILE_COLUMNS];

  for (gsize i = 0; i + HL_TILE_COLUMNS <= width; i += HL_TILE_COLUMNS)
    tile->multiply (n_rows, FALSE, end_key - first_key, room->scores + first_key, stride,
                    self->values + first_key * width + i, width, output + i, self->output_stride);
  if (rest == 0)
    return;
  tile->multiply (n_rows, FALSE, end_key - first_key, room->scores + first_key, stride,
                  room->values + (first_key - self->attend.first_packed) * HL_TILE_COLUMNS, HL_TILE_COLUMNS, sums,
                  HL_TILE_COLUMNS);
  for (gsize i = 0; i < n_rows; i++)
    memcpy (output + i * self->output_stride + width - rest, sums + i * HL_TILE_COLUMNS, rest * sizeof (float));
}

/* A tile's rows of queries. */
static void
attend_rows (const Head *self,
             const Room *room,
             gsize       first_query,
             gsize       end_query)
{
  const gsize width = self->attend.n_features;
  const gsize n_rows = end_query - first_query;
  const float scale = (float) self->attend.rule->scale;
  gsize first_key, end_key;

  for (gsize i = 0; i < n_rows * width; i++)
    room->queries[i] = self->queries[first_query * width + i] * scale;
  hl_attend_tile (&self->attend, room->queries, first_query, n_rows, room->scores,
                  hl_attend_tile_get_stride (self->attend.n_keys), &first_key, &end_key, NULL);
  sum_values (self, room, first_key, end_key, first_query, n_rows);
}

static void
attend_block (Head       *self,
              const Room *room,
              gsize       first_query,
              gsize       end_query)
{
  const HlMask *mask = &self->attend.rule->mask;
  const gsize n_rows = hl_tile_get (0)->n_rows;
  const gsize n_queries = end_query - first_query;
  const gsize n_tiles = (n_queries + n_rows - 1) / n_rows;
  gsize first_key, end_key, unused;

  hl_mask_get_visible (mask, self->attend.n_queries, self->attend.n_keys, first_query, &first_key, &unused);
  hl_mask_get_visible (mask, self->attend.n_queries, self->attend.n_keys, end_query - 1, &unused, &end_key);
  pack (self, room, first_key, end_key);
  self->attend.first_packed = first_key;
  for (gsize i = 0; i < n_tiles; i++)
    attend_rows (self, room, first_query + n_queries * i / n_tiles, first_query + n_queries * (i + 1) / n_tiles);
}

/* What distances add to the scores of a head; nothing where the rule has none. */
static void
open_distances (const HlAttentionRule *rule,
                guint                  head,
                gsize                  n_features,
                const float           *keys,
                gsize                  n_keys,
                HlAttendDistances     *distances)
{
  const HlDistances *tables = rule->distances;
  const gsize first = tables != NULL ? head * tables->n_rows * n_features : 0;

  if (tables != NULL)
    hl_attend_distances_init (distances, tables, n_features, tables->keys != NULL ? tables->keys + first : NULL,
                              tables->queries != NULL ? tables->queries + first : NULL, keys, n_keys);
}

/* Softmax(scale · Q·Kᵀ + mask) · V of every head, [n_queries, n_heads, n_value_features]. */
void
hl_attend_output (const HlAttentionRule *rule,
                  guint                  n_heads,
                  guint                  n_key_heads,
                  gsize                  n_queries,
                  gsize                  n_keys,
                  gsize                  n_features,
                  gsize                  n_value_features,
                  const float           *queries,
                  const float           *keys,
                  const float           *values,
                  float                 *output,
                  HlScratch             *scratch)
{
  /* What keys give with distances is made once for all queries. */
  const gsize block = rule->distances != NULL ? MAX (n_queries, 1) : BLOCK;
  const gsize n_blocks = (n_queries + block - 1) / block;
  const gsize n_threads = CLAMP (n_heads * n_blocks, 1, (gsize) omp_get_max_threads ());
  const gsize room_size = get_room_size (n_keys, n_features);
  float *numbers = hl_scratch_get (scratch, n_threads * room_size);

  g_return_if_fail (n_key_heads > 0 && n_heads % n_key_heads == 0);

#pragma omp parallel for schedule(dynamic) num_threads(n_threads)
  for (gsize i = 0; i < n_heads * n_blocks; i++)
    {
      const guint head = (guint) (i / n_blocks);
      const guint key_head = head / (n_heads / n_key_heads);
      const gsize first = i % n_blocks * block;
      const float *own_keys = keys + key_head * n_keys * n_features;
      g_auto (HlAttendDistances) distances = { 0 };
      const Room room = split_room (numbers + (gsize) omp_get_thread_num () * room_size, n_keys, n_features);
      Head one = {
        .attend = {
          .rule = rule,
          .head = head,
          .n_queries = n_queries,
          .n_keys = n_keys,
          .n_features = n_features,
          .panels = room.keys,
          .scale = 1,
        },
        .queries = queries + head * n_queries * n_features,
        .keys = own_keys,
        .n_value_features = n_value_features,
        .values = values + key_head * n_keys * n_value_features,
        .output = output + head * n_value_features,
        .output_stride = n_heads * n_value_features,
      };

      open_distances (rule, head, n_features, own_keys, n_keys, &distances);
      one.attend.distances = rule->distances != NULL ? &distances : NULL;
      attend_block (&one, &room, first, MIN (first + block, n_queries));
    }
}
