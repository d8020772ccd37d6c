/* SPDX-License-Identifier: MIT */
/* What attention hands on: weights times values, a few queries at a time, so that their scores stay in the cache and no map of n × n is
 * ever there. */
#include "core/compute/hl-attend-output.h"

#include "core/compute/hl-attend-tile.h"

#include <omp.h>
#include <string.h>

/* Queries of one head that a thread takes at a time. The panels of its keys are made once for them. */
#define BLOCK 192

/* One head. */
typedef struct
{
  HlAttendHead attend;
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
  float
    *scores; /* [rows of a tile, n_keys + 32], as the last panel may be wider than what is left */
} Room;

static gsize
get_room_size (gsize n_keys,
               gsize n_features)
{
  return (n_keys + HL_TILE_COLUMNS) * (n_features + HL_TILE_COLUMNS + HL_TILE_MAX_ROWS) +
         HL_TILE_MAX_ROWS * n_features;
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
  const gsize width = self->attend.n_features;
  const gsize rest = width % HL_TILE_COLUMNS;

  hl_attend_pack_keys (self->keys + first_key * width, end_key - first_key, width, room->keys);
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
  const gsize width = self->attend.n_features;
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
 * @scratch: memory to work in: about @n_keys × (@n_features + 44) numbers a thread
 *
 * softmax(scale · Q·Kᵀ + mask) · V of every head.
 */
void
hl_attend_output (const HlAttentionRule *rule,
                  guint                  n_heads,
                  guint                  n_key_heads,
                  gsize                  n_queries,
                  gsize                  n_keys,
                  gsize                  n_features,
                  const float           *queries,
                  const float           *keys,
                  const float           *values,
                  float                 *output,
                  HlScratch             *scratch)
{
  const gsize n_blocks = (n_queries + BLOCK - 1) / BLOCK;
  const gsize n_threads = CLAMP (n_heads * n_blocks, 1, (gsize) omp_get_max_threads ());
  const gsize room_size = get_room_size (n_keys, n_features);
  float *numbers = hl_scratch_get (scratch, n_threads * room_size);

  g_return_if_fail (n_key_heads > 0 && n_heads % n_key_heads == 0);

#pragma omp parallel for schedule(dynamic) num_threads(n_threads)
  for (gsize i = 0; i < n_heads * n_blocks; i++)
    {
      const guint head = (guint) (i / n_blocks);
      const guint key_head = head / (n_heads / n_key_heads);
      const gsize first = i % n_blocks * BLOCK;
      const Room room =
        split_room (numbers + (gsize) omp_get_thread_num () * room_size, n_keys, n_features);
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
        .keys = keys + key_head * n_keys * n_features,
        .values = values + key_head * n_keys * n_features,
        .output = output + head * n_features,
        .output_stride = n_heads * n_features,
      };

      attend_block (&one, &room, first, MIN (first + BLOCK, n_queries));
    }
}
