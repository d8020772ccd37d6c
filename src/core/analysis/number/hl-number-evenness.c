/* SPDX-License-Identifier: MIT */
/*
 * The entropy of a query's weights as a part of the largest that there can be, ln(keys that it sees): 1 of a query that looks at all
 * alike, 0 of one that looks at one key alone. So texts of any length, and queries of a causal map, can be set beside one another, which entropies cannot
 * (Clark et al. 2019, section 3.3, give the bound beside them). A query that sees a single key does not count. A learned sink is one more key.
 */
#include "core/analysis/number/hl-head-number.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static gsize
count_visible (const HlHeadQuery *query)
{
  gsize n = query->end_visible - query->first_visible;

  for (gsize key = query->first_visible; query->mask->scattered && key < query->end_visible; key++)
    n -= hl_weight_is_masked (query->mask, query->weights[key]);
  return n;
}

static double
measure (const HlHeadQuery *query)
{
  const gsize n = count_visible (query) + (query->sunk > 0 ? 1 : 0);

  return n > 1 ? hl_head_number_entropy.measure (query) / log ((double) n) : NAN;
}

const HlHeadNumber hl_head_number_evenness = {
  .nick = "evenness",
  .label = N_ ("evenness"),
  .caption = N_ ("evenness"),
  .choice = N_ ("Evenness"),
  .title = NC_ ("table of heads", "Evenness"),
  .sentence = N_ ("Entropy as a part of what it can be at most: 0 on one key alone, 1 on all alike"),
  .column_width = 92,
  .is_share = TRUE,
  .group = HL_HEAD_NUMBER_GROUP_WEIGHTS,
  .measure = measure,
};
