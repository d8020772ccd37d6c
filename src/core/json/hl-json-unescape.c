/* SPDX-License-Identifier: MIT */
/* What the inside of a string of JSON says. In place, since it is never longer: a notebook may hold a page of hundreds
 * of megabytes as one string. */
#include "core/json/hl-json-unescape.h"

#include <string.h>

static gunichar
read_hex (const char *digits)
{
  gunichar unit = 0;

  for (int i = 0; i < 4; i++)
    unit = unit << 4 | (gunichar) g_ascii_xdigit_value (digits[i]);
  return unit;
}

static gboolean
is_low_surrogate (const char *at,
                  const char *end)
{
  return end - at >= 6 && at[0] == '\\' && at[1] == 'u' && read_hex (at + 2) >= 0xdc00 &&
         read_hex (at + 2) < 0xe000;
}

/* An escape that begins with `\u`, or two that make one character. Spelled as hl_json_lexer_read_string() does. */
static const char *
unescape_unicode (const char *at,
                  const char *end,
                  char      **to)
{
  gunichar unit = read_hex (at + 2);

  at += 6;
  if (unit >= 0xd800 && unit < 0xdc00 && is_low_surrogate (at, end))
    {
      unit = 0x10000 + ((unit - 0xd800) << 10) + (read_hex (at + 2) - 0xdc00);
      at += 6;
    }
  if (unit == 0)
    {
      memcpy (*to, "<0x00>", 6);
      *to += 6;
    }
  else
    {
      *to += g_unichar_to_utf8 (unit >= 0xd800 && unit < 0xe000 ? 0xfffd : unit, *to);
    }
  return at;
}

/**
 * hl_json_unescape: (skip)
 * @from: the inside of a string that hl_json_lexer_read_string() has stepped over without an error
 * @size: its bytes
 * @to: (out caller-allocates): room for as many bytes; may be @from, or lie before it
 *
 * Replaces escapes by what they stand for.
 *
 * Returns: how many bytes are in @to, which is not terminated
 */
gsize
hl_json_unescape (const char *from,
                  gsize       size,
                  char       *to)
{
  static const char letters[] = "\"\\/bfnrt";
  static const char meanings[] = "\"\\/\b\f\n\r\t";
  const char *const end = from + size;
  char *const start = to;

  while (from < end)
    {
      const char *escape = memchr (from, '\\', (gsize) (end - from));
      const gsize run = (gsize) ((escape != NULL ? escape : end) - from);

      memmove (to, from, run);
      to += run;
      if (escape == NULL)
        break;
      if (escape[1] == 'u')
        {
          from = unescape_unicode (escape, end, &to);
        }
      else
        {
          *to++ = meanings[strchr (letters, escape[1]) - letters];
          from = escape + 2;
        }
    }
  return (gsize) (to - start);
}
