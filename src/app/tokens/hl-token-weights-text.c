/* SPDX-License-Identifier: MIT */
/* HlTokenWeights: the answer as a table of text. */
#include "app/tokens/hl-token-weights.h"

#include <glib/gi18n.h>
#include <math.h>

/* Tabs and line breaks separate fields: inside of one they are spelled out. */
static void
append_field (GString    *text,
              const char *field)
{
  for (const char *p = field; *p != '\0'; p++)
    if (*p == '\t')
      g_string_append (text, "\\t");
    else if (*p == '\n')
      g_string_append (text, "\\n");
    else if (*p == '\r')
      g_string_append (text, "\\r");
    else
      g_string_append_c (text, *p);
}

/* Nothing where a side has none. */
static void
append_weight (GString *text,
               double   weight)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_c (text, '\t');
  if (!isnan (weight))
    g_string_append (text, g_ascii_formatd (number, sizeof number, "%.9g", weight));
}

/**
 * hl_token_weights_to_text:
 * @self: an answer
 *
 * Returns: (transfer full): a table with tabs between token, index and weight, the weights with all their digits; of
 *   two sides, between token, index among the tokens of both, weight on the first, on the second, and the second minus
 *   the first
 */
char *
hl_token_weights_to_text (HlTokenWeights *self)
{
  GString *text = g_string_new (NULL);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), NULL);

  for (guint i = 0; i < hl_token_weights_get_n_rows (self); i++)
    {
      const HlTokenWeight *row = hl_token_weights_get_row (self, i);
      append_field (text, hl_token_weights_get_token (self, row->index));
      if (hl_token_weights_has_sides (self))
        {
          g_string_append_printf (text, "\t%zu", row->index);
          append_weight (text, row->sides[0]);
          append_weight (text, row->sides[1]);
          append_weight (text, (double) row->sides[1] - row->sides[0]);
          g_string_append_c (text, '\n');
          continue;
        }
      g_string_append_printf (text, "\t%zu\t", row->index);
      g_string_append (text, row->is_masked
                               ? _ ("masked")
                               : g_ascii_formatd (number, sizeof number, "%.9g", row->mean));
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}
