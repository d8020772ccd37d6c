/* SPDX-License-Identifier: MIT */
/* What characters are. Measured tables where GLib's version of Unicode, or its idea of a class, would
 * give other tokens than the library that models were trained with; GLib for the rest. */
#include "core/tokenizer/text/hl-unicode.h"

typedef struct
{
  gunichar first;
  gunichar last;
} HlCodeRange;

typedef struct
{
  gunichar first;
  gunichar last;
  int distance;
} HlCodeShift;

#include "core/tokenizer/text/hl-unicode-tables.h"

static const HlCodeRange space_ranges[] = {
  { 0x0009, 0x000d }, { 0x0020, 0x0020 }, { 0x0085, 0x0085 }, { 0x00a0, 0x00a0 }, { 0x1680, 0x1680 },
  { 0x2000, 0x200a }, { 0x2028, 0x2029 }, { 0x202f, 0x202f }, { 0x205f, 0x205f }, { 0x3000, 0x3000 },
};

#define TABLE(ranges)                                                                                                  \
  {                                                                                                                    \
    ranges, G_N_ELEMENTS (ranges)                                                                                      \
  }

static const struct
{
  const HlCodeRange *ranges;
  guint n_ranges;
} classes[] = {
  [HL_CHAR_CONTROL] = TABLE (control_ranges), [HL_CHAR_NONSPACING] = TABLE (nonspacing_ranges),
  [HL_CHAR_MARK] = TABLE (mark_ranges),       [HL_CHAR_PUNCTUATION] = TABLE (punctuation_ranges),
  [HL_CHAR_NUMBER] = TABLE (number_ranges),   [HL_CHAR_WORD] = TABLE (word_ranges),
  [HL_CHAR_SPACE] = TABLE (space_ranges),     [HL_CHAR_UNSCRIPTED] = TABLE (unscripted_ranges),
};

static gboolean
in_ranges (gunichar           c,
           const HlCodeRange *ranges,
           guint              n_ranges)
{
  guint low = 0;

  while (low < n_ranges)
    {
      const guint middle = low + (n_ranges - low) / 2;
      if (c < ranges[middle].first)
        n_ranges = middle;
      else if (c > ranges[middle].last)
        low = middle + 1;
      else
        return TRUE;
    }
  return FALSE;
}

gboolean
hl_unicode_is (gunichar    c,
               HlCharClass char_class)
{
  g_return_val_if_fail (char_class < G_N_ELEMENTS (classes), FALSE);

  return in_ranges (c, classes[char_class].ranges, classes[char_class].n_ranges);
}

/* Returns whether BERT sets it apart as a word of its own. Extension E begins at U+2B920 in the library, a hundred
 * code points late, and later extensions are not there. */
gboolean
hl_unicode_is_ideograph (gunichar c)
{
  return (c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3400 && c <= 0x4dbf) || (c >= 0x20000 && c <= 0x2a6df) ||
         (c >= 0x2a700 && c <= 0x2b81f) || (c >= 0x2b920 && c <= 0x2ceaf) || (c >= 0xf900 && c <= 0xfaff) ||
         (c >= 0x2f800 && c <= 0x2fa1f);
}

guint
hl_unicode_lower (gunichar c,
                  gunichar lower[2])
{
  if (c == 0x130)
    {
      lower[0] = 'i';
      lower[1] = 0x307;
      return 2;
    }
  lower[0] = g_unichar_tolower (c);
  if (lower[0] == c && c >= 0x1000)
    for (guint i = 0; i < G_N_ELEMENTS (lower_shifts); i++)
      if (c >= lower_shifts[i].first && c <= lower_shifts[i].last)
        lower[0] = (gunichar) ((int) c + lower_shifts[i].distance);
  return 1;
}

guint
hl_unicode_decompose (gunichar c,
                      gboolean compatibility,
                      gunichar parts[18])
{
  parts[0] = c;
  if (c < 0xa0 || in_ranges (c, undecomposed_ranges, G_N_ELEMENTS (undecomposed_ranges)))
    return 1;
  return (guint) g_unichar_fully_decompose (c, compatibility, parts, 18);
}

/* Returns the inside of a bracketed class with what is of that category and newer than PCRE2 may know. */
const char *
hl_unicode_newer_ranges (const char *property)
{
  for (guint i = 0; i < G_N_ELEMENTS (newer_classes); i++)
    if (g_str_equal (newer_classes[i].name, property))
      return newer_classes[i].ranges;
  return NULL;
}
