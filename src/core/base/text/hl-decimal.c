/* SPDX-License-Identifier: MIT */
/* Decimal numbers to floating point and back, exact and fast for what files of attention hold. The
 * C library is exact for everything but many times slower, and wants terminated strings; callers
 * fall back to it. */
#include "core/base/text/hl-decimal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The powers of ten that bring any usual spelling of a float32 home; those up to 22 are exact. */
static const double powers[] = {
  1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31,
  1e32, 1e33, 1e34, 1e35, 1e36, 1e37, 1e38, 1e39, 1e40, 1e41, 1e42, 1e43, 1e44, 1e45, 1e46, 1e47,
};

static inline double
scale (double mantissa,
       int    exponent)
{
  return exponent < 0 ? mantissa / powers[-exponent] : mantissa * powers[exponent];
}

/* Returns %FALSE if that cannot be told quickly; ask the C library then. */
gboolean
hl_decimal_to_double (guint64 mantissa,
                      int     exponent,
                      double *value)
{
  /* Both operands are exact then, so that the one rounding is the right one. */
  if (mantissa >= G_GUINT64_CONSTANT (1) << 53 || ABS (exponent) > 22)
    return FALSE;
  *value = scale ((double) mantissa, exponent);
  return TRUE;
}

/* Returns %FALSE if that cannot be told quickly; ask the C library then. */
gboolean
hl_decimal_to_float (guint64 mantissa,
                     int     exponent,
                     float  *value)
{
  if (mantissa == 0)
    {
      *value = 0;
      return TRUE;
    }
  if (ABS (exponent) >= (int) G_N_ELEMENTS (powers))
    return FALSE;
  const double wide = scale ((double) mantissa, exponent);
  /* What is beyond the greatest float32 by less than half a unit still rounds to it. */
  if (wide < (double) FLT_MIN || wide >= 0x1.ffffffp127)
    return FALSE;

  /* Three roundings make an error of less than 4 units in the double's last place. Unless the 29
   * bits that float32 lacks are that close to a half, it rounds as the nearest double does. */
  guint64 bits;
  memcpy (&bits, &wide, sizeof bits);
  const gint64 from_half = (gint64) (bits & 0x1fffffff) - 0x10000000;
  if (G_UNLIKELY (ABS (from_half) <= 8))
    return FALSE;
  *value = (float) wide;
  return TRUE;
}

/* What a spelling reads back as, also halfway between two float32 where both are integers. */
static gboolean
read_back (guint64 digits,
           int     exponent,
           float  *value)
{
  const double wide = exponent >= 0 && exponent <= 15 ? scale ((double) digits, exponent) : INFINITY;

  if (wide < 0x1p53)
    {
      *value = (float) wide; /* exact until here */
      return TRUE;
    }
  return hl_decimal_to_float (digits, exponent, value);
}

/* The fewest of 6 to 9 digits that read back as the value, as an integer of that many digits. With
 * 6 and fewer digits there is only one spelling, so that zeros at the end can go afterwards. */
static gboolean
find_digits (float    value,
             int      magnitude,
             guint64 *digits,
             int     *exponent)
{
  for (int n = 6; n <= 9; n++)
    {
      float back;
      *exponent = magnitude - n + 1;
      if (ABS (*exponent) >= (int) G_N_ELEMENTS (powers))
        return FALSE;
      *digits = (guint64) (scale ((double) value, -*exponent) + 0.5);
      if (read_back (*digits, *exponent, &back) && back == value)
        return TRUE;
    }
  return FALSE;
}

/* Spells digits · 10^exponent, with a power of ten where zeros would make it longer. */
static gsize
spell (guint64 digits,
       int     exponent,
       char   *text)
{
  char reversed[24];
  int n = 0;
  gsize length = 0;

  for (; digits % 10 == 0; digits /= 10)
    exponent++;
  for (; digits > 0; digits /= 10)
    reversed[n++] = (char) ('0' + digits % 10);
  const int magnitude = exponent + n - 1;

  if (magnitude < -5 || magnitude > 8)
    {
      text[length++] = reversed[--n];
      if (n > 0)
        text[length++] = '.';
      while (n > 0)
        text[length++] = reversed[--n];
      return length + (gsize) g_snprintf (text + length, 8, "e%d", magnitude);
    }
  if (magnitude < 0)
    {
      memcpy (text, "0.00000", 7);
      length = 1 + (gsize) -magnitude;
    }
  for (int place = magnitude; n > 0 || place >= 0; place--)
    {
      if (place == -1 && magnitude >= 0)
        text[length++] = '.';
      text[length++] = n > 0 ? reversed[--n] : '0';
    }
  text[length] = '\0';
  return length;
}

/* Spells a number with as few digits as read back as the same float32. Not finite: `NaN`, `Infinity`, `-Infinity`. */
gsize
hl_decimal_format (float value,
                   char *text)
{
  gsize sign = 0;
  guint64 digits;
  int exponent;

  if (signbit (value) && !isnan (value))
    {
      text[sign++] = '-';
      value = -value;
    }
  if (!isfinite (value))
    return sign + g_strlcpy (text + sign, isnan (value) ? "NaN" : "Infinity", HL_DECIMAL_SIZE - sign);
  if (value == 0)
    return sign + g_strlcpy (text + sign, "0", HL_DECIMAL_SIZE - sign);

  /* The logarithm may be off by one next to a power of ten; the digits then are one more or fewer,
   * which still read back. */
  const int magnitude = (int) floor (log10 ((double) value));
  if (find_digits (value, magnitude, &digits, &exponent))
    return sign + spell (digits, exponent, text + sign);

  for (int n = 1; n <= 9; n++)
    {
      char format[] = "%.1g";
      format[2] = (char) ('0' + n);
      g_ascii_formatd (text + sign, HL_DECIMAL_SIZE - (int) sign, format, (double) value);
      if ((float) g_ascii_strtod (text + sign, NULL) == value)
        break;
    }
  return strlen (text);
}
