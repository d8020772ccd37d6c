/* SPDX-License-Identifier: MIT */
/* A position in JSON, what is read from there on, and where in the text something is wrong. */
#include "core/json/hl-json-reader.h"

#include "core/base/text/hl-decimal.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

gboolean
hl_json_budget_spend (HlJsonBudget *budget,
                      gsize         bytes,
                      GError      **error)
{
  if (bytes > budget->other_bytes)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("its names and strings need more than the 128 MiB of memory that Headlight "
                      "spends on them"));
      return FALSE;
    }
  budget->other_bytes -= bytes;
  return TRUE;
}

/* Who needs the numbers has the file. */
void
hl_json_budget_clear (HlJsonBudget *budget)
{
  g_clear_object (&budget->file);
}

/* How many bytes are read between two looks at the cancellable. */
#define CHECK_INTERVAL (1 << 20)

/* What lies this far back may still be looked at. */
#define KEPT_BEHIND (1 << 16)

/* Begins at the first byte, or after a byte order mark. */
void
hl_json_reader_init (HlJsonReader *self,
                     const char   *text,
                     gsize         size,
                     HlProgress   *progress,
                     GCancellable *cancellable)
{
  const gsize mark = hl_utf8_measure_mark (text, size);

  text += mark;
  size -= mark;
  *self = (HlJsonReader){
    .start = text,
    .at = text,
    .end = text + size,
    .progress = progress,
    .cancellable = cancellable,
    .next_check = text,
    .mark = text,
    .line = 1,
    .column = 1,
  };
}

/* Says that the text is a file, mapped to be read. What has been read is then let go of, so that a large file does
 * not fill memory. It can still be looked at. */
void
hl_json_reader_set_mapped (HlJsonReader *self)
{
  self->released = self->start;
}

static void
release (HlJsonReader *self)
{
  const guintptr page = (guintptr) sysconf (_SC_PAGESIZE);
  const guintptr from = (guintptr) self->released & ~(page - 1);

  if (self->at - self->released <= KEPT_BEHIND)
    return;
  self->released = self->at - KEPT_BEHIND;
  const guintptr to = (guintptr) self->released & ~(page - 1);
  if (to > from)
    madvise ((void *) from, to - from, MADV_DONTNEED);
}

/* Reports progress, looks whether to stop and lets go of what has been read, once every MiB; otherwise does nothing. */
gboolean
hl_json_reader_check (HlJsonReader *self,
                      GError      **error)
{
  if (G_LIKELY (self->at < self->next_check))
    return TRUE;

  self->next_check = self->at + MIN (CHECK_INTERVAL, self->end - self->at + 1);
  hl_progress_set (self->progress, (double) (self->at - self->start) / (double) MAX (self->end - self->start, 1),
                   _ ("Reading JSON"));
  if (self->released != NULL)
    release (self);
  return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
}

/* Where a byte is for people. Counts on from the last place asked for, so that many questions in order cost one pass. */
void
hl_json_reader_locate (HlJsonReader *self,
                       const char   *at,
                       guint64      *line,
                       guint64      *column)
{
  if (at < self->mark)
    {
      self->mark = self->start;
      self->line = self->column = 1;
    }
  for (; self->mark < at; self->mark++)
    {
      if (*self->mark == '\n')
        {
          self->line++;
          self->column = 1;
        }
      else if (((guchar) *self->mark & 0xc0) != 0x80)
        {
          self->column++;
        }
    }
  *line = self->line;
  *column = self->column;
}

/* Goes back to where the reader stood before, with nothing open. Lines are counted on from there: what is read anew from many places, each
 * behind the last, is not counted from the beginning for each. */
void
hl_json_reader_go_back (HlJsonReader       *self,
                        const HlJsonReader *before)
{
  guint64 line, column;

  self->mark = before->mark;
  self->line = before->line;
  self->column = before->column;
  hl_json_reader_locate (self, before->at, &line, &column);
  self->at = self->next_check = before->at;
  self->depth = 0;
}

