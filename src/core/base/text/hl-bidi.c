/* SPDX-License-Identifier: MIT */
/* Text that runs from right to left, alone and inside a sentence that does not. */
#include "core/base/text/hl-bidi.h"

#define LEFT_TO_RIGHT_MARK "\xE2\x80\x8E"
#define FIRST_STRONG_ISOLATE "\xE2\x81\xA8"
#define POP_DIRECTIONAL_ISOLATE "\xE2\x81\xA9"

/**
 * hl_bidi_is_right_to_left:
 * @c: a character
 *
 * Returns: whether it stands where Unicode keeps the scripts that run from right to left (DerivedBidiClass.txt: what is
 *   not assigned there is R or AL too), with their marks, numbers and punctuation
 */
gboolean
hl_bidi_is_right_to_left (gunichar c)
{
  return (c >= 0x590 && c <= 0x8FF) || (c >= 0xFB1D && c <= 0xFDCF) || (c >= 0xFDF0 && c <= 0xFDFF) ||
         (c >= 0xFE70 && c <= 0xFEFE) || (c >= 0x10800 && c <= 0x10FFF) || (c >= 0x1E800 && c <= 0x1EFFF);
}

/**
 * hl_bidi_isolate:
 * @text: valid UTF-8 without controls of direction
 *
 * Prepares a text for being put into a sentence: without this, “שלום → עולם 0.31” would run from right to left as a whole
 * and its arrow point from the second word to the first. The text gets directional isolates around it (Unicode Standard
 * Annex 9), and a mark before it that keeps a sentence that begins with it running from left to right. Text of which
 * nothing runs from right to left is left as it is.
 *
 * Returns: (transfer full): the text
 */
char *
hl_bidi_isolate (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    if (hl_bidi_is_right_to_left (g_utf8_get_char (p)))
      return g_strconcat (LEFT_TO_RIGHT_MARK FIRST_STRONG_ISOLATE, text, POP_DIRECTIONAL_ISOLATE, NULL);
  return g_strdup (text);
}

/**
 * hl_bidi_strip:
 * @text: valid UTF-8
 *
 * Takes away what hl_bidi_isolate() adds, wherever it is: what is read on screen is also copied from there.
 *
 * Returns: (transfer full): the text without
 */
char *
hl_bidi_strip (const char *text)
{
  GString *plain;

  g_return_val_if_fail (text != NULL, NULL);

  plain = g_string_new (text);
  g_string_replace (plain, LEFT_TO_RIGHT_MARK, "", 0);
  g_string_replace (plain, FIRST_STRONG_ISOLATE, "", 0);
  g_string_replace (plain, POP_DIRECTIONAL_ISOLATE, "", 0);
  return g_string_free (plain, FALSE);
}
