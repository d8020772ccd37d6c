/* SPDX-License-Identifier: MIT */
/* The weight on the key before the query's own position, on the one after it, and on itself; Clark et al. 2019, section
 * 3.1. A query that has no such key, as the first has no previous one, counts with 0. */
#include "core/analysis/number/hl-head-number.h"

#include <glib/gi18n-lib.h>

static double
get_weight (const HlHeadQuery *query,
            gint64             key)
{
  return key >= 0 && key < (gint64) query->n_keys ? query->weights[key] : 0;
}

static double
measure_previous (const HlHeadQuery *query)
{
  return get_weight (query, query->position - 1);
}

static double
measure_next (const HlHeadQuery *query)
{
  return get_weight (query, query->position + 1);
}

static double
measure_self (const HlHeadQuery *query)
{
  return get_weight (query, query->position);
}

const HlHeadNumber hl_head_number_previous = {
  .nick = "previous",
  .other_nick = "mass-previous",
  .label = N_ ("on the previous token"),
  .caption = N_ ("weight on the previous token"),
  .choice = N_ ("Previous Token"),
  .title = NC_ ("table of heads", "Previous"),
  .sentence = N_ ("The mean weight on the token before a query"),
  .column_width = 92,
  .is_share = TRUE,
  .needs = HL_HEAD_NUMBER_NEEDS_POSITIONS,
  .measure = measure_previous,
};

const HlHeadNumber hl_head_number_next = {
  .nick = "next",
  .other_nick = "mass-next",
  .label = N_ ("on the next token"),
  .caption = N_ ("weight on the next token"),
  .choice = N_ ("Next Token"),
  .title = NC_ ("table of heads", "Next"),
  .sentence = N_ ("The mean weight on the token behind a query"),
  .column_width = 68,
  .is_share = TRUE,
  .needs = HL_HEAD_NUMBER_NEEDS_POSITIONS,
  .measure = measure_next,
};

const HlHeadNumber hl_head_number_self = {
  .nick = "self",
  .other_nick = "mass-self",
  .label = N_ ("on itself"),
  .caption = N_ ("weight on itself"),
  .choice = N_ ("Self"),
  .title = NC_ ("table of heads", "Self"),
  .sentence = N_ ("The mean weight of a query on itself"),
  .column_width = 64,
  .is_share = TRUE,
  .needs = HL_HEAD_NUMBER_NEEDS_POSITIONS,
  .measure = measure_self,
};
