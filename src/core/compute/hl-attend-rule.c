/* SPDX-License-Identifier: MIT */
/* From scores to weights by the rule of a layer. */
#include "core/compute/hl-attend-rule.h"

#include "core/base/hl-kernel.h"
#include "core/compute/hl-attend.h"
#include "core/compute/hl-vector-math.h"

#include <string.h>

HL_KERNEL static void
cap_scores (float *scores,
            gsize  n,
            float  softcap)
{
  for (gsize i = 0; i < n; i++)
    scores[i] = softcap * hl_tanh (scores[i] / softcap);
}

/**
 * hl_attend_rule_finish_row:
 * @rule: a rule
 * @head: the query head, which @rule's bias depends on
 * @n_queries: queries of the map
 * @n_keys: keys of the map
 * @query: the row's query
 * @row: (inout) (array): [n_keys] scaled scores, which become weights
 *
 * Soft cap, bias, mask and softmax of one row of scores. What the mask hides becomes 0, whatever stood there.
 */
void
hl_attend_rule_finish_row (const HlAttentionRule *rule,
                           guint               head,
                           gsize               n_queries,
                           gsize               n_keys,
                           gsize               query,
                           float              *row)
{
  gsize first, end;

  hl_mask_get_visible (&rule->mask, n_queries, n_keys, query, &first, &end);
  if (rule->softcap > 0)
    cap_scores (row + first, end - first, (float) rule->softcap);
  if (rule->bias != NULL)
    {
      const float *bias = rule->bias + head * (n_queries + n_keys - 1) + (n_queries - 1 - query);
      for (gsize key = first; key < end; key++)
        row[key] += bias[key];
    }
  hl_attend_softmax (row + first, end - first);
  memset (row, 0, first * sizeof (float));
  memset (row + end, 0, (n_keys - end) * sizeof (float));
}
