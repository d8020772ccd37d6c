/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlHeadSpread:
 * @n: how many values there were
 * @mean: their mean
 * @squares: the sum of their squared distances from the mean
 *
 * What is kept of a number of a head over texts, or over heads. Begins as `{ 0 }`; the mean means something once @n is not 0.
 */
typedef struct
{
  guint64 n;
  double  mean;
  double  squares;
} HlHeadSpread;

void   hl_head_spread_add           (HlHeadSpread        *self,
                                     double               value);
double hl_head_spread_get_mean      (const HlHeadSpread  *self);
double hl_head_spread_get_deviation (const HlHeadSpread  *self);

G_END_DECLS
