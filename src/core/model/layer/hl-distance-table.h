/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-norm.h"
#include "core/document/attention/hl-attention-rule.h"
#include "core/model/checkpoint/hl-model-config.h"
#include "core/model/checkpoint/hl-weights.h"

G_BEGIN_DECLS

/**
 * HlDistanceParts:
 * @has_keys: whether queries are multiplied by keys of distances, `c2p`
 * @has_queries: whether keys are multiplied by queries of distances, `p2c`
 * @shared: whether the weights that make both are those of tokens
 *
 * What config.json says of scores that depend on distance and content.
 */
typedef struct
{
  gboolean has_keys;
  gboolean has_queries;
  gboolean shared;
} HlDistanceParts;

/**
 * HlDistanceTable:
 * @parts: what is made of it
 * @rows: [2 · @span, @width]: of each range of distances what its keys and queries are made of
 * @width: features of a row
 * @span: rows of either sign
 * @n_near: distances that have a row each; 0 for all
 * @max_distance: the distance from which on all have the last row; 0 where @n_near is
 *
 * What a model knows of distances (He et al. 2021).
 */
typedef struct
{
  HlDistanceParts parts;
  float *rows;
  gsize  width;
  gsize  span;
  gsize  n_near;
  gsize  max_distance;
} HlDistanceTable;

gboolean         hl_distance_parts_read        (HlDistanceParts       *self,
                                                HlModelConfig         *config,
                                                GError               **error);
HlDistanceTable *hl_distance_table_load        (HlWeights             *weights,
                                                HlModelConfig         *config,
                                                const char            *name,
                                                const char            *norm_name,
                                                gsize                  width,
                                                float                  epsilon,
                                                GError               **error);
void             hl_distance_table_free        (HlDistanceTable       *self);
gsize            hl_distance_table_get_n_rows  (const HlDistanceTable *self,
                                                gsize                  n);
HlDistances     *hl_distance_table_find_rows   (const HlDistanceTable *self,
                                                gsize                  n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlDistanceTable, hl_distance_table_free)

G_END_DECLS
