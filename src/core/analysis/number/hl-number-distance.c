/* SPDX-License-Identifier: MIT */
/* How far away a query looks: Σⱼ αᵢⱼ |i − j| in tokens; Vig and Belinkov 2019, section 4.2.4, here with the sign of the
 * distance dropped, so that it also tells of models that look ahead. Of a row that was made of others, such as one of
 * norms, or that leaves a part to a learned sink, it is that of the keys' shares. */
#include "core/analysis/number/hl-head-number.h"

#include <glib/gi18n-lib.h>

static double
measure (const HlHeadQuery *query)
{
  double distance = 0, sum = 0;

  for (gsize key = 0; key < query->n_keys; key++)
    {
      distance += (double) query->weights[key] * (double) ABS (query->position - (gint64) key);
      sum += query->weights[key];
    }
  return query->is_derived || query->sunk > 0 ? distance / sum : distance;
}

const HlHeadNumber hl_head_number_distance = {
  .nick = "distance",
  .label = N_ ("mean distance"),
  .caption = N_ ("mean distance"),
  .choice = N_ ("Distance"),
  .title = NC_ ("table of heads", "Distance"),
  .sentence = N_ ("How many tokens away from a query its weight lies, in the mean"),
  .column_width = 92,
  .needs = HL_HEAD_NUMBER_NEEDS_POSITIONS,
  .measure = measure,
};
