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
#include <string.h>

/* Less is taken for 0: below, quotients of doubles are no longer exact, or finite. No float is so
 * small. */
#define TINY 1e-290

/* What a computation such as 3 * 0.1 is off by, relative to the step. */
#define SLACK 1e-6

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

/*
 * Makes a scale for values between two ends. Every pair of ends gives a usable scale: - Linear, from min to max.
 * When the two are the same, or nearly, zero becomes the other end; when both are zero or not finite, the scale goes
 * from 0 to 1 and is degenerate. - Logarithmic, from min to max, but over HL_VALUE_SCALE_LOG_DECADES decades below
 * max at most and one at least. When nothing is positive, it ends at 1 and is degenerate: every value is at position
 * 0. - By row, from 0 to the largest value of each row. Its ends, and so its ticks, are fractions of that largest
 * value, 0 to 1; min and max count for nothing. - Cumulative, from 0 to 1; min and max count for nothing.
 */
void
hl_value_scale_init (HlValueScale    *scale,
                     HlValueScaleKind kind,
                     double           min,
                     double           max)
{
  g_return_if_fail (scale != NULL);
  g_return_if_fail (kind != HL_VALUE_SCALE_AUTO);

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
      /* Not −0, which some mark masked cells with. */
      scale->min = min + 0.0;
      scale->max = max;
    }
  else
    scale->degenerate = TRUE;
}

/* Makes a scale for numbers on both sides of zero, which is in the middle. By row, it reaches as far to both sides
 * as the number of the row that is farthest from zero. */
void
hl_value_scale_init_signed (HlValueScale    *scale,
                            HlValueScaleKind kind,
                            double           limit)
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
    case HL_VALUE_SCALE_OFF_DIAGONAL:
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

/* Finds the position of a number. Beyond the ends it is that of the end, for NaN it is NaN. In a row without
 * anything positive, everything is at 0. */
double
hl_value_scale_map (const HlValueScale *scale,
                    double              value,
                    double              row_max)
{
  g_return_val_if_fail (scale != NULL, 0.0);

  return map_value (scale, value, row_max);
}

/* Finds the positions of the numbers of a row, as hl_value_scale_map() does. */
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

static void
replace_hyphen (char *text,
                gsize size)
{
  g_autoptr (GString) string = g_string_new (text);

  g_string_replace (string, "-", "\u2212", 0);
  g_strlcpy (text, string->str, size);
}

/* Writes the number, a multiple of 10^@exponent, in full or, where that takes many zeros, as 3e−7. */
void
hl_value_tick_write (HlValueTick *tick,
                     int          exponent)
{
  double value = tick->value;
  int magnitude = value == 0.0 ? 0 : (int) floor (log10 (fabs (value)) + SLACK);
  char format[16];

  if (value == 0.0)
    g_strlcpy (tick->label, "0", sizeof tick->label);
  else if (magnitude >= 6 || exponent <= -6)
    {
      int digits = MAX (magnitude - exponent, 0);
      double mantissa = value / pow (10.0, magnitude);
      char number[16];

      g_snprintf (format, sizeof format, "%%.%df", MIN (digits, 9));
      g_ascii_formatd (number, sizeof number, format, mantissa);
      g_snprintf (tick->label, sizeof tick->label, "%se%d", number, magnitude);
    }
  else
    {
      g_snprintf (format, sizeof format, "%%.%df", MAX (-exponent, 0));
      g_ascii_formatd (tick->label, sizeof tick->label, format, value);
    }

  replace_hyphen (tick->label, sizeof tick->label);
}

static void
append_tick (GArray             *ticks,
             const HlValueScale *scale,
             double              value,
             int                 exponent)
{
  HlValueTick tick = { .value = value };

  /* The row scale's ticks are fractions: of a row whose largest value is 1. */
  tick.position = hl_value_scale_map (scale, value, 1.0);
  hl_value_tick_write (&tick, exponent);
  g_array_append_val (ticks, tick);
}

static void
append_linear (GArray             *ticks,
               const HlValueScale *scale,
               guint               max_ticks)
{
  static const double factors[] = { 1.0, 2.0, 5.0 };
  double range = scale->max - scale->min;
  int exponent = (int) floor (log10 (range / max_ticks)) - 1;

  for (guint i = 0;; i++)
    {
      double step = factors[i % 3] * pow (10.0, exponent + (int) (i / 3));
      double first = ceil (scale->min / step - SLACK);
      double last = floor (scale->max / step + SLACK);

      if (last - first + 1 > max_ticks)
        continue;

      for (double k = first; k <= last; k++)
        append_tick (ticks, scale, k == 0.0 ? 0.0 : k * step, exponent + (int) (i / 3));
      return;
    }
}

