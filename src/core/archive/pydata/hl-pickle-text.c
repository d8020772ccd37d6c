/* SPDX-License-Identifier: MIT */
/* Numbers and text as the opcodes of pickles are followed by them: fixed, with a length in front, or as a line of
 * text. */
#include "core/archive/pydata/hl-pickle-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/archive/pydata/hl-pickle-private.h"
#include "core/base/hl-error.h"
#include "core/base/hl-utf8.h"

#define MAX_NAME 200

static gboolean
fail_short (GError **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED, _ ("the pickle breaks off before its end"));
  return FALSE;
}

/**
 * hl_pickle_reader_take_number: (skip)
 * @self: a reader
 * @size: bytes, at most 8
 * @number: (out): a number of that many bytes, the least significant first
 * @error: %HL_ERROR_TRUNCATED
 *
 * Returns: whether it is there
 */
gboolean
hl_pickle_reader_take_number (HlPickleReader *self,
                              guint           size,
                              guint64        *number,
                              GError        **error)
{
  if (self->size - self->at < size)
    return fail_short (error);
  *number = 0;
  for (guint i = size; i-- > 0;)
    *number = *number << 8 | self->first[self->at + i];
  self->at += size;
  return TRUE;
}

/* The text up to the end of a line, which is taken too. */
static const char *
take_line (HlPickleReader *self,
           gsize          *length,
           GError        **error)
{
  const char *line = (const char *) self->first + self->at;
  const char *end = memchr (line, '\n', self->size - self->at);

  if (end == NULL)
    {
      fail_short (error);
      return NULL;
    }
  *length = (gsize) (end - line);
  self->at += *length + 1;
  if (*length > 0 && line[*length - 1] == '\r')
    (*length)--;
  return line;
}

/* A short line as a string of its own, for those who read numbers. */
static char *
take_short_line (HlPickleReader *self,
                 GError        **error)
{
  gsize length;
  const char *line = take_line (self, &length, error);

  if (line == NULL)
    return NULL;
  if (length > MAX_NAME)
    {
      hl_pickle_fail (error);
      return NULL;
    }
  return g_strndup (line, length);
}

gboolean
hl_pickle_reader_take_index (HlPickleReader *self,
                             guint64        *index,
                             GError        **error)
{
  g_autofree char *line = take_short_line (self, error);

  if (line == NULL)
    return FALSE;
  return g_ascii_string_to_unsigned (line, 10, 0, G_MAXUINT64, index, NULL) ||
         hl_pickle_fail (error);
}

char *
hl_pickle_make_name (const HlPickleText *text,
                     GError            **error)
{
  if (text->size <= MAX_NAME)
    return hl_utf8_make_valid ((const char *) text->data, text->size, NULL);
  hl_pickle_fail (error);
  return NULL;
}

char *
hl_pickle_reader_take_name (HlPickleReader *self,
                            GError        **error)
{
  gsize length;
  const char *line = take_line (self, &length, error);
  const HlPickleText text = { .data = (const guint8 *) line, .size = length };

  return line != NULL ? hl_pickle_make_name (&text, error) : NULL;
}

/**
 * hl_pickle_reader_take_text: (skip)
 * @self: a reader
 * @heap: where to put values
 * @kind: %HL_PICKLE_TEXT or %HL_PICKLE_BYTES
 * @size: bytes of the length in front
 * @error: %HL_ERROR_TRUNCATED, %HL_ERROR_TOO_LARGE
 *
 * Returns: (nullable): text that stays where it is
 */
HlPickleValue *
hl_pickle_reader_take_text (HlPickleReader *self,
                            HlPickleHeap   *heap,
                            HlPickleKind    kind,
                            guint           size,
                            GError        **error)
{
  guint64 length;

  if (!hl_pickle_reader_take_number (self, size, &length, error))
    return NULL;
  if (length > self->size - self->at)
    {
      fail_short (error);
      return NULL;
    }
  HlPickleValue *value = hl_pickle_heap_add (heap, kind, error);
  if (value == NULL)
    return NULL;
  value->text = (HlPickleText){ self->first + self->at, length, self->span, self->at };
  self->at += length;
  return value;
}