gboolean
hl_json_reader_fail (HlJsonReader *self,
                     const char   *expected,
                     GError      **error)
{
  guint64 line, column;

  hl_json_reader_locate (self, self->at, &line, &column);
  if (self->at >= self->end)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED,
                   _ ("the JSON breaks off at line %" PRIu64 ", column %" PRIu64 ", where %s should follow"), line,
                   column, expected);
      return FALSE;
    }

  const gunichar c = g_utf8_get_char_validated (self->at, self->end - self->at);
  g_autofree char *found = NULL;
  if (c < 0x110000 && g_unichar_isprint (c))
    found = g_strdup_printf ("“%.*s”", (int) g_utf8_skip[(guchar) *self->at], self->at);
  else
    found = g_strdup_printf (_ ("the byte 0x%02X"), (guchar) *self->at);
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
               _ ("this is not valid JSON at line %" PRIu64 ", column %" PRIu64 ": %s where %s should be"), line,
               column, found, expected);
  return FALSE;
}

/* A word, and no longer one. */
static gboolean
take_word (HlJsonReader *self,
           const char   *literal,
           GError      **error)
{
  const char *c = literal;

  while (*c != '\0' && self->at < self->end && *self->at == *c)
    {
      self->at++;
      c++;
    }
  if (*c == '\0' && (self->at == self->end || !g_ascii_isalnum (*self->at)))
    return TRUE;

  g_autofree char *expected = g_strdup_printf ("“%s”", literal);
  self->at -= c - literal;
  if (self->end - self->at == c - literal)
    self->at = self->end;
  return hl_json_reader_fail (self, expected, error);
}

static gboolean
read_special (HlJsonReader *self,
              HlJsonNumber *number,
              GError      **error)
{
  number->special = *self->at == 'N' ? 'n' : 'i';
  if (!take_word (self, *self->at == 'N' ? "NaN" : "Infinity", error))
    return FALSE;
  number->length = (gsize) (self->at - number->text);
  return TRUE;
}

/* Digits from the present position into the mantissa, as far as 19 of them fit. */
static inline int
read_digits (HlJsonReader *self,
             HlJsonNumber *number)
{
  const char *at = self->at;
  const char *const end = self->end;
  guint64 mantissa = number->mantissa;
  int dropped = 0;

  for (; at < end && *at >= '0' && *at <= '9'; at++)
    {
      if (G_LIKELY (mantissa < G_GUINT64_CONSTANT (1000000000000000000)))
        {
          mantissa = mantissa * 10 + (guint64) (*at - '0');
        }
      else
        {
          number->exact = FALSE;
          dropped += dropped < HL_LIMIT_JSON_NUMBER;
        }
    }
  number->mantissa = mantissa;
  self->at = at;
  return dropped;
}

static gboolean
read_exponent (HlJsonReader *self,
               HlJsonNumber *number,
               GError      **error)
{
  int exponent = 0;

  self->at++;
  const gboolean negative = self->at < self->end && *self->at == '-';
  if (self->at < self->end && (*self->at == '-' || *self->at == '+'))
    self->at++;
  if (self->at == self->end || !g_ascii_isdigit (*self->at))
    return hl_json_reader_fail (self, _ ("a digit"), error);
  for (; self->at < self->end && g_ascii_isdigit (*self->at); self->at++)
    exponent = MIN (exponent * 10 + (*self->at - '0'), 100000000);
  number->exponent += negative ? -exponent : exponent;
  number->integer = FALSE;
  return TRUE;
}

static gboolean
fail_number (HlJsonReader       *self,
             const HlJsonNumber *number,
             GError            **error)
{
  return hl_json_reader_fail (self, number->negative ? _ ("a digit") : _ ("a value"), error);
}

