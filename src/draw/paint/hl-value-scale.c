/* SPDX-License-Identifier: MIT */
/*
 * Scales: the arithmetic between numbers and positions. hl-value-ticks.c chooses the numbers to
 * write.
 */
#include "draw/paint/hl-value-scale.h"

#include "config.h"

#include <float.h>
#include <glib/gi18n-lib.h>
#include <math.h>

/* Less is taken for 0: below, quotients of doubles are no longer exact, or finite. No float is so
 * small. */
#define TINY 1e-290

static void
init_log (HlValueScale *scale,
          double        min,
          double        max)
{
  if (max < TINY)
    {
      scale->degenerate = TRUE;
      min = max = 1.0;
    }

  /* A single number, too, gets a decade to stand at the upper end of. */
  scale->max = max;
  scale->min = max * pow (10.0, -HL_VALUE_SCALE_LOG_DECADES);
  if (min > scale->min)
    scale->min = MIN (min, max / 10.0);
}

/**
 * hl_value_scale_init:
 * @scale: (out caller-allocates): the scale
 * @kind: its kind
 * @min: the smallest value there is to show
 * @max: the largest; the two may be swapped, NaN or infinite
 *
 * Makes a scale for values between two ends. Every pair of ends gives a usable scale:
 *
 * - Linear, from @min to @max. When the two are the same, or nearly, zero becomes the other end;
 *   when both are zero or not finite, the scale goes from 0 to 1 and is degenerate.
 * - Logarithmic, from @min to @max, but over %HL_VALUE_SCALE_LOG_DECADES decades below @max at most
 *   and one at least. When nothing is positive, it ends at 1 and is degenerate: every value is at
 *   position 0.
 * - By row, from 0 to the largest value of each row. Its ends, and so its ticks, are fractions of
 *   that largest value, 0 to 1; @min and @max count for nothing.
 * - Cumulative, from 0 to 1; @min and @max count for nothing.
 */
void
hl_value_scale_init (HlValueScale    *scale,
                     HlValueScaleKind kind,
                     double           min,
                     double           max)
{
  g_return_if_fail (scale != NULL);

  *scale = (HlValueScale){ .kind = kind, .min = 0.0, .max = 1.0 };

  if (kind == HL_VALUE_SCALE_ROW || kind == HL_VALUE_SCALE_CUMULATIVE)
    return;

  if (!isfinite (min) || !isfinite (max))
    {
      scale->degenerate = TRUE;
      min = max = 0.0;
    }
  if (min > max)
    {
      double swap = min;
      min = max;
      max = swap;
    }

  if (kind == HL_VALUE_SCALE_LOG)
    {
      init_log (scale, min, max);
      return;
    }

  if (max - min <= 1e-9 * MAX (fabs (min), fabs (max)))
    {
      min = MIN (min, 0.0);
      max = MAX (max, 0.0);
    }
  if (max - min > TINY && max - min <= DBL_MAX)
    {
      scale->min = min;
      scale->max = max;
    }
  else
    scale->degenerate = TRUE;
}

/**
 * hl_value_scale_init_signed:
 * @scale: (out caller-allocates): the scale
 * @kind: its kind; a logarithm has no place for zero, so that %HL_VALUE_SCALE_LOG is linear
 * @limit: the largest distance from zero that there is to show
 *
 * Makes a scale for numbers on both sides of zero, which is in the middle. By row, it reaches as far to both sides as
 * the number of the row that is farthest from zero.
 */
void
hl_value_scale_init_signed (HlValueScale     *scale,
                            HlValueScaleKind  kind,
                            double            limit)
{
  g_return_if_fail (scale != NULL);

  limit = fabs (limit);
  const gboolean by_row = kind == HL_VALUE_SCALE_ROW;
  const gboolean degenerate = !by_row && !(limit > TINY && isfinite (limit));
  const double end = by_row || degenerate ? 1 : limit;
  *scale = (HlValueScale){ by_row ? kind : HL_VALUE_SCALE_LINEAR, -end, end, TRUE, degenerate };
}

static inline double
map_value (const HlValueScale *scale,
           double              value,
           double              row_max)
{
  double position;

  switch (scale->kind)
    {
    case HL_VALUE_SCALE_LINEAR:
    case HL_VALUE_SCALE_CUMULATIVE:
      position = (value - scale->min) / (scale->max - scale->min);
      break;
    case HL_VALUE_SCALE_LOG:
      if (value <= scale->min)
        return 0.0;
      position = log (value / scale->min) / log (scale->max / scale->min);
      break;
    case HL_VALUE_SCALE_ROW:
      if (!(row_max > 0.0))
        return isnan (value) ? value : scale->is_signed ? 0.5 : 0.0;
      position = scale->is_signed ? 0.5 + 0.5 * value / row_max : value / row_max;
      break;
    default:
      g_assert_not_reached ();
    }

  /* Written so that NaN stays NaN. */
  return position < 0.0 ? 0.0 : position > 1.0 ? 1.0 : position;
}

/**
 * hl_value_scale_map:
 * @scale: a scale
 * @value: a number
 * @row_max: the largest value of the number's whole row, of numbers with a sign their largest distance from zero; only
 *   looked at by %HL_VALUE_SCALE_ROW
 *
 * Finds the position of a number. Beyond the ends it is that of the end, for NaN it is NaN. In a
 * row without anything positive, everything is at 0.
 *
 * Returns: 0 to 1, or NaN
 */
double
hl_value_scale_map (const HlValueScale *scale,
                    double              value,
                    double              row_max)
{
  g_return_val_if_fail (scale != NULL, 0.0);

  return map_value (scale, value, row_max);
}

/**
 * hl_value_scale_map_row:
 * @scale: a scale
 * @values: (array length=n): numbers
 * @n: how many
 * @row_max: the largest value of the whole row that they are from; only looked at by
 *   %HL_VALUE_SCALE_ROW
 * @positions: (array length=n) (out caller-allocates): where the positions go; may be @values
 *
 * Finds the positions of the numbers of a row, as hl_value_scale_map() does.
 */
void
hl_value_scale_map_row (const HlValueScale *scale,
                        const float        *values,
                        gsize               n,
                        double              row_max,
                        float              *positions)
{
  g_return_if_fail (scale != NULL);
  g_return_if_fail (n == 0 || (values != NULL && positions != NULL));

  for (gsize i = 0; i < n; i++)
    positions[i] = (float) map_value (scale, values[i], row_max);
}

/**
 * hl_value_scale_unmap:
 * @scale: a scale
 * @position: a position, 0 to 1
 *
 * Finds the number at a position: the inverse of hl_value_scale_map(). For %HL_VALUE_SCALE_ROW it
 * is a fraction of the row's largest value.
 *
 * Returns: the number
 */
double
hl_value_scale_unmap (const HlValueScale *scale,
                      double              position)
{
  g_return_val_if_fail (scale != NULL, 0.0);

  position = CLAMP (position, 0.0, 1.0);
  if (scale->kind == HL_VALUE_SCALE_LOG)
    return scale->min * pow (scale->max / scale->min, position);

  return scale->min + position * (scale->max - scale->min);
}
