/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"
#include "core/document/read/base/hl-dump-context.h"
#include "core/document/read/base/hl-dump-maps.h"

G_BEGIN_DECLS

/**
 * HL_DUMP_N_PROJECTIONS:
 *
 * W_Q, W_K and W_V, and then their biases, as the first values of #HlIngredient are.
 */
#define HL_DUMP_N_PROJECTIONS 6

/**
 * HlDumpProjection:
 * @maps: by #HlIngredient up to %HL_INGREDIENT_VALUE_BIAS: `query_projection` …, `query_bias` …
 * @finishes: (nullable): `finish`, by layer: what becomes of their products before they are queries and keys, and of results
 *
 * What a dump holds of what queries, keys and values are projected from its inputs with. Each is empty unless it is there and fits.
 */
typedef struct
{
  HlDumpMaps maps[HL_DUMP_N_PROJECTIONS];
  HlFinish  *finishes;
} HlDumpProjection;

const char *hl_dump_projection_get_name (HlIngredient          which);
gboolean    hl_dump_projection_open     (HlDumpProjection     *self,
                                         const HlDumpContext  *context,
                                         const HlDumpMaps     *inputs,
                                         const HlDumpMaps     *made[3],
                                         guint                 n_layers,
                                         GError              **error);
void        hl_dump_projection_clear    (HlDumpProjection     *self);

G_END_DECLS