/* Appends the @n_factors multiples of every @stride-th power of ten that are in the range; or only
 * counts. */
static guint
append_decades (GArray             *ticks,
                const HlValueScale *scale,
                const double       *factors,
                guint               n_factors,
                int                 stride)
{
  int first = (int) floor (log10 (scale->min) + SLACK);
  int last = (int) floor (log10 (scale->max) + SLACK);
  guint n = 0;

  /* Counted from the upper end: the largest weights are those one reads. */
  for (int e = last - (last - first) / stride * stride; e <= last; e += stride)
    {
      for (guint f = 0; f < n_factors; f++)
        {
          double value = factors[f] * pow (10.0, e);

          if (value < scale->min * (1 - SLACK) || value > scale->max * (1 + SLACK))
            continue;
          n++;
          if (ticks != NULL)
            append_tick (ticks, scale, value, e);
        }
    }

  return n;
}

/* An end that stands for what is beyond it, too. */
static HlValueTick
make_open_end (double      end,
               double      position,
               const char *sign)
{
  int exponent = end == 0 ? 0 : (int) floor (log10 (fabs (end)) + SLACK) - 1;
  double digits = round (end / pow (10.0, exponent));
  HlValueTick tick = { .value = digits * pow (10.0, exponent), .position = position };

  /* Two digits, of which a 0 at the end is none. */
  for (; digits != 0 && fmod (digits, 10) == 0; digits /= 10)
    exponent++;
  hl_value_tick_write (&tick, exponent);
  g_autofree char *number = g_strdup (tick.label);
  g_snprintf (tick.label, sizeof tick.label, "%s %s", sign, number);
  tick.value = end;
  return tick;
}

/* The ends themselves in place of the ticks that would touch them. */
static void
add_open_ends (GArray             *ticks,
               const HlValueScale *scale,
               guint               max_ticks)
{
  const double room = 0.5 / max_ticks;

  if (scale->is_open_below)
    {
      const HlValueTick end = make_open_end (scale->min, 0, "≤");
      while (ticks->len > 0 && g_array_index (ticks, HlValueTick, 0).position < room)
        g_array_remove_index (ticks, 0);
      g_array_prepend_val (ticks, end);
    }
  if (scale->is_open)
    {
      const HlValueTick end = make_open_end (scale->max, 1, "≥");
      while (ticks->len > 0 && g_array_index (ticks, HlValueTick, ticks->len - 1).position > 1 - room)
        g_array_set_size (ticks, ticks->len - 1);
      g_array_append_val (ticks, end);
    }
}

static void
append_log (GArray             *ticks,
            const HlValueScale *scale,
            guint               max_ticks)
{
  static const double one_two_five[] = { 1.0, 2.0, 5.0 };
  guint fine = append_decades (NULL, scale, one_two_five, 3, 1);
  guint decades = append_decades (NULL, scale, one_two_five, 1, 1);

  if (decades < 3 && fine >= 2 && fine <= max_ticks)
    append_decades (ticks, scale, one_two_five, 3, 1);
  else if (decades >= 2)
    {
      int stride = 1;

      while (append_decades (NULL, scale, one_two_five, 1, stride) > max_ticks)
        stride++;
      append_decades (ticks, scale, one_two_five, 1, stride);
    }
  else
    append_linear (ticks, scale, max_ticks);
}

/*
 * Chooses the numbers to write beside the colour bar of a scale, in rising order: multiples of 1, 2 or 5 times a
 * power of ten, or, on a logarithmic scale, powers of ten, as far as it spans several. Labels are written with a
 * point and a minus sign (U+2212) whatever the language, like numbers in a paper.
 */
GArray *
hl_value_scale_make_ticks (const HlValueScale *scale,
                           guint               max_ticks)
{
  GArray *ticks;

  g_return_val_if_fail (scale != NULL, NULL);
  g_return_val_if_fail (max_ticks >= 2, NULL);

  ticks = g_array_new (FALSE, FALSE, sizeof (HlValueTick));
  if (scale->kind == HL_VALUE_SCALE_LOG)
    append_log (ticks, scale, max_ticks);
  else
    append_linear (ticks, scale, max_ticks);
  add_open_ends (ticks, scale, max_ticks);

  return ticks;
}
