/* SPDX-License-Identifier: MIT */
#include "core/document/tokens/hl-token-time.h"

#include <math.h>
#include <string.h>

#define UNTIL "–"
#define UNIT " s"

static void
append_seconds (GString *label,
                double   seconds,
                int      n_decimals)
{
  char format[] = "%.0f", number[G_ASCII_DTOSTR_BUF_SIZE];

  format[2] = (char) ('0' + CLAMP (n_decimals, 0, 9));
  g_string_append (label, g_ascii_formatd (number, sizeof number, format, seconds));
}

/**
 * hl_token_time_format: (skip)
 * @start: seconds
 * @end: seconds, or NaN where it is not known
 * @n_decimals: of each, at most 9
 *
 * Returns: "0.42 s" or "0.42–0.44 s"
 */
char *
hl_token_time_format (double start,
                      double end,
                      int    n_decimals)
{
  g_autoptr (GString) label = g_string_new (NULL);

  append_seconds (label, start, n_decimals);
  if (!isnan (end))
    {
      g_string_append (label, UNTIL);
      append_seconds (label, end, n_decimals);
    }
  g_string_append (label, UNIT);
  return g_string_free (g_steal_pointer (&label), FALSE);
}

/* Plain numbers alone: 1e3, 0x1p3, inf and nan are no times that anybody writes. */
static const char *
parse_seconds (const char *text,
               double     *seconds)
{
  const gsize length = strspn (text, "-.0123456789");
  char *end;

  *seconds = g_ascii_strtod (text, &end);
  return length > 0 && end == text + length && isfinite (*seconds) ? end : NULL;
}

/**
 * hl_token_time_parse: (skip)
 * @label: what a token is called
 * @start: (out): seconds
 * @end: (out): seconds; NaN if the label does not say it
 *
 * Whatever file it comes from: what is labelled as hl_token_time_format() does has that time.
 *
 * Returns: whether the label is a time and nothing else
 */
gboolean
hl_token_time_parse (const char *label,
                     double     *start,
                     double     *end)
{
  const char *rest = parse_seconds (label, start);

  *end = NAN;
  if (rest != NULL && g_str_has_prefix (rest, UNTIL))
    rest = parse_seconds (rest + strlen (UNTIL), end);
  return rest != NULL && strcmp (rest, UNIT) == 0;
}

/**
 * hl_token_times_rise: (skip)
 * @labels: of tokens
 * @n: how many
 *
 * Returns: whether all are times, from two on, none begins before the one before it, and the last later than the first: they
 *   can be told from one axis
 */
gboolean
hl_token_times_rise (const char *const *labels,
                     gsize              n)
{
  double first = 0, before = -INFINITY;

  for (gsize i = 0; i < n; i++)
    {
      double start, end;
      if (!hl_token_time_parse (labels[i], &start, &end) || start < before)
        return FALSE;
      if (i == 0)
        first = start;
      before = start;
    }
  return n > 1 && before > first;
}
