/* SPDX-License-Identifier: MIT */
/* How people write a set of numbers. */
#include "core/base/hl-bits.h"

/* Spells a set as a list: `3`, `0, 2, 5`, `0–11`; runs of three and more are drawn together. Returns the list, empty
 * for an empty set. */
char *
hl_bits_format (const guint64 *bits,
                guint          n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      guint last = i;
      if (!hl_bits_contain (bits, i))
        continue;
      while (last + 1 < n && hl_bits_contain (bits, last + 1))
        last++;
      if (text->len > 0)
        g_string_append (text, ", ");
      if (last - i >= 2)
        {
          g_string_append_printf (text, "%u–%u", i, last);
          i = last;
        }
      else
        g_string_append_printf (text, "%u", i);
    }
  return g_string_free (text, FALSE);
}
