/* SPDX-License-Identifier: MIT */
/* Numbers in the names of members that belong together: `#` stands for those that count layers, heads, steps or
 * examples. A number that is the same in all names is part of them. */
#include "core/document/guess/hl-layout-patterns.h"

#include <string.h>

#include "core/base/hl-utf8.h"
#include "core/base/text/hl-text-hash.h"
#include "core/document/guess/hl-layout-names.h"

/* Of a name; those behind are part of it. */
#define MAX_NUMBERS 16
#define ALL_NUMBERS ((1u << MAX_NUMBERS) - 1)

#define DIGITS "0123456789"

/* Names that are the same but for their numbers. */
typedef struct
{
  const char *first;
  guint differ; /* a bit for each number that is not the same in all of them */
} Alike;

struct _HlLayoutPatterns
{
  GHashTable *alike; /* by the name with `#` in place of all numbers */
};

/* Where the next number of a name is, or its end. A byte that is no text, which is spelt in digits, is none. */
static const char *
find_number (const char *name)
{
  for (name += strcspn (name, DIGITS "<"); *name == '<'; name += strcspn (name, DIGITS "<"))
    name += hl_utf8_is_spelt_byte (name) ? HL_UTF8_SPELT_BYTE : 1;
  return name;
}

/* The name with `#` in place of the numbers whose bits are set; %NULL if it has none. */
static char *
replace (const char *name,
         guint       which)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;

  while (*name != '\0')
    {
      const gsize before = (gsize) (find_number (name) - name), digits = strspn (name + before, DIGITS);

      g_string_append_len (text, name, (gssize) before);
      if (digits > 0 && n < MAX_NUMBERS && (which >> n & 1) != 0)
        g_string_append_c (text, '#');
      else
        g_string_append_len (text, name + before, (gssize) digits);
      n += digits > 0;
      name += before + digits;
    }
  return n > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* The bits of the numbers that two names, which are alike, do not share. */
static guint
compare (const char *a,
         const char *b)
{
  guint differ = 0;

  for (guint n = 0; n < MAX_NUMBERS; n++)
    {
      a = find_number (a);
      b = find_number (b);
      const gsize length = strspn (a, DIGITS), other = strspn (b, DIGITS);
      if (length == 0)
        break;
      if (length != other || memcmp (a, b, length) != 0)
        differ |= 1u << n;
      a += length;
      b += other;
    }
  return differ;
}

/* @members must live as long. */
HlLayoutPatterns *
hl_layout_patterns_new (char **members)
{
  HlLayoutPatterns *self = g_new0 (HlLayoutPatterns, 1);

  self->alike = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, g_free);
  for (; *members != NULL; members++)
    {
      g_autofree char *key = replace (*members, ALL_NUMBERS);
      Alike *alike = key != NULL ? g_hash_table_lookup (self->alike, key) : NULL;

      if (alike != NULL)
        alike->differ |= compare (alike->first, *members);
      if (key == NULL || alike != NULL)
        continue;
      alike = g_new0 (Alike, 1);
      alike->first = *members;
      g_hash_table_insert (self->alike, g_steal_pointer (&key), alike);
    }
  return self;
}

void
hl_layout_patterns_free (HlLayoutPatterns *self)
{
  g_hash_table_unref (self->alike);
  g_free (self);
}

static guint
get_differing (const HlLayoutPatterns *self,
               const char             *name)
{
  g_autofree char *key = replace (name, ALL_NUMBERS);
  const Alike *alike = key != NULL ? g_hash_table_lookup (self->alike, key) : NULL;

  return alike != NULL ? alike->differ : 0;
}

/* Returns the name with `#` in place of the first number that is not the same in all names like it, or else of its
 * first; %NULL if it has none. */
char *
hl_layout_patterns_get (const HlLayoutPatterns *self,
                        const char             *name)
{
  const guint differ = get_differing (self, name);

  return replace (name, differ != 0 ? 1u << g_bit_nth_lsf (differ, -1) : 1);
}

