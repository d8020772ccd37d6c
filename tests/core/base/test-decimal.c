/* SPDX-License-Identifier: MIT */
/* Decimal numbers against the C library, which is exact: both directions, bit for bit. */
#include "core/base/text/hl-decimal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static guint32
get_bits (float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static float
make_float (guint32 bits)
{
  float value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

static int
count_digits (const char *text)
{
  int n = 0;
  int n_zeros = 0;

  for (const char *c = text; *c != '\0' && *c != 'e'; c++)
    if (g_ascii_isdigit (*c) && (n > 0 || *c != '0'))
      {
        n++;
        n_zeros = *c == '0' ? n_zeros + 1 : 0;
      }
  return n - n_zeros;
}

static int
count_digits_needed (float value)
{
  char text[32];
  int n = 1;

  for (; n <= 9; n++)
    {
      char format[] = "%.0e";
      format[2] = (char) ('0' + n - 1);
      g_ascii_formatd (text, sizeof text, format, (double) value);
      if ((float) g_ascii_strtod (text, NULL) == value)
        break;
    }
  return count_digits (text);
}

static void
check_spelling (float value)
{
  char text[HL_DECIMAL_SIZE];
  const gsize length = hl_decimal_format (value, text);

  g_assert_cmpuint (length, ==, strlen (text));
  g_assert_cmpuint (length, <, HL_DECIMAL_SIZE);
  const float back = strtof (text, NULL);
  if (get_bits (back) != get_bits (value))
    g_error ("%.9g became %s", (double) value, text);
}

static void
test_format_reads_back (void)
{
  const guint32 edges[] = { 0, 1, 0x007fffff, 0x00800000, 0x7f7fffff, 0x3f800000, 0x3f7fffff, 0x3f800001, 0x4b000000 };

  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    {
      check_spelling (make_float (edges[i]));
      check_spelling (make_float (edges[i] | 0x80000000));
    }
  for (int exponent = -45; exponent <= 38; exponent++)
    {
      const float power = (float) pow (10, exponent);
      check_spelling (power);
      check_spelling (nextafterf (power, 0));
      check_spelling (nextafterf (power, INFINITY));
    }
  for (guint i = 0; i < 300000; i++)
    {
      const float value = make_float ((guint32) g_test_rand_int ());
      if (isfinite (value))
        check_spelling (value);
      check_spelling ((float) g_test_rand_double ());
    }
}

static void
test_format_is_short (void)
{
  for (guint i = 0; i < 20000; i++)
    {
      const float value = (float) exp (g_test_rand_double_range (-40, 40));
      char text[HL_DECIMAL_SIZE];
      hl_decimal_format (value, text);
      const int needed = count_digits_needed (value);
      if (count_digits (text) > needed)
        g_error ("%s has %d digits, %d are enough", text, count_digits (text), needed);
    }
}

static void
test_format_spelling (void)
{
  const struct
  {
    float value;
    const char *text;
  } cases[] = {
    { 0, "0" },
    { -0.0f, "-0" },
    { 1, "1" },
    { -2.5f, "-2.5" },
    { 0.1f, "0.1" },
    { 1e-5f, "0.00001" },
    { 9e-6f, "9e-6" },
    { 1.25e-7f, "1.25e-7" },
    { 1.34021116e14f, "1.3402112e14" }, /* halfway to the next */
    { 100, "100" },
    { 1e8f, "100000000" },
    { 1e9f, "1e9" },
    { 16777216, "16777216" },
    { 1e-45f, "1e-45" },
    { NAN, "NaN" },
    { INFINITY, "Infinity" },
    { -INFINITY, "-Infinity" },
    { FLT_MAX, "3.4028235e38" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      char text[HL_DECIMAL_SIZE];
      hl_decimal_format (cases[i].value, text);
      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* Whatever the fast ways answer must be what the slow one does. */
static void
test_parse_agrees (void)
{
  guint n_fast = 0;
  const guint n = 300000;

  for (guint i = 0; i < n; i++)
    {
      const guint n_digits = (guint) g_test_rand_int_range (1, 20);
      const int exponent = g_test_rand_int_range (-50, 30) - (int) n_digits;
      guint64 mantissa = 0;
      for (guint k = 0; k < n_digits; k++)
        mantissa = mantissa * 10 + (guint64) g_test_rand_int_range (0, 10);
      g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT "e%d", mantissa, exponent);
      const double exact = g_ascii_strtod (text, NULL);

      float narrow;
      if (hl_decimal_to_float (mantissa, exponent, &narrow))
        {
          n_fast++;
          if (get_bits (narrow) != get_bits ((float) exact))
            g_error ("%s became %.9g", text, (double) narrow);
        }
      double wide;
      if (hl_decimal_to_double (mantissa, exponent, &wide) && memcmp (&wide, &exact, sizeof wide) != 0)
        g_error ("%s became %.17g", text, wide);
    }
  g_assert_cmpuint (n_fast, >, n / 4);
}

/* Halves of float32's last place, where the double decides, and their neighbours. */
static void
test_parse_halves (void)
{
  for (guint i = 0; i < 100000; i++)
    {
      const float below = (float) g_test_rand_double ();
      const double half = ((double) below + (double) nextafterf (below, 2)) / 2;
      for (int step = -2; step <= 2; step++)
        {
          char text[40];
          g_ascii_formatd (text, sizeof text, "%.18e", half * (1 + step * 1e-16));
          /* d.ddde-x as an integer and a power of ten */
          const int exponent = atoi (strchr (text, 'e') + 1) - 18;
          memmove (text + 1, text + 2, 18);
          text[19] = '\0';
          const guint64 mantissa = g_ascii_strtoull (text, NULL, 10);
          g_autofree char *spelling = g_strdup_printf ("%" G_GUINT64_FORMAT "e%d", mantissa, exponent);
          float value;
          if (hl_decimal_to_float (mantissa, exponent, &value))
            g_assert_cmphex (get_bits (value), ==, get_bits ((float) g_ascii_strtod (spelling, NULL)));
        }
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/decimal/format/reads-back", test_format_reads_back);
  g_test_add_func ("/decimal/format/is-short", test_format_is_short);
  g_test_add_func ("/decimal/format/spelling", test_format_spelling);
  g_test_add_func ("/decimal/parse/agrees", test_parse_agrees);
  g_test_add_func ("/decimal/parse/halves", test_parse_halves);
  return g_test_run ();
}