/* Escapes as Python spells bytes (and, with @wide, characters) that a line cannot hold. */
static char *
unescape (const char *text,
          gsize       length,
          gboolean    wide,
          gsize      *size)
{
  GString *result = g_string_sized_new (length);

  for (gsize i = 0; i < length; i++)
    {
      const char c = i + 1 < length ? text[i + 1] : '\0';
      const guint n_digits = text[i] != '\\' ? 0
                             : wide          ? (c == 'u'   ? 4
                                                : c == 'U' ? 8
                                                           : 0)
                                             : (c == 'x' ? 2 : 0);
      gunichar code = 0;
      guint n = 0;

      while (n < n_digits && i + 2 + n < length && g_ascii_isxdigit (text[i + 2 + n]))
        code = code << 4 | (guint) g_ascii_xdigit_value (text[i + 2 + n++]);
      if (n_digits > 0 && n == n_digits)
        {
          if (!wide)
            g_string_append_c (result, (char) code);
          else
            g_string_append_unichar (result, g_unichar_validate (code) ? code : 0xfffd);
          i += 1 + n_digits;
        }
      else if (wide)
        {
          /* Other characters stand as Latin-1. */
          g_string_append_unichar (result, (guint8) text[i]);
        }
      else if (text[i] == '\\' && c != '\0' && strchr ("\\'\"nrt", c) != NULL)
        {
          g_string_append_c (result, c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c);
          i++;
        }
      else
        {
          g_string_append_c (result, text[i]);
        }
    }
  *size = result->len;
  return g_string_free (result, FALSE);
}

static HlPickleValue *
take_escaped (HlPickleReader *self,
              HlPickleHeap   *heap,
              gboolean        wide,
              GError        **error)
{
  gsize length, size;
  const char *line = take_line (self, &length, error);

  if (line == NULL)
    return NULL;
  if (!wide)
    {
      if (length < 2 || line[0] != line[length - 1] || (line[0] != '\'' && line[0] != '"'))
        {
          hl_pickle_fail (error);
          return NULL;
        }
      line++;
      length -= 2;
    }
  char *text = unescape (line, length, wide, &size);
  return hl_pickle_heap_add_text (heap, HL_PICKLE_TEXT, text, size, error);
}

static HlPickleValue *
make_number (HlPickleHeap *heap,
             double        number,
             GError      **error)
{
  HlPickleValue *value = hl_pickle_heap_add (heap, HL_PICKLE_NUMBER, error);

  if (value != NULL)
    value->number = number;
  return value;
}

/* An integer of any length, the least significant byte first, two's complement. */
static HlPickleValue *
take_long (HlPickleReader *self,
           HlPickleHeap   *heap,
           guint           size,
           GError        **error)
{
  guint64 length;

  if (!hl_pickle_reader_take_number (self, size, &length, error))
    return NULL;
  if (length > self->size - self->at)
    {
      fail_short (error);
      return NULL;
    }
  const guint8 *bytes = self->first + self->at;
  self->at += length;
  const gboolean is_negative = length > 0 && bytes[length - 1] >= 0x80;
  if (length > 8)
    return make_number (heap, is_negative ? -G_MAXDOUBLE : G_MAXDOUBLE, error);
  guint64 number = is_negative ? G_MAXUINT64 : 0;
  for (gsize i = length; i-- > 0;)
    number = number << 8 | bytes[i];
  return hl_pickle_heap_add_integer (heap, (gint64) number, error);
}

static HlPickleValue *
take_integer_line (HlPickleReader *self,
                   HlPickleHeap   *heap,
                   GError        **error)
{
  g_autofree char *line = take_short_line (self, error);
  gint64 number;

  if (line == NULL)
    return NULL;
  if (g_str_has_suffix (line, "L"))
    line[strlen (line) - 1] = '\0';
  if (!g_ascii_string_to_signed (line, 10, G_MININT64, G_MAXINT64, &number, NULL))
    {
      hl_pickle_fail (error);
      return NULL;
    }
  return hl_pickle_heap_add_integer (heap, number, error);
}

static HlPickleValue *
take_float (HlPickleReader *self,
            HlPickleHeap   *heap,
            gboolean        is_line,
            GError        **error)
{
  guint64 bits;
  double number;

  if (is_line)
    {
      g_autofree char *line = take_short_line (self, error);
      return line != NULL ? make_number (heap, g_ascii_strtod (line, NULL), error) : NULL;
    }
  if (!hl_pickle_reader_take_number (self, 8, &bits, error))
    return NULL;
  bits = GUINT64_SWAP_LE_BE (bits);
  memcpy (&number, &bits, sizeof number);
  return make_number (heap, number, error);
}

/**
 * hl_pickle_reader_take_value: (skip)
 * @self: a reader
 * @heap: where to put values
 * @opcode: one of those that are followed by a line, a float or an integer of any length
 * @error: %HL_ERROR_TRUNCATED, %HL_ERROR_CORRUPT, %HL_ERROR_TOO_LARGE
 *
 * Returns: (nullable): what it is followed by
 */
HlPickleValue *
hl_pickle_reader_take_value (HlPickleReader *self,
                             HlPickleHeap   *heap,
                             guint8          opcode,
                             GError        **error)
{
  switch (opcode)
    {
    case 'I':
    case 'L':
      return take_integer_line (self, heap, error);
    case 'F':
    case 'G':
      return take_float (self, heap, opcode == 'F', error);
    case 'S':
    case 'V':
      return take_escaped (self, heap, opcode == 'V', error);
    default:
      return take_long (self, heap, opcode == 0x8a ? 1 : 4, error);
    }
}