/* Returns the same with `#` in place of both numbers that differ; %NULL if these are not two. */
char *
hl_layout_patterns_get_pair (const HlLayoutPatterns *self,
                             const char             *name)
{
  const guint differ = get_differing (self, name);
  const guint rest = differ & (differ - 1);

  return rest != 0 && (rest & (rest - 1)) == 0 ? replace (name, differ) : NULL;
}

/* Returns how many @numbers of a name `#` stands for; 0 for a name that is another. */
guint
hl_layout_pattern_match (const char *pattern,
                         const char *name,
                         guint64     numbers[2])
{
  guint n = 0;

  for (; *pattern != '\0'; pattern++)
    if (*pattern == '#' && g_ascii_isdigit (*name) && n < 2)
      {
        char *end;
        numbers[n++] = g_ascii_strtoull (name, &end, 10);
        name = end;
      }
    else if (*pattern != *name++)
      return 0;
  return *name == '\0' ? n : 0;
}

gboolean
hl_layout_pattern_is_pair (const char *pattern,
                           char      **members)
{
  guint64 numbers[2];

  for (; *members != NULL; members++)
    {
      const guint n = hl_layout_pattern_match (pattern, *members, numbers);
      if (n > 0)
        return n == 2;
    }
  return FALSE;
}

typedef enum
{
  COUNTS_NOTHING,
  COUNTS_LAYERS,
  COUNTS_HEADS,
  COUNTS_OTHERS,
} Counts;

/* The word that stands before a number; perhaps an empty one. */
static char *
get_word (const char *text,
          gsize       length)
{
  gsize start;

  while (length > 0 && !g_ascii_isalnum (text[length - 1]))
    length--;
  for (start = length; start > 0 && g_ascii_isalpha (text[start - 1]);)
    start--;
  return g_ascii_strdown (text + start, (gssize) (length - start));
}

/* What the word before a number says that it counts. A single letter is understood beside the other number only. */
static Counts
get_counts (const char *text,
            gsize       length)
{
  g_autofree char *before = g_strndup (text, length), *word = get_word (text, length);

  if (g_str_has_suffix (word, "head") || g_str_has_suffix (word, "heads") || g_str_equal (word, "h"))
    return COUNTS_HEADS;
  if (hl_layout_names_are_layers (before) || g_str_equal (word, "l"))
    return COUNTS_LAYERS;
  return *word == '\0' || strstr (word, "att") != NULL ? COUNTS_NOTHING : COUNTS_OTHERS;
}

/* Whether a pattern for one number says that it counts heads. */
gboolean
hl_layout_pattern_are_heads (const char *pattern)
{
  g_autofree char *word = get_word (pattern, strcspn (pattern, "#"));

  return g_str_has_suffix (word, "head");
}

/* What a pattern for two numbers says that they count; @swapped is whether the first is of what the second has: heads
 * of layers, or layers of the rest. */
HlLayoutPair
hl_layout_pattern_tell_pair (const char *pattern,
                             gboolean   *swapped)
{
  const gsize first = strcspn (pattern, "#");
  const char *between = pattern[first] != '\0' ? pattern + first + 1 : pattern + first;
  const Counts one = get_counts (pattern, first), two = get_counts (between, strcspn (between, "#"));

  *swapped = one == COUNTS_HEADS || (one == COUNTS_LAYERS && two == COUNTS_OTHERS);
  if ((one == COUNTS_LAYERS && (two == COUNTS_HEADS || two == COUNTS_NOTHING)) ||
      (two == COUNTS_HEADS && one == COUNTS_NOTHING) || (one == COUNTS_HEADS && two == COUNTS_LAYERS))
    return HL_LAYOUT_PAIR_HEADS;
  return (one == COUNTS_LAYERS && two == COUNTS_OTHERS) || (one == COUNTS_OTHERS && two == COUNTS_LAYERS)
           ? HL_LAYOUT_PAIR_PARTS
           : HL_LAYOUT_PAIR_UNKNOWN;
}
