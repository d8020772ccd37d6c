/* SPDX-License-Identifier: MIT */
/* The orders in which families have put queries, keys and values into one tensor. */
#include "core/model/layer/hl-head-layout.h"

/* Where the queries (0), keys (1) or values (2) of a layer's heads are in a row of the products of all three. */
HlHeadLayout
hl_head_layout_get (const HlLayerShape *shape,
                    HlFusedOrder        order,
                    guint               part)
{
  const gsize size = shape->head_size, own_size = part == 2 ? shape->value_size : size;
  const guint group = shape->n_heads / shape->n_key_heads, quarter = shape->n_heads / 4;
  const gsize query_step = shape->gated ? 2 * size : size, key_width = shape->n_key_heads * size;
  const gsize in_turn[] = { 0, shape->n_heads * query_step, shape->n_heads * query_step + key_width };
  const gsize by_key_head[] = { 0, group * size, (group + 1) * size };
  const gsize in_quarters[] = { 0, quarter * (size + shape->value_size), quarter * size };

  switch (order)
    {
    case HL_FUSED_IN_TURN:
      return (HlHeadLayout){ in_turn[part], part == 0 ? query_step : own_size, shape->n_heads, 0 };
    case HL_FUSED_BY_KEY_HEAD:
      return (HlHeadLayout){ by_key_head[part], own_size, part == 0 ? group : 1,
                             (group + 1) * size + shape->value_size };
    case HL_FUSED_IN_QUARTERS:
      return (HlHeadLayout){ in_quarters[part], own_size, quarter, quarter * (2 * size + shape->value_size) };
    default:
      g_assert_not_reached ();
    }
}
