/* SPDX-License-Identifier: MIT */
/*
 * The ticks of a scale: round numbers (1, 2 or 5 times a power of ten), few enough to be read,
 * written with no digit more than tells them apart.
 */
#include "draw/paint/hl-value-scale.h"

#include <math.h>
#include <string.h>

/* What a computation such as 3 * 0.1 is off by, relative to the step. */
#define SLACK 1e-6

static void
replace_hyphen (char *text,
                gsize size)
{
  g_autoptr (GString) string = g_string_new (text);

  g_string_replace (string, "-", "\u2212", 0);
  g_strlcpy (text, string->str, size);
}

/* Writes @value, a multiple of 10^@exponent, in full or, where that takes many zeros, as 3e−7. */
static void
write_label (HlValueTick *tick,
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
  write_label (&tick, exponent);
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

/**
 * hl_value_scale_make_ticks:
 * @scale: a scale
 * @max_ticks: the most ticks there is room for; at least 2
 *
 * Chooses the numbers to write beside the colour bar of a scale, in rising order: multiples of 1, 2
 * or 5 times a power of ten, or, on a logarithmic scale, powers of ten, as far as it spans several.
 * Labels are written with a point and a minus sign (U+2212) whatever the language, like numbers in
 * a paper.
 *
 * Returns: (transfer full) (element-type HlValueTick): the ticks, at most @max_ticks
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

  return ticks;
}
