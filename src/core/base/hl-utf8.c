/* SPDX-License-Identifier: MIT */
/* Text that should be UTF-8 but may not be. */
#include "core/base/hl-utf8.h"

#include <string.h>

/**
 * hl_utf8_measure_mark:
 * @bytes: (array length=length): the first bytes of a text
 * @length: how many
 *
 * Returns: how many bytes the byte order mark has that it begins with; 0 without one
 */
gsize
hl_utf8_measure_mark (const void *bytes,
                      gsize       length)
{
  return length >= 3 && memcmp (bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/**
 * hl_utf8_make_valid:
 * @bytes: (array length=length): text of unknown encoding; zeros may be inside
 * @length: how many bytes
 * @changed: (out) (optional): whether anything had to be escaped
 *
 * Keeps what is valid UTF-8 and writes each other byte as `<0x9F>`, the way SentencePiece spells the bytes it falls back to.
 * Tokens of byte-level vocabularies are often a part of a character only, so such bytes are to be seen and not an error. A zero
 * inside becomes the picture of one, U+2400, since it would end the string.
 *
 * Returns: (transfer full): valid UTF-8
 */
char *
hl_utf8_make_valid (const char *bytes,
                    gsize       length,
                    gboolean   *changed)
{
  g_return_val_if_fail (bytes != NULL || length == 0, NULL);

  if (changed != NULL)
    *changed = FALSE;
  if (length == 0 || g_utf8_validate_len (bytes, length, NULL))
    return g_strndup (bytes, length);

  GString *text = g_string_sized_new (length + 16);
  const char *at = bytes;
  const char *end = bytes + length;
  while (at < end)
    {
      const char *bad;

      g_utf8_validate_len (at, end - at, &bad);
      g_string_append_len (text, at, bad - at);
      at = bad;
      if (at == end)
        break;
      if (*at == '\0')
        g_string_append (text, "␀");
      else
        g_string_append_printf (text, "<0x%02X>", (guint8) *at);
      if (changed != NULL && *at != '\0')
        *changed = TRUE;
      at++;
    }
  return g_string_free (text, FALSE);
}

/**
 * hl_utf8_is_spelt_byte:
 * @text: where something in a text begins
 *
 * Returns: whether it is a byte as hl_utf8_make_valid() spells it
 */
gboolean
hl_utf8_is_spelt_byte (const char *text)
{
  g_return_val_if_fail (text != NULL, FALSE);

  return g_str_has_prefix (text, "<0x") && g_ascii_xdigit_value (text[3]) >= 8 && g_ascii_isxdigit (text[4]) &&
         text[5] == '>';
}

/**
 * hl_utf8_get_bytes:
 * @text: as hl_utf8_make_valid() returns it
 *
 * Returns: (transfer full): the bytes that it was made of, up to a zero; of text that had `<0x9F>` itself it may be others
 */
char *
hl_utf8_get_bytes (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);

  GString *bytes = g_string_new (NULL);
  while (*text != '\0')
    if (hl_utf8_is_spelt_byte (text))
      {
        g_string_append_c (bytes, (char) (g_ascii_xdigit_value (text[3]) << 4 | g_ascii_xdigit_value (text[4])));
        text += HL_UTF8_SPELT_BYTE;
      }
    else
      g_string_append_c (bytes, *text++);
  return g_string_free (bytes, FALSE);
}

/**
 * hl_utf8_is_control:
 * @c: a code point
 *
 * Joiners (U+200C and U+200D) are no such characters: words of Persian and of India need them, and so do emoji.
 *
 * Returns: whether a terminal or a line of text may act on it instead of showing it: a control character, one that ends a line, one
 *   that turns the direction of text (all of Bidi_Control), or one that makes two names look the same and has no other use in one: a
 *   space without width, a mark of byte order, a tag
 */
gboolean
hl_utf8_is_control (gunichar c)
{
  return g_unichar_type (c) == G_UNICODE_CONTROL || c == 0x061C || c == 0x200B || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xE0000 && c <= 0xE007F);
}

/**
 * hl_utf8_flatten:
 * @text: valid UTF-8
 *
 * Makes U+FFFD of what hl_utf8_is_control() has and is three bytes long, and spaces of other bytes of it, so that a sentence stays one
 * line, and reads as it is written, whatever names of a file are in it. The bytes stay as many.
 */
void
hl_utf8_flatten (char *text)
{
  g_return_if_fail (text != NULL);

  for (char *next; *text != '\0'; text = next)
    {
      next = g_utf8_next_char (text);
      if (!hl_utf8_is_control (g_utf8_get_char (text)))
        continue;
      if (next - text == 3)
        memcpy (text, "\xEF\xBF\xBD", 3);
      else
        memset (text, ' ', (gsize) (next - text));
    }
}

/**
 * hl_utf8_shorten:
 * @text: valid UTF-8
 * @length: the most characters
 *
 * Names of a file can be longer than a sentence about them.
 *
 * Returns: (transfer full): the text, cut off after @length characters and then with “…” behind it
 */
