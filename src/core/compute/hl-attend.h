/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "core/compute/hl-attend-distances.h"
#include "core/compute/hl-scratch.h"
#include "core/compute/hl-tile.h"
#include "core/document/attention/hl-attention-rule.h"

G_BEGIN_DECLS

/**
 * HlSoftmaxNorm:
 * @greatest: the greatest score; −∞ when none is above that
 * @norm: one over the sum of exp (score − @greatest)
 *
 * What the softmax of a row must know of all its scores: a weight is exp (score − @greatest) · @norm.
 */
typedef struct
{
  float greatest;
  float norm;
} HlSoftmaxNorm;

HlSoftmaxNorm hl_attend_softmax   (float         *scores,
                                   gsize          n);

HlSoftmaxNorm hl_attend_rule_finish_row  (const HlAttentionRule *rule,
                                          guint                  head,
                                          gsize                  n_queries,
                                          gsize                  n_keys,
                                          gsize                  query,
                                          const guint8          *seen,
                                          float                 *row);

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
 * @distances: (nullable): what distances add
 * @seen: (nullable): [rows at hand, n_keys], 0 for keys that a query does not see besides what the rule's mask hides; the first row is that of the
 *   first query that weights are made for
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
  const HlAttendDistances *distances;
  const guint8          *seen;
} HlAttendHead;

gsize   hl_attend_tile_get_stride (gsize               n_keys);
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

void hl_attend_output (const HlAttentionRule *rule,
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
                       HlScratch             *scratch);

G_END_DECLS
