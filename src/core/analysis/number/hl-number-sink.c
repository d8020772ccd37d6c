/* SPDX-License-Identifier: MIT */
/* The weight that is parked: that on the first key, or, in a row of a model with learned sinks, what the row leaves of
 * 1; Xiao et al. 2023. Above 0.3 a head is said to have a sink. Maps without hidden tokens, or with other quantities than
 * weights, have rows that do not sum to 1 for other causes: there it is the first key. */
#include "core/analysis/number/hl-head-number.h"

#include <glib/gi18n-lib.h>

/* Rows of weights in 16 bits do not sum to 1 either, but nearly. */
#define LEAST_REST 0.01

static double
measure (const HlHeadQuery *query)
{
  double rest = 1;

  if (query->sunk > 0)
    return query->sunk;
  for (gsize key = 0; key < query->n_keys; key++)
    rest -= query->weights[key];
  return rest > LEAST_REST && !query->is_derived ? rest : query->weights[0];
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
