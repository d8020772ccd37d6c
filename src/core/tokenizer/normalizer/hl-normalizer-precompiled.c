/* SPDX-License-Identifier: MIT */
/* SentencePiece's compiled table of replacements: a double-array trie over UTF-8, and the strings it leads
 * to. The library that models are used with looks up a whole grapheme if it has less than 6 bytes, takes
 * the shortest key that it begins with, and drops the rest of it; else it looks up each character. So it
 * is done here. */
#include "core/tokenizer/normalizer/hl-normalizer.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_GRAPHEME 6

typedef struct
{
  HlNormalizer parent;
  guint32 *units;
  gsize n_units;
  char *strings; /* ends with a zero */
  gsize n_strings;
  GRegex *grapheme;
} Precompiled;

static void
precompiled_free (HlNormalizer *self)
{
  Precompiled *precompiled = (Precompiled *) self;

  g_free (precompiled->units);
  g_free (precompiled->strings);
  g_clear_pointer (&precompiled->grapheme, g_regex_unref);
  g_free (self);
}

static gboolean
read_table (Precompiled  *self,
            const guint8 *data,
            gsize         size,
            GError      **error)
{
  guint32 trie_size = 0;

  if (size >= 4)
    memcpy (&trie_size, data, 4);
  trie_size = GUINT32_FROM_LE (trie_size);
  if (size < 4 || trie_size % 4 != 0 || trie_size == 0 || trie_size > size - 4)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                   _ ("the trie of “precompiled_charsmap” is longer than the member"));
      return FALSE;
    }
  self->n_units = trie_size / 4;
  self->units = g_memdup2 (data + 4, trie_size);
  for (gsize i = 0; i < self->n_units; i++)
    self->units[i] = GUINT32_FROM_LE (self->units[i]);
  self->n_strings = size - 4 - trie_size;
  self->strings = g_malloc0 (self->n_strings + 1);
  memcpy (self->strings, data + 4 + trie_size, self->n_strings);
  for (const char *at = self->strings; at < self->strings + self->n_strings; at += strlen (at) + 1)
    if (!g_utf8_validate (at, -1, NULL))
      {
        g_set_error (error, HL_ERROR, HL_ERROR_ENCODING,
                     _ ("the replacement at byte %u of “precompiled_charsmap” is not valid UTF-8"),
                     (guint) (at - self->strings) + 4 + trie_size);
        return FALSE;
      }
  return TRUE;
}

static HlNormalizer *
precompiled_load (HlJsonValue config,
                  guint       depth,
                  GError    **error)
{
  const char *base64 = NULL;
  gsize size;

  if (!hl_json_get_string (config, "precompiled_charsmap", &base64, error))
    return NULL;
  if (base64 == NULL || *base64 == '\0')
    return (HlNormalizer *) g_new0 (Precompiled, 1); /* a table without rules */
  g_autofree guint8 *data = g_base64_decode (base64, &size);
  return hl_normalizer_new_precompiled (data, size, error);
}

/* Darts-clone's units: bit 31 marks a value, bit 8 says that a node has one, bit 9 widens the offset. */
static const char *
look_up (const Precompiled *self,
         const char        *bytes,
         gsize              length)
{
  guint32 unit = self->units[0];
  guint32 node = (unit >> 10) << ((unit & (1u << 9)) >> 6);

  for (gsize i = 0; i < length; i++)
    {
      node ^= (guchar) bytes[i];
      if (node >= self->n_units)
        return NULL;
      unit = self->units[node];
      if ((unit & 0x800000ff) != (guchar) bytes[i])
        return NULL;
      node ^= (unit >> 10) << ((unit & (1u << 9)) >> 6);
      if ((unit & (1u << 8)) != 0)
        {
          const guint32 value = node < self->n_units ? self->units[node] & 0x7fffffff : G_MAXUINT32;
          /* A replacement may begin inside another one, but not inside a character. */
          if (value > self->n_strings || ((guchar) self->strings[value] & 0xc0) == 0x80)
            return NULL;
          return self->strings + value;
        }
    }
  return NULL;
}

