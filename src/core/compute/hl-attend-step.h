/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-scratch.h"
#include "core/document/attention/hl-attention-rule.h"

G_BEGIN_DECLS

/**
 * HlKeptKeys:
 * @keys: [n_key_heads, stride], a head's first n_keys · n_features numbers being its keys
 * @values: likewise, with @value_stride
 * @stride: numbers from one head's keys to the next
 * @value_stride: numbers from one head's values to the next
 * @n_key_heads: how many heads
 * @n_keys: keys of each
 *
 * Keys and values that are kept with room for more.
 */
typedef struct
{
  const float *keys;
  const float *values;
  gsize        stride;
  gsize        value_stride;
  guint        n_key_heads;
  gsize        n_keys;
} HlKeptKeys;

void hl_attend_step (const HlAttentionRule *rule,
                     guint                  n_heads,
                     gsize                  n_queries,
                     gsize                  n_features,
                     gsize                  n_value_features,
                     const float           *queries,
                     const HlKeptKeys      *kept,
                     float                 *output,
                     HlScratch             *scratch);

G_END_DECLS
