/* SPDX-License-Identifier: MIT */
#include "core/tokenizer/text/hl-letters.h"

/**
 * hl_letters_space_out:
 * @text: a text, UTF-8
 *
 * Models of proteins read residues apart by spaces, while files have them without: MKTAY becomes M K T A Y. What joins a letter, as an
 * accent, stays with it.
 *
 * Returns: (transfer full): its letters with one space between two
 */
char *
hl_letters_space_out (const char *text)
{
  GString *spaced = g_string_new (NULL);

  g_return_val_if_fail (text != NULL, NULL);

  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    {
      const gunichar letter = g_utf8_get_char (c);

      if (g_unichar_isspace (letter))
        continue;
      if (spaced->len > 0 && !g_unichar_ismark (letter) && !g_unichar_iszerowidth (letter))
        g_string_append_c (spaced, ' ');
      g_string_append_unichar (spaced, letter);
    }
  return g_string_free (spaced, FALSE);
}
