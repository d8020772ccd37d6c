/* SPDX-License-Identifier: MIT */
/*
 * What heads do with tokens that a text has more than once: how much they look at the others that are the same, and how much at what came behind an earlier
 * one, which is what an induction head does (Olsson et al. 2022: prefix matching). Only queries that have such a key count, and where they are
 * fewer than 3 it would be chance. A key that is the token before the query is no sign of induction: a head that looks at what came before
 * looks there, too.
 */
#include "core/analysis/number/hl-head-number.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define LEAST_QUERIES 3

static guint32
get_token (const HlHeadQuery *query)
{
  return query->position >= 0 && query->position < (gint64) query->n_keys ? query->tokens[query->position] : 0;
}

static double
measure_same (const HlHeadQuery *query)
{
  const guint32 token = get_token (query);
  gboolean has_any = FALSE;
  double sum = 0;

  for (gsize key = query->first_visible; token != 0 && key < query->end_visible; key++)
    if (query->tokens[key] == token && (gint64) key != query->position &&
        !hl_weight_is_masked (query->mask, query->weights[key]))
      {
        sum += query->weights[key];
        has_any = TRUE;
      }
  return has_any ? sum : NAN;
}

static double
measure_next (const HlHeadQuery *query)
{
  const guint32 token = get_token (query);
  gboolean has_any = FALSE;
  double sum = 0;

  for (gsize key = MAX (query->first_visible, 1);
       token != 0 && key < query->end_visible && (gint64) key + 1 < query->position; key++)
    if (query->tokens[key - 1] == token && !hl_weight_is_masked (query->mask, query->weights[key]))
      {
        sum += query->weights[key];
        has_any = TRUE;
      }
  return has_any ? sum : NAN;
}

const HlHeadNumber hl_head_number_same_token = {
  .nick = "same-token",
  .label = N_ ("on the same token elsewhere"),
  .caption = N_ ("weight on the same token elsewhere"),
  .choice = N_ ("Same Token"),
  .title = NC_ ("table of heads", "Same"),
  .sentence = N_ ("Of tokens that the text has more than once, the mean weight on the others that are the same"),
  .column_width = 72,
  .is_share = TRUE,
  .group = HL_HEAD_NUMBER_GROUP_WEIGHTS,
  .needs = HL_HEAD_NUMBER_NEEDS_TOKENS | HL_HEAD_NUMBER_NEEDS_POSITIONS,
  .measure = measure_same,
  .least_queries = LEAST_QUERIES,
};

const HlHeadNumber hl_head_number_same_next = {
  .nick = "same-next",
  .label = N_ ("behind the same token before"),
  .caption = N_ ("weight on what came behind the same token before"),
  .choice = N_ ("Behind the Same Token"),
  .title = NC_ ("table of heads", "Behind the Same"),
  .sentence =
    N_ ("Of tokens that came before, the mean weight on what came behind them then, as an induction head has it"),
  .column_width = 136,
  .is_share = TRUE,
  .group = HL_HEAD_NUMBER_GROUP_WEIGHTS,
  .needs = HL_HEAD_NUMBER_NEEDS_TOKENS | HL_HEAD_NUMBER_NEEDS_POSITIONS,
  .measure = measure_next,
  .least_queries = LEAST_QUERIES,
};
