/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlRowExtremes:
 * @min: the smallest finite number; ∞ when there is none
 * @min_positive: the smallest number over 0; ∞ when there is none
 * @max: the greatest finite number; −∞ when there is none
 * @n_nan: how many are no numbers
 *
 * What a scale of values must know of a row.
 */
typedef struct
{
  float min;
  float min_positive;
  float max;
  guint n_nan;
} HlRowExtremes;

HlRowExtremes hl_row_extremes_find (const float *row,
                                    gsize        n);

G_END_DECLS
