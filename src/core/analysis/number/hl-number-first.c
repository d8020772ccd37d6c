/* SPDX-License-Identifier: MIT */
/* The weight on the first key, where many heads park what they have no use for; Xiao et al. 2023. */
#include "core/analysis/number/hl-head-number.h"

#include <glib/gi18n-lib.h>

static double
measure (const HlHeadQuery *query)
{
  return query->weights[query->first_key];
}

const HlHeadNumber hl_head_number_first = {
  .nick = "first",
  .other_nick = "mass-first",
  .label = N_ ("on the first token"),
  .caption = N_ ("weight on the first token"),
  .choice = N_ ("First Token"),
  .title = NC_ ("table of heads", "First"),
  .sentence = N_ ("The mean weight on the first token"),
  .column_width = 70,
  .is_share = TRUE,
  .measure = measure,
};
