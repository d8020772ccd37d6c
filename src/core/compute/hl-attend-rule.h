/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlAttendRule:
 * @scale: what q·k is multiplied by
 * @softcap: c: a score s becomes c·tanh(s/c); 0 for no cap
 * @causal: a query sees only keys up to its own position; the last query stands at the last key
 * @window: with @causal, how many keys a query sees, its own position's included; without, how far it sees to both
 *   sides, likewise; 0 for all
 * @bias: (nullable): [n_heads, n_queries + n_keys − 1], what is added to a score, by key − query + n_queries − 1
 *
 * How the weights of a layer follow from its queries and keys.
 */
typedef struct
{
  float        scale;
  float        softcap;
  gboolean     causal;
  guint64      window;
  const float *bias;
} HlAttendRule;

void hl_attend_rule_get_visible (const HlAttendRule *rule,
                                 gsize               n_queries,
                                 gsize               n_keys,
                                 gsize               query,
                                 gsize              *first,
                                 gsize              *end);
void hl_attend_rule_finish_row  (const HlAttendRule *rule,
                                 guint               head,
                                 gsize               n_queries,
                                 gsize               n_keys,
                                 gsize               query,
                                 float              *row);

G_END_DECLS
