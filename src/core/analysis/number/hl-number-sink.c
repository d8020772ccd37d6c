/* SPDX-License-Identifier: MIT */
/* The weight that is parked: that on the first key, or, in a row of a model with learned sinks, what the row leaves of
 * 1; Xiao et al. 2023. Above 0.3 a head is said to have a sink. Other rows may sum to less than 1 for any cause, as where
 * the maps of a longer text were cut: what they leave is parked nowhere. */
#include "core/analysis/number/hl-head-number.h"

#include <glib/gi18n-lib.h>

static double
measure (const HlHeadQuery *query)
{
  return query->sunk > 0 ? query->sunk : query->weights[query->first_key];
}

const HlHeadNumber hl_head_number_sink = {
  .nick = "sink",
  .label = N_ ("in the sink"),
  .caption = N_ ("weight in the sink"),
  .choice = N_ ("Sink"),
  .title = NC_ ("table of heads", "Sink"),
  .sentence = N_ ("The mean weight that is parked on the first token or in a learned sink; above 0.3 a head has one"),
  .column_width = 64,
  .is_share = TRUE,
  .measure = measure,
};
