/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-attend-rule.h"
#include "core/compute/hl-tile.h"

G_BEGIN_DECLS

/**
 * HlAttendHead:
 * @rule: how weights follow from scores
 * @head: the query head, which the rule's bias depends on
 * @n_queries: queries of the map
 * @n_keys: keys of the map
 * @n_features: features of a head
 * @panels: keys as hl_attend_pack_keys() makes them
 * @first_packed: the key that @panels begin with
 * @scale: what products are multiplied by; 1 when queries are scaled already
 *
 * Where weights of a few queries come from.
 */
typedef struct
{
  const HlAttentionRule *rule;
  guint                  head;
  gsize                  n_queries;
  gsize                  n_keys;
  gsize                  n_features;
  const float           *panels;
  gsize                  first_packed;
  float                  scale;
} HlAttendHead;

gsize   hl_attend_tile_get_stride (gsize               n_keys);
void    hl_attend_pack_keys       (const float        *keys,
                                   gsize               n_keys,
                                   gsize               n_features,
                                   float              *panels);
GBytes *hl_attend_make_panels     (const float        *keys,
                                   gsize               n_keys,
                                   gsize               n_features);
void    hl_attend_tile_multiply   (const HlAttendHead *self,
                                   const float        *queries,
                                   gsize               n_rows,
                                   gsize               first_key,
                                   gsize               end_key,
                                   float              *products,
                                   gsize               stride);
void    hl_attend_tile            (const HlAttendHead *self,
                                   const float        *queries,
                                   gsize               first_query,
                                   gsize               n_rows,
                                   float              *weights,
                                   gsize               stride,
                                   gsize              *first_key,
                                   gsize              *end_key,
                                   HlSoftmaxNorm      *norms);
void    hl_attend_tile_part       (const HlAttendHead  *self,
                                   const float         *queries,
                                   gsize                first_query,
                                   gsize                n_rows,
                                   gsize                first_key,
                                   gsize                end_key,
                                   const HlSoftmaxNorm *norms,
                                   float               *weights,
                                   gsize                stride);

G_END_DECLS
