/* SPDX-License-Identifier: MIT */
/* From scores to weights by the rule of a layer. */
#include "core/compute/hl-attend-rule.h"

#include "core/base/hl-kernel.h"
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

/* Soft cap and bias of the scores of some keys, all of which the query sees. */
static void
finish_scores (const HlAttentionRule *rule,
               guint                  head,
               gsize                  n_queries,
               gsize                  n_keys,
               gsize                  query,
               gsize                  first,
               gsize                  end,
               float                 *row)
{
  if (rule->softcap > 0)
    cap_scores (row + first, end - first, (float) rule->softcap);
  if (rule->bias == NULL)
    return;
  const float *bias = rule->bias + head * (n_queries + n_keys - 1) + (n_queries - 1 - query);
  for (gsize key = first; key < end; key++)
    row[key] += bias[key];
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
 *
 * Returns: what hl_attend_rule_finish_part() needs to know of the row
 */
HlSoftmaxNorm
hl_attend_rule_finish_row (const HlAttentionRule *rule,
                           guint                  head,
                           gsize                  n_queries,
                           gsize                  n_keys,
                           gsize                  query,
                           float                 *row)
{
  gsize first, end;

  hl_mask_get_visible (&rule->mask, n_queries, n_keys, query, &first, &end);
  finish_scores (rule, head, n_queries, n_keys, query, first, end, row);
  const HlSoftmaxNorm norm = hl_attend_softmax (row + first, end - first);
  memset (row, 0, first * sizeof (float));
  memset (row + end, 0, (n_keys - end) * sizeof (float));
  return norm;
}

/**
 * hl_attend_rule_finish_part:
 * @rule: a rule
 * @head: as in hl_attend_rule_finish_row()
 * @n_queries: likewise
 * @n_keys: likewise
 * @query: likewise
 * @first_key: the first key whose weight is wanted
 * @end_key: one past the last
 * @norm: what hl_attend_rule_finish_row() returned for the row
 * @row: (inout) (array): [n_keys], of which only the scores of those keys are there
 *
 * Makes the weights of some keys, the same as in the whole row.
 */
void
hl_attend_rule_finish_part (const HlAttentionRule *rule,
                            guint                  head,
                            gsize                  n_queries,
                            gsize                  n_keys,
                            gsize                  query,
                            gsize                  first_key,
                            gsize                  end_key,
                            HlSoftmaxNorm          norm,
                            float                 *row)
{
  gsize first, end;

  hl_mask_get_visible (&rule->mask, n_queries, n_keys, query, &first, &end);
  first = CLAMP (first, first_key, end_key);
  end = CLAMP (end, first, end_key);
  finish_scores (rule, head, n_queries, n_keys, query, first, end, row);
  hl_attend_normalise (row + first, end - first, norm);
  memset (row + first_key, 0, (first - first_key) * sizeof (float));
  memset (row + end, 0, (end_key - end) * sizeof (float));
}
