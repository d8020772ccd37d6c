/* SPDX-License-Identifier: MIT */
/* The numbers of JSON, at the speed a dump of 100 million of them needs: read as one integer and a power of ten. */
#include "core/json/hl-json-lexer.h"

#include "core/base/hl-decimal.h"
#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Longer spellings are nonsense, and need a copy to be read. */
#define MAX_NUMBER_LENGTH (1 << 20)

static gboolean
read_special (HlJsonLexer  *self,
              HlJsonNumber *number,
              GError      **error)
{
  number->special = *self->at == 'N' ? 'n' : 'i';
  if (!hl_json_lexer_read_literal (self, *self->at == 'N' ? "NaN" : "Infinity", error))
    return FALSE;
  number->length = (gsize) (self->at - number->text);
  return TRUE;
}

/* Digits from the present position into the mantissa, as far as 19 of them fit. */
static inline int
read_digits (HlJsonLexer  *self,
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
          dropped += dropped < MAX_NUMBER_LENGTH;
        }
    }
  number->mantissa = mantissa;
  self->at = at;
  return dropped;
}

static gboolean
read_exponent (HlJsonLexer  *self,
               HlJsonNumber *number,
               GError      **error)
{
  int exponent = 0;

  self->at++;
  const gboolean negative = self->at < self->end && *self->at == '-';
  if (self->at < self->end && (*self->at == '-' || *self->at == '+'))
    self->at++;
  if (self->at == self->end || !g_ascii_isdigit (*self->at))
    return hl_json_lexer_fail (self, _ ("a digit"), error);
  for (; self->at < self->end && g_ascii_isdigit (*self->at); self->at++)
    exponent = MIN (exponent * 10 + (*self->at - '0'), 100000000);
  number->exponent += negative ? -exponent : exponent;
  number->integer = FALSE;
  return TRUE;
}

static gboolean
fail_number (HlJsonLexer        *self,
             const HlJsonNumber *number,
             GError            **error)
{
  return hl_json_lexer_fail (self, number->negative ? _ ("a digit") : _ ("a value"), error);
}

/**
 * hl_json_lexer_read_number:
 * @self: a lexer that stands at the number
 * @number: (out): how it is spelt
 * @error: %HL_ERROR_CORRUPT, %HL_ERROR_TRUNCATED, or %HL_ERROR_TOO_LARGE for a spelling longer than
 *   a MiB
 *
 * Returns: whether there was one
 */
gboolean
hl_json_lexer_read_number (HlJsonLexer  *self,
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
        return hl_json_lexer_fail (self, _ ("a digit"), error);
      number->exponent -= (int) MIN (digits, MAX_NUMBER_LENGTH) - dropped;
      number->integer = FALSE;
    }
  if (self->at < self->end && (*self->at == 'e' || *self->at == 'E') &&
      !read_exponent (self, number, error))
    return FALSE;

  number->length = (gsize) (self->at - number->text);
  if (G_UNLIKELY (number->length > MAX_NUMBER_LENGTH))
    {
      guint64 line, column;
      hl_json_lexer_locate (self, number->text, &line, &column);
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the number at line %" PRIu64 ", column %" PRIu64
                      " has more than %d characters"),
                   line, column, MAX_NUMBER_LENGTH);
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

/**
 * hl_json_number_to_double:
 * @number: a number
 *
 * Returns: the nearest double; infinite if it is too large for one
 */
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

/**
 * hl_json_number_to_float:
 * @number: a number
 *
 * Returns: the nearest double, rounded to float32; infinite if it is too large for that
 */
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

/**
 * hl_json_number_to_int64:
 * @number: a number
 * @value: (out): the integer
 *
 * Returns: whether it is spelt as an integer and fits
 */
gboolean
hl_json_number_to_int64 (const HlJsonNumber *number,
                         gint64             *value)
{
  if (!number->integer || !number->exact || number->special || number->mantissa > G_MAXINT64)
    return FALSE;
  *value = number->negative ? -(gint64) number->mantissa : (gint64) number->mantissa;
  return TRUE;
}
