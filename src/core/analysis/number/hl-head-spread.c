/* SPDX-License-Identifier: MIT */
/* Mean and spread of values that come one at a time and are not kept: Welford 1962. */
#include "core/analysis/number/hl-head-spread.h"

#include <math.h>

/**
 * hl_head_spread_add:
 * @self: what is known so far
 * @value: one more value; one that is not finite is none
 */
void
hl_head_spread_add (HlHeadSpread *self,
                    double        value)
{
  g_return_if_fail (self != NULL);

  if (!isfinite (value))
    return;
  const double distance = value - self->mean;
  self->n++;
  self->mean += distance / (double) self->n;
  self->squares += distance * (value - self->mean);
}

/**
 * hl_head_spread_get_mean:
 * @self: what is known of some values
 *
 * Returns: their mean; NaN if there is none
 */
double
hl_head_spread_get_mean (const HlHeadSpread *self)
{
  g_return_val_if_fail (self != NULL, NAN);

  return self->n > 0 ? self->mean : NAN;
}

/**
 * hl_head_spread_get_deviation:
 * @self: what is known of some values
 *
 * Returns: their sample standard deviation, the sum of squares divided by n − 1; NaN of fewer than two
 */
double
hl_head_spread_get_deviation (const HlHeadSpread *self)
{
  g_return_val_if_fail (self != NULL, NAN);

  return self->n > 1 ? sqrt (self->squares / (double) (self->n - 1)) : NAN;
}
