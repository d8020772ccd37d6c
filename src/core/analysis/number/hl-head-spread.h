/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlHeadSpread:
 * @n: how many values there were
 * @n_undefined: how many times there was none: NaN, or not finite
 * @mean: their mean
 * @squares: the sum of their squared distances from the mean
 * @min: the least
 * @max: the greatest
 *
 * What is kept of a number of a head over texts, or over heads. Begins as `{ 0 }`; mean, least and greatest mean something once @n is not 0.
 */
typedef struct
{
  guint64 n;
  guint64 n_undefined;
  double mean;
  double squares;
  double min;
  double max;
} HlHeadSpread;

void hl_head_spread_add (HlHeadSpread *self, double value);
void hl_head_spread_merge (HlHeadSpread *self, const HlHeadSpread *other);
double hl_head_spread_get_mean (const HlHeadSpread *self);
double hl_head_spread_get_deviation (const HlHeadSpread *self);

G_END_DECLS