gboolean
hl_json_reader_read_number (HlJsonReader *self,
                            HlJsonNumber *number,
                            GError      **error)
{
  *number = (HlJsonNumber){ .text = self->at, .exact = TRUE, .integer = TRUE };
  if (self->at < self->end && *self->at == '-')
    {
      number->negative = TRUE;
      self->at++;
    }
  if (G_UNLIKELY (self->at == self->end))
    return fail_number (self, number, error);
  if (G_UNLIKELY (*self->at == 'I' || (*self->at == 'N' && !number->negative)))
    return read_special (self, number, error);

  if (*self->at == '0')
    self->at++;
  else if (*self->at >= '1' && *self->at <= '9')
    number->exponent += read_digits (self, number);
  else
    return fail_number (self, number, error);

  if (self->at < self->end && *self->at == '.')
    {
      self->at++;
      const char *fraction = self->at;
      const int dropped = read_digits (self, number);
      const gsize digits = (gsize) (self->at - fraction);
      if (digits == 0)
        return hl_json_reader_fail (self, _ ("a digit"), error);
      number->exponent -= (int) MIN (digits, HL_LIMIT_JSON_NUMBER) - dropped;
      number->integer = FALSE;
    }
  if (self->at < self->end && (*self->at == 'e' || *self->at == 'E') && !read_exponent (self, number, error))
    return FALSE;

  number->length = (gsize) (self->at - number->text);
  if (G_UNLIKELY (number->length > HL_LIMIT_JSON_NUMBER))
    {
      guint64 line, column;
      hl_json_reader_locate (self, number->text, &line, &column);
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the number at line %" PRIu64 ", column %" PRIu64 " has more than %d characters"), line, column,
                   HL_LIMIT_JSON_NUMBER);
      return FALSE;
    }
  return TRUE;
}

static double
parse_slowly (const HlJsonNumber *number)
{
  char buffer[128];
  g_autofree char *copy = NULL;
  const char *text = buffer;

  if (number->length < sizeof buffer)
    {
      memcpy (buffer, number->text, number->length);
      buffer[number->length] = '\0';
    }
  else
    {
      text = copy = g_strndup (number->text, number->length);
    }
  return g_ascii_strtod (text, NULL);
}

static double
special_value (const HlJsonNumber *number)
{
  if (number->special == 'n')
    return (double) NAN;
  return number->negative ? -(double) INFINITY : (double) INFINITY;
}

/* Returns the nearest double; infinite if it is too large for one. */
double
hl_json_number_to_double (const HlJsonNumber *number)
{
  if (number->special)
    return special_value (number);
  double value;
  if (number->exact && hl_decimal_to_double (number->mantissa, number->exponent, &value))
    return number->negative ? -value : value;
  return parse_slowly (number);
}

/* Returns the nearest double, rounded to float32; infinite if it is too large for that. */
float
hl_json_number_to_float (const HlJsonNumber *number)
{
  if (G_UNLIKELY (number->special))
    return (float) special_value (number);

  float value;
  if (number->exact && hl_decimal_to_float (number->mantissa, number->exponent, &value))
    return number->negative ? -value : value;
  return (float) parse_slowly (number);
}

/* Returns whether it is spelt as an integer and fits. */
gboolean
hl_json_number_to_int64 (const HlJsonNumber *number,
                         gint64             *value)
{
  if (!number->integer || !number->exact || number->special || number->mantissa > G_MAXINT64)
    return FALSE;
  *value = number->negative ? -(gint64) number->mantissa : (gint64) number->mantissa;
  return TRUE;
}

static gboolean
read_hex (HlJsonReader *self,
          gunichar     *unit,
          GError      **error)
{
  *unit = 0;
  for (int i = 0; i < 4; i++, self->at++)
    {
      if (self->at == self->end || !g_ascii_isxdigit (*self->at))
        return hl_json_reader_fail (self, _ ("a hexadecimal digit"), error);
      *unit = *unit << 4 | (gunichar) g_ascii_xdigit_value (*self->at);
    }
  return TRUE;
}

