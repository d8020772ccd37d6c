/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-mask.h"

G_BEGIN_DECLS

/**
 * HlAttentionRule:
 * @scale: what q·k is multiplied by; 1/√d in most models
 * @softcap: c: a score s becomes c·tanh(s/c) before bias and mask, as Gemma 2 does; 0 for no cap
 * @mask: which keys a query cannot see
 * @bias: (nullable): [n_heads, n_queries + n_keys − 1], what is added to a score, by key − query + n_queries − 1
 *
 * How the weights of a layer follow from its queries and keys: the softmax over keys of cap(@scale · q·k) + @bias, of
 * the keys that @mask leaves (Vaswani et al. 2017, 3.2.1; the bias: Raffel et al. 2020, 2.1). A rule does not own its
 * bias.
 */
typedef struct
{
  double       scale;
  double       softcap;
  HlMask       mask;
  const float *bias;
} HlAttentionRule;

G_END_DECLS
