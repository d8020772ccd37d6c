/* SPDX-License-Identifier: MIT */
/*
 * How evenly a query spreads its weight: −Σⱼ αᵢⱼ ln αᵢⱼ in nats, 0 to ln(keys); Clark et al. 2019, section 3.3. Of a row
 * that was made of others, such as one of norms, it is that of the keys' shares. A learned sink counts as one more key.
 */
#include "core/analysis/number/hl-head-number.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static double
measure (const HlHeadQuery *query)
{
  double entropy = query->sunk > 0 ? -query->sunk * log (query->sunk) : 0, sum = 0;

  for (gsize key = 0; key < query->n_keys; key++)
    {
      const double weight = query->weights[key];

      if (weight > 0)
        {
          entropy -= weight * log (weight);
          sum += weight;
        }
    }
  return query->is_derived && sum > 0 ? MAX (entropy / sum + log (sum), 0) : entropy;
}

const HlHeadNumber hl_head_number_entropy = {
  .nick = "entropy",
  .label = N_ ("entropy"),
  .caption = N_ ("entropy"),
  .choice = N_ ("Entropy"),
  .title = NC_ ("table of heads", "Entropy"),
  .sentence = N_ ("How evenly queries spread their weight, in nats: 0 on one key alone"),
  .column_width = 88,
  .measure = measure,
};
