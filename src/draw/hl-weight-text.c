/* SPDX-License-Identifier: MIT */
/* Weights as people read them: in bubbles, labels and what screen readers say. */
#include "draw/hl-weight-text.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "draw/hl-token-label.h"

/**
 * hl_weight_text_format:
 * @weight: a weight, of any sign, also NaN
 * @buffer: (out caller-allocates): where the text goes
 *
 * Two to three significant digits: 0.31, 0.042, 0.0031; what is smaller than 0.001 is written as
 * that. Numbers below zero have a minus sign (U+2212). The decimal mark is a point in every language, as on the axes.
 *
 * Returns: (transfer none): @buffer
 */
const char *
hl_weight_text_format (double weight,
                       char   buffer[HL_WEIGHT_TEXT_SIZE])
{
  if (isnan (weight))
    g_strlcpy (buffer, "NaN", HL_WEIGHT_TEXT_SIZE);
  else if (weight == 0)
    g_strlcpy (buffer, "0", HL_WEIGHT_TEXT_SIZE);
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

/**
 * hl_weight_text_rank:
 * @tokens: (array length=n): the tokens
 * @weights: (array length=n): their weights
 * @n: how many
 * @n_best: how many to name
 *
 * Names the strongest, whatever their sign: "flies 0.31, arrow 0.22, [SEP] 0.14". Weights of 0 and NaN are not named.
 *
 * Returns: (transfer full): the list, empty if there is nothing to name
 */
char *
hl_weight_text_rank (const char *const *tokens,
                     const float       *weights,
                     gsize              n,
                     gsize              n_best)
{
  GString *text = g_string_new (NULL);
  float last = INFINITY;
  gsize last_index = 0;

  /* A few passes over the row, each for the next in order, cost less than sorting it. */
  for (gsize rank = 0; rank < n_best; rank++)
    {
      char number[HL_WEIGHT_TEXT_SIZE];
      gsize best = n;

      for (gsize i = 0; i < n; i++)
        {
          const float size = fabsf (weights[i]);
          const gboolean comes_later = size < last || (size == last && i > last_index);
          if (size > 0 && comes_later && (best == n || size > fabsf (weights[best])))
            best = i;
        }
      if (best == n)
        break;
      last = fabsf (weights[best]);
      last_index = best;

      g_autofree char *token = hl_token_text_quote (tokens[best]);
      if (text->len > 0)
        /* Translators: between the members of a list of tokens and weights */
        g_string_append (text, _ (", "));
      g_string_append_printf (text, "%s %s", token, hl_weight_text_format (weights[best], number));
    }
  return g_string_free (text, FALSE);
}
