/* SPDX-License-Identifier: MIT */
/* The strings of JSON, checked byte for byte. */
#include "core/json/hl-json-lexer.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

static gboolean
read_hex (HlJsonLexer *self,
          gunichar    *unit,
          GError     **error)
{
  *unit = 0;
  for (int i = 0; i < 4; i++, self->at++)
    {
      if (self->at == self->end || !g_ascii_isxdigit (*self->at))
        return hl_json_lexer_fail (self, _ ("a hexadecimal digit"), error);
      *unit = *unit << 4 | (gunichar) g_ascii_xdigit_value (*self->at);
    }
  return TRUE;
}

static gboolean
read_unicode_escape (HlJsonLexer *self,
                     GString     *string,
                     GError     **error)
{
  gunichar unit;

  if (!read_hex (self, &unit, error))
    return FALSE;
  if (unit >= 0xd800 && unit < 0xdc00 && self->end - self->at >= 6 && self->at[0] == '\\' &&
      self->at[1] == 'u')
    {
      const char *second = self->at;
      gunichar low;
      self->at += 2;
      if (!read_hex (self, &low, error))
        return FALSE;
      if (low >= 0xdc00 && low < 0xe000)
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
      else
        self->at = second; /* no pair: the second one stands for itself */
    }
  if (string == NULL)
    return TRUE;
  if (unit == 0)
    g_string_append (string, "<0x00>"); /* C strings cannot hold it */
  else
    g_string_append_unichar (string, unit >= 0xd800 && unit < 0xe000 ? 0xfffd : unit);
  return TRUE;
}

static gboolean
read_escape (HlJsonLexer *self,
             GString     *string,
             GError     **error)
{
  static const char letters[] = "\"\\/bfnrt";
  static const char meanings[] = "\"\\/\b\f\n\r\t";

  self->at++;
  if (self->at < self->end && *self->at == 'u')
    {
      self->at++;
      return read_unicode_escape (self, string, error);
    }
  const char *letter = self->at < self->end ? memchr (letters, *self->at, strlen (letters)) : NULL;
  if (letter == NULL)
    return hl_json_lexer_fail (self, _ ("one of the characters that may follow a backslash"),
                               error);
  self->at++;
  if (string != NULL)
    g_string_append_c (string, meanings[letter - letters]);
  return TRUE;
}

static gboolean
read_run (HlJsonLexer *self,
          GString     *string,
          gsize        max_length,
          GError     **error)
{
  const char *run = self->at;
  const char *at = run;
  const char *invalid;

  /* A long run is read in parts, none of which ends within a character. */
  while (at < self->end && *at != '"' && *at != '\\' && (guchar) *at >= 0x20 &&
         (at - run < HL_JSON_CHECK_INTERVAL || ((guchar) *at & 0xc0) == 0x80))
    at++;
  self->at = at;
  if (at < self->end && !g_utf8_validate_len (run, (gsize) (at - run), &invalid))
    {
      guint64 line, column;
      hl_json_lexer_locate (self, invalid, &line, &column);
      g_set_error (error, HL_ERROR, HL_ERROR_ENCODING,
                   _ ("the text at line %" PRIu64 ", column %" PRIu64
                      " is not UTF-8: it has the byte 0x%02X"),
                   line, column, (guchar) *invalid);
      return FALSE;
    }
  if (string == NULL)
    return TRUE;
  if ((gsize) (at - run) > max_length || string->len > max_length - (gsize) (at - run))
    {
      guint64 line, column;
      hl_json_lexer_locate (self, run, &line, &column);
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the strings up to line %" PRIu64 ", column %" PRIu64
                      " need more than the 256 MiB of memory that Headlight spends on them"),
                   line, column);
      return FALSE;
    }
  g_string_append_len (string, run, at - run);
  return TRUE;
}

/**
 * hl_json_lexer_read_string:
 * @self: a lexer that stands at the opening quote
 * @string: (nullable): replaced with the string; %NULL to step over it
 * @max_length: the most bytes that @string may get
 * @error: %HL_ERROR_CORRUPT, %HL_ERROR_TRUNCATED, %HL_ERROR_ENCODING or %HL_ERROR_TOO_LARGE
 *
 * Reads a string with its escapes. Surrogates without a partner become U+FFFD, `\u0000` becomes
 * `<0x00>`.
 *
 * Returns: whether there was one
 */
gboolean
hl_json_lexer_read_string (HlJsonLexer *self,
                           GString     *string,
                           gsize        max_length,
                           GError     **error)
{
  g_assert (self->at < self->end && *self->at == '"');

  self->at++;
  if (string != NULL)
    g_string_truncate (string, 0);
  for (;;)
    {
      if (!read_run (self, string, max_length, error) || !hl_json_lexer_check (self, error))
        return FALSE;
      if (self->at < self->end && *self->at == '"')
        {
          self->at++;
          return TRUE;
        }
      if (self->at < self->end && *self->at != '\\' && (guchar) *self->at >= 0x20)
        continue;
      if (self->at == self->end || *self->at != '\\')
        return hl_json_lexer_fail (self, _ ("the end of the string"), error);
      if (!read_escape (self, string, error))
        return FALSE;
    }
}
