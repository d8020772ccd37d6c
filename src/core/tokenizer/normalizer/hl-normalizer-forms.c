/* SPDX-License-Identifier: MIT */
/* The four normalization forms of Unicode (UAX #15). g_utf8_normalize() would do but for two things: each
 * character must remember where it came from, and the library that models were trained with follows an
 * older Unicode (see make-unicode-tables.py). */
#include "core/tokenizer/normalizer/hl-normalizer-forms.h"

#include "core/tokenizer/normalizer/hl-normalizer.h"
#include "core/tokenizer/text/hl-unicode.h"

/* A character, how many old ones it takes in addition to one (−1: none, it is added), and its class. */
typedef struct
{
  gunichar c;
  int      change;
  int      combining;
} Part;

static int
combining_class (gunichar c)
{
  /* Only marks have one; those that the library does not know are starters for it. */
  return c >= 0x300 && hl_unicode_is (c, HL_CHAR_MARK) ? g_unichar_combining_class (c) : 0;
}

static gboolean
compose_pair (gunichar  a,
              gunichar  b,
              gunichar *composed)
{
  gunichar parts[18];

  return g_unichar_compose (a, b, composed) && hl_unicode_decompose (*composed, FALSE, parts) > 1;
}

static int
compare_parts (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  return ((const Part *) a)->combining - ((const Part *) b)->combining;
}

static void
sort_marks (GArray *parts)
{
  for (guint i = 0; i < parts->len;)
    {
      guint end = i + 1;
      if (g_array_index (parts, Part, i).combining != 0)
        {
          while (end < parts->len && g_array_index (parts, Part, end).combining != 0)
            end++;
          g_qsort_with_data (&g_array_index (parts, Part, i), (int) (end - i), sizeof (Part),
                             compare_parts, NULL);
        }
      i = end;
    }
}

/* UAX #15: each character joins the last starter unless one of its class or higher stands between. */
static void
compose_parts (GArray *parts)
{
  guint n = 0;
  gint64 starter = -1;
  int last = 0;

  for (guint i = 0; i < parts->len; i++)
    {
      const Part part = g_array_index (parts, Part, i);
      if (starter >= 0)
        {
          Part *base = &g_array_index (parts, Part, starter);
          const gboolean adjacent = n == (guint) starter + 1;
          gunichar composed;
          if ((adjacent || (last < part.combining && last != 0)) && compose_pair (base->c, part.c, &composed))
            {
              base->c = composed;
              base->change += part.change + 1;
              continue;
            }
        }
      if (part.combining == 0)
        starter = n;
      last = part.combining;
      g_array_index (parts, Part, n++) = part;
    }
  g_array_set_size (parts, n);
}

static void
write_parts (HlTransform  *transform,
             const GArray *parts)
{
  for (guint i = 0; i < parts->len; i++)
    {
      const Part *part = &g_array_index (parts, Part, i);
      if (part->change < 0)
        {
          hl_transform_insert (transform, part->c);
          continue;
        }
      if (transform->at < transform->old->length)
        hl_transform_keep (transform, part->c);
      else
        hl_transform_insert (transform, part->c);
      hl_transform_drop (transform, (guint) part->change);
    }
}

/* Nothing before such a character can change with what follows from it on. */
static inline gboolean
is_boundary (gunichar c)
{
  return c < 0x300 || (c >= 0x4e00 && c < 0xa000);
}

/**
 * hl_normalize_form:
 * @text: a text, rewritten in place
 * @compatibility: decompose also what only looks or means the same (NFKC, NFKD)
 * @compose: compose at the end (NFC, NFKC)
 */
void
hl_normalize_form (HlAligned *text,
                   gboolean   compatibility,
                   gboolean   compose)
{
  g_autoptr (GArray) parts = NULL;
  HlTransform transform;
  gsize ascii = 0;

  while (ascii < text->length && (guchar) text->bytes[ascii] < 0x80)
    ascii++;
  if (ascii == text->length)
    return;

  parts = g_array_new (FALSE, FALSE, sizeof (Part));
  hl_transform_begin (&transform, text);
  for (gsize at = 0; at < text->length;)
    {
      gsize end = at;
      while (end < text->length && (guchar) text->bytes[end] < 0x80)
        end++;
      if (end < text->length && end > at)
        end--; /* what follows may belong to it */
      hl_transform_copy (&transform, end - at);

      g_array_set_size (parts, 0);
      for (at = end; at < text->length;)
        {
          const gunichar c = g_utf8_get_char (text->bytes + at);
          gunichar decomposed[18];
          if (at > end && is_boundary (c))
            break;
          const guint n = hl_unicode_decompose (c, compatibility, decomposed);
          for (guint i = 0; i < n; i++)
            {
              const Part part = { decomposed[i], i == 0 ? 0 : -1, combining_class (decomposed[i]) };
              g_array_append_val (parts, part);
            }
          at += (gsize) g_utf8_skip[(guchar) text->bytes[at]];
        }
      sort_marks (parts);
      if (compose)
        compose_parts (parts);
      write_parts (&transform, parts);
      transform.at = at;
    }
  hl_transform_finish (&transform, text);
}

static HlNormalizer *
form_load (HlJsonValue   config,
           guint         depth,
           GError      **error)
{
  return g_new0 (HlNormalizer, 1);
}

static void
form_free (HlNormalizer *self)
{
  g_free (self);
}

#define FORM(name, label, compatibility, compose) \
  static gboolean \
  name##_apply (const HlNormalizer  *self, \
                HlAligned           *text, \
                GError             **error) \
  { \
    hl_normalize_form (text, compatibility, compose); \
    return TRUE; \
  } \
  const HlNormalizerClass hl_##name##_normalizer = { label, form_load, name##_apply, form_free }

FORM (nfc, "NFC", FALSE, TRUE);
FORM (nfd, "NFD", FALSE, FALSE);
FORM (nfkc, "NFKC", TRUE, TRUE);
FORM (nfkd, "NFKD", TRUE, FALSE);
