/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention-rule.h"

G_BEGIN_DECLS

/* Zeros of what the rule hides in a row, or in the part of it that begins with @first_key, become the −0 by which
 * hl_weight_is_masked() knows them. */
static inline void
hl_mask_mark (const HlMask *mask,
              gsize         n_queries,
              gsize         n_keys,
              gsize         query,
              gsize         first_key,
              gsize         n,
              float        *weights)
{
  gsize first, end;

  hl_mask_get_visible (mask, n_queries, n_keys, query, &first, &end);
  for (gsize i = 0; i < n; i++)
    if ((first_key + i < first || first_key + i >= end) && weights[i] == 0)
      weights[i] = -0.0f;
}

G_END_DECLS
