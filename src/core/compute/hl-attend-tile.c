/* SPDX-License-Identifier: MIT */
/* Weights of some queries at a time, as tiles of a product, so that a key is read once for many of them. */
#include "core/compute/hl-attend-tile.h"

#include "core/base/hl-kernel.h"

/* Numbers of the panels that all rows use before the next ones are fetched: half of what a cache of a core holds. */
#define PART_SIZE (1 << 17)

/**
 * hl_attend_tile_get_stride:
 * @n_keys: keys of a map
 *
 * Returns: how many numbers a row of weights needs, as the last panel of keys may be wider than what is left
 */
gsize
hl_attend_tile_get_stride (gsize n_keys)
{
  return n_keys + HL_TILE_COLUMNS;
}

/**
 * hl_attend_pack_keys:
 * @keys: [n_keys, n_features]
 * @n_keys: how many keys
 * @n_features: features of a head
 * @panels: (out caller-allocates): [⌈n_keys / 32⌉, n_features, 32]
 *
 * Puts keys into the order in which tiles use them.
 */
void
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

/**
 * hl_attend_make_panels:
 * @keys: [n_keys, n_features]
 * @n_keys: how many keys
 * @n_features: features of a head
 *
 * Returns: (transfer full) (nullable): what hl_attend_pack_keys() makes of them; %NULL when there is no memory
 */
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

/**
 * hl_attend_tile_multiply:
 * @self: where the keys are
 * @queries: [n_rows, n_features]
 * @n_rows: how many; the more, the less often a key is fetched
 * @first_key: a key that a panel begins with
 * @end_key: one past the last key that is wanted
 * @products: (out caller-allocates): [n_rows, n_keys], @stride numbers from one row to the next
 * @stride: at least hl_attend_tile_get_stride()
 *
 * Q·Kᵀ. The numbers of a query do not depend on what others it is asked for with.
 */
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

/**
 * hl_attend_tile:
 * @self: where the weights come from
 * @queries: [n_rows, n_features]
 * @first_query: the first of them in the map
 * @n_rows: how many
 * @weights: (out caller-allocates): [n_rows, n_keys], @stride numbers from one row to the next
 * @stride: at least hl_attend_tile_get_stride()
 * @first_key: (out): before it, all weights of all rows are 0
 * @end_key: (out): as are those from here on
 * @norms: (out caller-allocates) (optional): [n_rows] what hl_attend_tile_part() needs to know of the rows
 *
 * softmax(scale · Q·Kᵀ + mask), whole rows.
 */
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
  for (gsize i = 0; i < n_rows; i++)
    {
      float *row = weights + i * stride;

      if (self->scale != 1)
        scale_row (row + *first_key, *end_key - *first_key, self->scale);
      const HlSoftmaxNorm norm =
        hl_attend_rule_finish_row (self->rule, self->head, self->n_queries, self->n_keys, first_query + i, row);
      if (norms != NULL)
        norms[i] = norm;
    }
}

/**
 * hl_attend_tile_part:
 * @self: where the weights come from; packed from key 0 on
 * @queries: [n_rows, n_features]
 * @first_query: the first of them in the map
 * @n_rows: how many
 * @first_key: the first key whose weights are wanted
 * @end_key: one past the last
 * @norms: [n_rows] of the rows
 * @weights: (out caller-allocates): [n_rows, n_keys], of which only those keys' are set to what counts
 * @stride: numbers from one row to the next, at least hl_attend_tile_get_stride()
 *
 * The same weights as hl_attend_tile() makes, without the work for all other keys.
 */
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
  for (gsize i = 0; i < n_rows; i++)
    {
      float *row = weights + i * stride;

      if (self->scale != 1)
        scale_row (row + first_key, end_key - first_key, self->scale);
      hl_attend_rule_finish_part (self->rule, self->head, self->n_queries, self->n_keys, first_query + i, first_key,
                                  end_key, norms[i], row);
    }
}
