/* SPDX-License-Identifier: MIT */
/* Mean and spread of values that come one at a time and are not kept: Welford 1962; of two parts, Chan, Golub and LeVeque 1979. */
#include "core/analysis/number/hl-head-spread.h"

#include <math.h>

/**
 * hl_head_spread_add:
 * @self: what is known so far
 * @value: one more value; one that is not finite is only counted
 */
void
hl_head_spread_add (HlHeadSpread *self,
                    double        value)
{
  g_return_if_fail (self != NULL);

  if (!isfinite (value))
    {
      self->n_undefined++;
      return;
    }
  const double distance = value - self->mean;
  self->min = self->n > 0 ? MIN (self->min, value) : value;
  self->max = self->n > 0 ? MAX (self->max, value) : value;
  self->n++;
  self->mean += distance / (double) self->n;
  self->squares += distance * (value - self->mean);
}

/**
 * hl_head_spread_merge:
 * @self: what is known of some values
 * @other: what is known of others, which are added
 */
void
hl_head_spread_merge (HlHeadSpread       *self,
                      const HlHeadSpread *other)
{
  g_return_if_fail (self != NULL && other != NULL);

  const guint64 n_undefined = self->n_undefined + other->n_undefined;
  if (other->n > 0 && self->n == 0)
    *self = *other;
  else if (other->n > 0)
    {
      const double n = (double) (self->n + other->n), part = (double) other->n / n;
      const double distance = other->mean - self->mean;

      self->squares += other->squares + distance * distance * (double) self->n * part;
      self->mean += distance * part;
      self->min = MIN (self->min, other->min);
      self->max = MAX (self->max, other->max);
      self->n += other->n;
    }
  self->n_undefined = n_undefined;
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
