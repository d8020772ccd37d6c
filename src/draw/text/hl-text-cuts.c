/* SPDX-License-Identifier: MIT */
/* Where a text can be cut so that no character of what is left looks other than before. */
#include "draw/text/hl-text-cuts.h"

#include <pango/pango.h>
#include <string.h>

/* The canonical combining class of signs that join two consonants to one. */
#define VIRAMA 9
/* Vowels that begin with a mark on the letter before them. */
#define THAI_SARA_AM 0xE33
#define LAO_AM 0xEB3

/*
 * Finds the boundaries of what readers take for characters: those of extended grapheme clusters (Unicode Standard
 * Annex 29), less those inside of conjuncts of Indian scripts, which that has as one only since Unicode 15.1, and
 * those inside of Thai and Lao letters, where Pango stops with its cursor.
 */
gsize *
hl_text_cuts_find (const char *text,
                   gsize      *n)
{
  g_return_val_if_fail (text != NULL && n != NULL, NULL);

  const gsize length = strlen (text);
  const int n_attrs = (int) g_utf8_strlen (text, (gssize) length) + 1;
  g_autofree PangoLogAttr *attrs = g_new0 (PangoLogAttr, n_attrs);
  gsize *cuts = g_new (gsize, n_attrs);
  gunichar last = 0;
  const char *p = text;

  pango_get_log_attrs (text, (int) length, -1, pango_language_get_default (), attrs, n_attrs);
  cuts[0] = 0;
  *n = 1;
  for (int i = 0; i < n_attrs - 1; i++, p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);
      const gboolean is_conjunct = last != 0 && g_unichar_combining_class (last) == VIRAMA && g_unichar_isalpha (c);

      if (i > 0 && attrs[i].is_cursor_position && !is_conjunct && c != THAI_SARA_AM && c != LAO_AM)
        cuts[(*n)++] = (gsize) (p - text);
      last = c;
    }
  return cuts;
}