char *
hl_utf8_shorten (const char *text,
                 glong       length)
{
  g_return_val_if_fail (text != NULL, NULL);

  if (g_utf8_strlen (text, -1) <= length)
    return g_strdup (text);
  g_autofree char *start = g_utf8_substring (text, 0, length);
  return g_strconcat (start, "…", NULL);
}

/**
 * hl_utf8_shorten_middle:
 * @text: valid UTF-8
 * @length: the most characters
 * @end: how many of them are the last of the text
 *
 * What is told apart by its end, as names of files are.
 *
 * Returns: (transfer full): the text; of a longer one its first and its last characters with “…” between them
 */
char *
hl_utf8_shorten_middle (const char *text,
                        glong       length,
                        glong       end)
{
  g_return_val_if_fail (text != NULL, NULL);
  g_return_val_if_fail (end >= 0 && end <= length, NULL);

  const glong whole = g_utf8_strlen (text, -1);
  if (whole <= length)
    return g_strdup (text);
  g_autofree char *start = hl_utf8_shorten (text, length - end);
  return g_strconcat (start, g_utf8_offset_to_pointer (text, whole - end), NULL);
}

/* Of a sentence, in characters: what somebody reads, and more than any of ours has of its own. */
#define MAX_SENTENCE 2000

/* So many of them are its end, which says what is the matter with what it quotes. */
#define SENTENCE_END 500

/* Of a word, or of a part of a path: no name of a file has as many. Where no line may end, a window is laid out for seconds. */
#define MAX_WORD 300
#define WORD_END 80

/**
 * hl_utf8_bound:
 * @sentence: text that should be UTF-8
 *
 * What a sentence quotes of a file may have any length, and the name of a file any bytes.
 *
 * Returns: (transfer full): the sentence as valid UTF-8; of one of more than 2,000 characters the first 1,500, “…” and the last 500, of a word of more than
 *   300 the first 220, “…” and the last 80
 */
char *
hl_utf8_bound (const char *sentence)
{
  static const char ends[] = " /";
  g_autoptr (GString) text = g_string_new (NULL);

  g_return_val_if_fail (sentence != NULL, NULL);

  g_autofree char *valid = g_utf8_make_valid (sentence, -1);
  for (const char *at = valid; *at != '\0';)
    {
      g_autofree char *word = g_strndup (at, strcspn (at, ends));
      g_autofree char *shown = hl_utf8_shorten_middle (word, MAX_WORD, WORD_END);

      g_string_append (text, shown);
      at += strlen (word);
      g_string_append_len (text, at, (gssize) strspn (at, ends));
      at += strspn (at, ends);
    }
  return hl_utf8_shorten_middle (text->str, MAX_SENTENCE, SENTENCE_END);
}

/**
 * hl_utf8_bound_line:
 * @sentence: text that should be UTF-8
 *
 * For a terminal, which obeys some of what a name can have.
 *
 * Returns: (transfer full): the sentence as hl_utf8_bound() has it, in one line as hl_utf8_flatten() makes it
 */
char *
hl_utf8_bound_line (const char *sentence)
{
  char *line = hl_utf8_bound (sentence);

  hl_utf8_flatten (line);
  return line;
}

/**
 * hl_utf8_quote:
 * @bytes: (array length=length): text of unknown encoding
 * @length: how many bytes
 * @n_characters: the most characters
 *
 * For a sentence about bytes of a file, which may be no text at all, or end in the middle of a character.
 *
 * Returns: (transfer full): valid UTF-8 in one line, cut off as by hl_utf8_shorten()
 */
char *
hl_utf8_quote (const char *bytes,
               gsize       length,
               glong       n_characters)
{
  /* No character has more than four bytes. */
  g_autofree char *text = hl_utf8_make_valid (bytes, MIN (length, 4 * (gsize) n_characters + 4), NULL);

  hl_utf8_flatten (text);
  return hl_utf8_shorten (text, n_characters);
}

/**
 * hl_utf8_is_noncharacter:
 * @c: a code point
 *
 * Unicode keeps 66 code points that will never be characters. Text may have them, but much that takes text refuses it then.
 *
 * Returns: whether it is one of them
 */
gboolean
hl_utf8_is_noncharacter (gunichar c)
{
  return (c >= 0xFDD0 && c <= 0xFDEF) || (c & 0xFFFE) == 0xFFFE;
}

/**
 * hl_utf8_replace_noncharacters:
 * @text: valid UTF-8
 *
 * Returns: (transfer full): the text with U+FFFD for each of them
 */
char *
hl_utf8_replace_noncharacters (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);

  GString *replaced = g_string_new (NULL);
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    {
      const gunichar c = g_utf8_get_char (at);
      g_string_append_unichar (replaced, hl_utf8_is_noncharacter (c) ? 0xFFFD : c);
    }
  return g_string_free (replaced, FALSE);
}
