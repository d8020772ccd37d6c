/* SPDX-License-Identifier: MIT */
/* Scores that depend on distance and content (He et al. 2021): a query's products with the keys of distances, and a key's with their queries,
 * each found where its distance has its row. */
#include "core/compute/hl-attend-distances.h"

#include "core/base/hl-kernel.h"
#include "core/compute/hl-tile.h"

/* Numbers in a row of products: the last panel may be wider than what is left. */
static gsize
get_stride (const HlDistances *distances)
{
  return distances->n_rows + HL_TILE_COLUMNS;
}

/* Puts rows into the order in which tiles use them. */
static float *
make_panels (const float *rows,
             gsize        n_rows,
             gsize        width)
{
  const HlTile *tile = hl_tile_get (0);
  float *panels = g_new (float, (n_rows + HL_TILE_COLUMNS) * width);

  for (gsize row = 0; row < n_rows; row += HL_TILE_COLUMNS)
    tile->pack (MIN (n_rows - row, HL_TILE_COLUMNS), width, rows + row * width, width, panels + row * width);
  return panels;
}

static void
multiply (const float *rows,
          gsize        n_rows,
          gsize        width,
          const float *panels,
          gsize        n_columns,
          float       *products,
          gsize        stride)
{
  const HlTile *tile = hl_tile_get (0);

  for (gsize row = 0; row < n_rows; row += tile->n_rows)
    for (gsize column = 0; column < n_columns; column += HL_TILE_COLUMNS)
      tile->multiply (MIN (n_rows - row, tile->n_rows), FALSE, width, rows + row * width, width,
                      panels + column * width, HL_TILE_COLUMNS, products + row * stride + column, stride);
}

/* Of tables of a head, [n_rows, n_features], either of which may be %NULL, and its keys. */
void
hl_attend_distances_init (HlAttendDistances *self,
                          const HlDistances *distances,
                          gsize              n_features,
                          const float       *distance_keys,
                          const float       *distance_queries,
                          const float       *keys,
                          gsize              n_keys)
{
  const gsize stride = get_stride (distances);

  *self = (HlAttendDistances){ .distances = distances, .n_features = n_features };
  if (distance_keys != NULL)
    self->keys = make_panels (distance_keys, distances->n_rows, n_features);
  if (distance_queries == NULL)
    return;
  g_autofree float *panels = make_panels (distance_queries, distances->n_rows, n_features);
  self->products = g_new (float, n_keys *stride);
  multiply (keys, n_keys, n_features, panels, distances->n_rows, self->products, stride);
}

void
hl_attend_distances_clear (HlAttendDistances *self)
{
  g_clear_pointer (&self->keys, g_free);
  g_clear_pointer (&self->products, g_free);
}

/* Returns the bytes that it keeps. */
gsize
hl_attend_distances_get_size (const HlAttendDistances *self,
                              gsize                    n_keys)
{
  gsize n = 0;

  if (self->keys != NULL)
    n += (self->distances->n_rows + HL_TILE_COLUMNS) * self->n_features;
  if (self->products != NULL)
    n += n_keys * get_stride (self->distances);
  return n * sizeof (float);
}

HL_KERNEL static void
add_query_part (const guint32 *rows,
                const float   *products,
                gsize          first_key,
                gsize          end_key,
                float         *scores)
{
  for (gsize key = first_key; key < end_key; key++)
    scores[key] += products[rows[key]];
}

HL_KERNEL static void
add_key_part (const guint32 *rows,
              const float   *products,
              gsize          stride,
              gsize          first_key,
              gsize          end_key,
              float          factor,
              float         *scores)
{
  for (gsize key = first_key; key < end_key; key++)
    scores[key] += factor * products[key * stride + rows[key]];
}

/* Adds to the scores of some queries, [n_rows, stride]. What queries give is scaled as they are; what keys give is multiplied by @key_factor. */
void
hl_attend_distances_add (const HlAttendDistances *self,
                         const float             *queries,
                         gsize                    n_rows,
                         gsize                    n_queries,
                         gsize                    first_query,
                         gsize                    first_key,
                         gsize                    end_key,
                         float                    key_factor,
                         float                   *scores,
                         gsize                    stride)
{
  const gsize own_stride = get_stride (self->distances);
  g_autofree float *products = self->keys != NULL ? g_new (float, n_rows *own_stride) : NULL;

  if (products != NULL)
    multiply (queries, n_rows, self->n_features, self->keys, self->distances->n_rows, products, own_stride);
  for (gsize i = 0; i < n_rows; i++)
    {
      const guint32 *rows = self->distances->rows + (n_queries - 1 - (first_query + i));

      if (products != NULL)
        add_query_part (rows, products + i * own_stride, first_key, end_key, scores + i * stride);
      if (self->products != NULL)
        add_key_part (rows, self->products, own_stride, first_key, end_key, key_factor, scores + i * stride);
    }
}