static gboolean
read_unicode_escape (HlJsonReader *self,
                     GString      *string,
                     GError      **error)
{
  gunichar unit;

  if (!read_hex (self, &unit, error))
    return FALSE;
  if (unit >= 0xd800 && unit < 0xdc00 && self->end - self->at >= 6 && self->at[0] == '\\' && self->at[1] == 'u')
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
read_escape (HlJsonReader *self,
             GString      *string,
             GError      **error)
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
    return hl_json_reader_fail (self, _ ("one of the characters that may follow a backslash"), error);
  self->at++;
  if (string != NULL)
    g_string_append_c (string, meanings[letter - letters]);
  return TRUE;
}

static gboolean
read_run (HlJsonReader *self,
          GString      *string,
          gsize         max_length,
          GError      **error)
{
  const char *run = self->at;
  const char *at = run;
  const char *invalid;

  /* A long run is read in parts, none of which ends within a character. */
  while (at < self->end && *at != '"' && *at != '\\' && (guchar) *at >= 0x20 &&
         (at - run < CHECK_INTERVAL || ((guchar) *at & 0xc0) == 0x80))
    at++;
  self->at = at;
  if (at < self->end && !g_utf8_validate_len (run, (gsize) (at - run), &invalid))
    {
      guint64 line, column;
      hl_json_reader_locate (self, invalid, &line, &column);
      g_set_error (error, HL_ERROR, HL_ERROR_ENCODING,
                   _ ("the text at line %" PRIu64 ", column %" PRIu64 " is not UTF-8: it has the byte 0x%02X"), line,
                   column, (guchar) *invalid);
      return FALSE;
    }
  if (string == NULL)
    return TRUE;
  if ((gsize) (at - run) > max_length || string->len > max_length - (gsize) (at - run))
    {
      guint64 line, column;
      hl_json_reader_locate (self, run, &line, &column);
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the string at line %" PRIu64 ", column %" PRIu64
                      " has more than the %zu bytes that are left for it"),
                   line, column, max_length);
      return FALSE;
    }
  g_string_append_len (string, run, at - run);
  return TRUE;
}

/* Opens a string. hl_json_reader_read_piece() then reads it. */
void
hl_json_reader_begin_string (HlJsonReader *self)
{
  g_assert (self->at < self->end && *self->at == '"');

  self->at++;
}

/* Reads on in a string, up to an escape and with it, or about a MiB. Surrogates without a partner become U+FFFD,
 * `\u0000` becomes `<0x00>`. */
gboolean
hl_json_reader_read_piece (HlJsonReader *self,
                           GString      *string,
                           gsize         max_length,
                           gboolean     *more,
                           GError      **error)
{
  if (!read_run (self, string, max_length, error) || !hl_json_reader_check (self, error))
    return FALSE;
  *more = self->at == self->end || *self->at != '"';
  if (!*more)
    {
      self->at++;
      return TRUE;
    }
  if (self->at < self->end && *self->at == '\\')
    return read_escape (self, string, error);
  if (self->at < self->end && (guchar) *self->at >= 0x20)
    return TRUE;
  return hl_json_reader_fail (self, _ ("the end of the string"), error);
}

/* Reads a string with its escapes. */
gboolean
hl_json_reader_read_string (HlJsonReader *self,
                            GString      *string,
                            gsize         max_length,
                            GError      **error)
{
  hl_json_reader_begin_string (self);
  for (gboolean more = TRUE; more;)
    if (!hl_json_reader_read_piece (self, string, max_length, &more, error))
      return FALSE;
  return TRUE;
}

/* Reads what begins like one of the three words that JSON has. Returns `true`, `false` or `null`, where that, and no
 * longer word, was there. */
const char *
hl_json_reader_read_word (HlJsonReader *self,
                          GError      **error)
{
  const int first = hl_json_reader_peek (self);
  const char *word = first == 't' ? "true" : first == 'f' ? "false" : "null";

  return take_word (self, word, error) ? word : NULL;
}

