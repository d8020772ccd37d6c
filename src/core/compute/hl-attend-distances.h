/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention-rule.h"

G_BEGIN_DECLS

/**
 * HlAttendDistances:
 * @distances: which rows the tables have
 * @n_features: features of a head
 * @keys: (nullable): the keys of distances, as panels of a product
 * @products: (nullable): [n_keys, hl_attend_distances_get_stride()], what each key gives with the queries of distances
 *
 * What distances add to the scores of a head, made ready for its queries.
 */
typedef struct
{
  const HlDistances *distances;
  gsize              n_features;
  float             *keys;
  float             *products;
} HlAttendDistances;

void     hl_attend_distances_init  (HlAttendDistances       *self,
                                    const HlDistances       *distances,
                                    gsize                    n_features,
                                    const float             *distance_keys,
                                    const float             *distance_queries,
                                    const float             *keys,
                                    gsize                    n_keys);
void     hl_attend_distances_clear (HlAttendDistances       *self);
gsize    hl_attend_distances_get_size
                                   (const HlAttendDistances *self,
                                    gsize                    n_keys);
void     hl_attend_distances_add   (const HlAttendDistances *self,
                                    const float             *queries,
                                    gsize                    n_rows,
                                    gsize                    n_queries,
                                    gsize                    first_query,
                                    gsize                    first_key,
                                    gsize                    end_key,
                                    float                    key_factor,
                                    float                   *scores,
                                    gsize                    stride);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlAttendDistances, hl_attend_distances_clear)

G_END_DECLS
