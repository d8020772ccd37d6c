/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/hl-stack-rows.h"

G_BEGIN_DECLS

/**
 * HlStackHeads:
 * @products: [rows, hl_layer_shape_get_products()], what the products of a sublayer come to
 * @queries: of each stream [n_heads, n, head_size]
 * @keys: of each stream, or of its memory, [n_key_heads, n, head_size]
 * @values: likewise [n_key_heads, n, value_size]
 * @scratch: for products
 * @room: for what queries and keys are made of
 *
 * Room for what hl_stack_project() makes.
 */
typedef struct
{
  float *products;
  float *queries;
  float *keys;
  float *values;
  HlScratch *scratch;
  HlScratch *room;
} HlStackHeads;

void hl_stack_project (const HlStack             *stack,
                       const HlStackRows         *rows,
                       const HlAttentionSublayer *attention,
                       const HlLayerShape        *shape,
                       const float               *input,
                       const float               *memory,
                       gboolean                   has_keys,
                       const HlStackHeads        *heads);
void hl_stack_project_distances
                      (const HlStack             *stack,
                       HlStackRows               *rows,
                       const HlAttentionSublayer *attention,
                       const HlLayerShape        *shape,
                       HlScratch                 *scratch);

G_END_DECLS