/* Bytes of the grapheme at a place. */
static gsize
get_grapheme (const Precompiled *self,
              const HlAligned   *text,
              gsize              at)
{
  const char *bytes = text->bytes + at;
  const gsize left = text->length - at;
  const gsize first = (gsize) g_utf8_skip[(guchar) *bytes];
  int end;

  if (left <= first)
    return left;
  /* Below U+0300 there are no marks, and only a line break is of two. */
  if ((guchar) bytes[0] < 0xcc && (guchar) bytes[first] < 0xcc && bytes[0] != '\r')
    return first;
  g_autoptr (GMatchInfo) info = NULL;
  if (!g_regex_match_full (self->grapheme, bytes, (gssize) left, 0, G_REGEX_MATCH_ANCHORED, &info, NULL) ||
      !g_match_info_fetch_pos (info, 0, NULL, &end) || end <= 0)
    return first;
  return (gsize) end;
}

/* Writes a replacement for @n_old characters of the old text. */
static void
write_replacement (HlTransform *transform,
                   const char  *replacement,
                   glong        n_old)
{
  glong n = 0;

  if (*replacement == '\0')
    {
      hl_transform_drop (transform, (guint) n_old);
      return;
    }
  for (const char *c = replacement; *c != '\0' && !transform->out.room->overflow; c = g_utf8_next_char (c), n++)
    {
      if (n == 0)
        {
          hl_transform_keep (transform, g_utf8_get_char (c));
          hl_transform_drop (transform, (guint) (n_old - 1));
        }
      else
        {
          hl_transform_insert (transform, g_utf8_get_char (c));
        }
    }
}

static gboolean
precompiled_apply (const HlNormalizer *self,
                   HlAligned          *text,
                   GError            **error)
{
  const Precompiled *precompiled = (const Precompiled *) self;
  HlTransform transform;

  if (precompiled->n_units == 0 || text->length == 0)
    return TRUE;
  hl_transform_begin (&transform, text);
  while (hl_transform_goes_on (&transform))
    {
      const gsize start = transform.at;
      const gsize length = get_grapheme (precompiled, text, start);
      const char *replacement = NULL;
      if (length < MAX_GRAPHEME)
        replacement = look_up (precompiled, text->bytes + start, length);
      if (replacement != NULL)
        {
          write_replacement (&transform, replacement, g_utf8_strlen (text->bytes + start, (gssize) length));
          transform.at = start + length;
          continue;
        }
      while (transform.at < start + length && hl_transform_goes_on (&transform))
        {
          const char *c = text->bytes + transform.at;
          replacement = look_up (precompiled, c, (gsize) g_utf8_skip[(guchar) *c]);
          if (replacement != NULL)
            write_replacement (&transform, replacement, 1);
          else
            hl_transform_keep (&transform, g_utf8_get_char (c));
        }
    }
  hl_transform_finish (&transform, text);
  return TRUE;
}

const HlNormalizerClass hl_precompiled_normalizer = { "Precompiled", precompiled_load, precompiled_apply,
                                                      precompiled_free };

/* Returns one that follows a table as SentencePiece writes it. */
HlNormalizer *
hl_normalizer_new_precompiled (const guint8 *table,
                               gsize         size,
                               GError      **error)
{
  Precompiled *self = g_new0 (Precompiled, 1);

  if (!read_table (self, table, size, error))
    {
      precompiled_free (&self->parent);
      return NULL;
    }
  self->grapheme = g_regex_new ("\\X", G_REGEX_OPTIMIZE, 0, NULL);
  g_assert (self->grapheme != NULL);
  /* The first match finishes it, which must not happen in two threads. */
  g_regex_match (self->grapheme, "", 0, NULL);
  self->parent.klass = &hl_precompiled_normalizer;
  return &self->parent;
}