/* Opens an object or a list. hl_json_reader_next() then steps through it. */
gboolean
hl_json_reader_begin (HlJsonReader *self,
                      char          opener,
                      const char   *expected,
                      GError      **error)
{
  if (hl_json_reader_peek (self) != opener)
    return hl_json_reader_fail (self, expected, error);
  if (self->depth == HL_LIMIT_JSON_DEPTH)
    {
      guint64 line, column;
      hl_json_reader_locate (self, self->at, &line, &column);
      if (self->label != NULL)
        g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                     _ ("“%s” has more than %d lists and objects inside one another, at line %" PRIu64
                        ", column %" PRIu64),
                     self->label, HL_LIMIT_JSON_DEPTH, line, column);
      else
        g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                     _ ("there are more than %d objects and lists inside one another, at line %" PRIu64
                        ", column %" PRIu64),
                     HL_LIMIT_JSON_DEPTH, line, column);
      return FALSE;
    }
  self->at++;
  self->depth++;
  self->closers[self->depth] = opener == '{' ? '}' : ']';
  self->counts[self->depth] = 0;
  self->is_fresh = TRUE;
  return TRUE;
}

/* Steps to the next element of the innermost list, or to the name of the next member of the innermost object. */
gboolean
hl_json_reader_next (HlJsonReader *self,
                     gboolean     *more,
                     GError      **error)
{
  const int c = hl_json_reader_peek (self);
  const char closer = self->closers[self->depth];
  const gboolean was_fresh = self->is_fresh;

  if (!hl_json_reader_check (self, error))
    return FALSE;
  self->is_fresh = FALSE;
  self->counts[self->depth] += !was_fresh;
  *more = c != closer;
  if (c == closer)
    self->depth--;
  else if (was_fresh)
    return TRUE;
  else if (c != ',')
    return hl_json_reader_fail (self, closer == ']' ? _ ("“,” or “]”") : _ ("“,” or “}”"), error);
  self->at++;
  return TRUE;
}

/* Reads the name of a member, with the colon behind it. */
gboolean
hl_json_reader_read_name (HlJsonReader *self,
                          GString      *name,
                          gsize         max_length,
                          GError      **error)
{
  if (hl_json_reader_peek (self) != '"')
    return hl_json_reader_fail (self, _ ("the name of a member"), error);
  if (!hl_json_reader_read_string (self, name, max_length, error))
    return FALSE;
  if (hl_json_reader_peek (self) != ':')
    return hl_json_reader_fail (self, "“:”", error);
  self->at++;
  return TRUE;
}

/* Reads a value, or opens it. */
static gboolean
enter_value (HlJsonReader *self,
             GError      **error)
{
  const int first = hl_json_reader_peek (self);
  HlJsonNumber number;

  switch (first)
    {
    case '{':
    case '[':
      return hl_json_reader_begin (self, (char) first, NULL, error);
    case '"':
      return hl_json_reader_read_string (self, NULL, 0, error);
    case 't':
    case 'f':
    case 'n':
      return hl_json_reader_read_word (self, error) != NULL;
    default:
      return hl_json_reader_read_number (self, &number, error);
    }
}

/* Steps over a value with all that is in it. */
gboolean
hl_json_reader_skip (HlJsonReader *self,
                     GError      **error)
{
  const guint depth = self->depth;

  return enter_value (self, error) && hl_json_reader_leave (self, depth, error);
}

/* Steps over the rest of what is open. */
gboolean
hl_json_reader_leave (HlJsonReader *self,
                      guint         depth,
                      GError      **error)
{
  while (self->depth > depth)
    {
      gboolean more;

      if (!hl_json_reader_next (self, &more, error))
        return FALSE;
      if (more && ((self->closers[self->depth] == '}' && !hl_json_reader_read_name (self, NULL, 0, error)) ||
                   !enter_value (self, error)))
        return FALSE;
    }
  return TRUE;
}

gboolean
hl_json_reader_end (HlJsonReader *self,
                    const char   *expected,
                    GError      **error)
{
  return hl_json_reader_peek (self) == -1 || hl_json_reader_fail (self, expected, error);
}
