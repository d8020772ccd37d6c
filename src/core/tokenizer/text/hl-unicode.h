/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlCharClass:
 * @HL_CHAR_CONTROL: control, format and private-use characters, and U+FFFD; not tab, line feed, carriage return
 * @HL_CHAR_NONSPACING: nonspacing marks
 * @HL_CHAR_MARK: all marks
 * @HL_CHAR_PUNCTUATION: punctuation, and the ASCII symbols
 * @HL_CHAR_NUMBER: digits, letter numbers and other numbers
 * @HL_CHAR_WORD: letters, marks, decimal digits, connectors and joiners
 * @HL_CHAR_SPACE: white space
 * @HL_CHAR_UNSCRIPTED: what is of no script, not even a common one
 *
 * Classes that decide where tokens begin and end, as the Python `tokenizers` library has them.
 */
typedef enum
{
  HL_CHAR_CONTROL,
  HL_CHAR_NONSPACING,
  HL_CHAR_MARK,
  HL_CHAR_PUNCTUATION,
  HL_CHAR_NUMBER,
  HL_CHAR_WORD,
  HL_CHAR_SPACE,
  HL_CHAR_UNSCRIPTED,
} HlCharClass;

gboolean    hl_unicode_is            (gunichar     c,
                                      HlCharClass  char_class);
gboolean    hl_unicode_is_ideograph  (gunichar     c);
guint       hl_unicode_lower         (gunichar     c,
                                      gunichar     lower[2]);
guint       hl_unicode_decompose     (gunichar     c,
                                      gboolean     compatibility,
                                      gunichar     parts[18]);
const char *hl_unicode_newer_ranges  (const char  *property);

G_END_DECLS
