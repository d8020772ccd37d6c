/* SPDX-License-Identifier: MIT */
/* Weights as people read them: in bubbles, labels and what screen readers say. */
#include "view/hl-weight-text.h"

#include <math.h>

/* As printf() has it, below zero with a minus sign (U+2212). */
const char *
hl_weight_text_format_as (double      number,
                          const char *format,
                          char        buffer[HL_WEIGHT_TEXT_SIZE])
{
  char size[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (size, sizeof size, format, fabs (number));
  g_snprintf (buffer, HL_WEIGHT_TEXT_SIZE, "%s%s", number < 0 ? "−" : "", size);
  return buffer;
}

/* Two to three significant digits: 0.31, 0.042, 0.0031; what is smaller than 0.001 is written as that. Numbers below
 * zero have a minus sign (U+2212). The decimal mark is a point in every language, as on the axes. */
const char *
hl_weight_text_format (double weight,
                       char   buffer[HL_WEIGHT_TEXT_SIZE])
{
  if (isnan (weight))
    g_strlcpy (buffer, "NaN", HL_WEIGHT_TEXT_SIZE);
  else if (weight == 0)
    g_strlcpy (buffer, "0", HL_WEIGHT_TEXT_SIZE);
  else if (weight == INFINITY)
    g_strlcpy (buffer, "∞", HL_WEIGHT_TEXT_SIZE);
  else if (weight < 0)
    {
      char size[HL_WEIGHT_TEXT_SIZE];
      if (weight > -0.001)
        g_strlcpy (buffer, ">−0.001", HL_WEIGHT_TEXT_SIZE);
      else
        g_snprintf (buffer, HL_WEIGHT_TEXT_SIZE, "−%s", hl_weight_text_format (-weight, size));
    }
  else if (weight < 0.001)
    g_strlcpy (buffer, "<0.001", HL_WEIGHT_TEXT_SIZE);
  else if (weight >= 0.0995 && weight < 9.995)
    g_ascii_formatd (buffer, HL_WEIGHT_TEXT_SIZE, "%.2f", weight);
  else if (weight < 0.0995)
    g_ascii_formatd (buffer, HL_WEIGHT_TEXT_SIZE, "%#.2g", weight);
  else
    g_ascii_formatd (buffer, HL_WEIGHT_TEXT_SIZE, "%.3g", weight);
  return buffer;
}
