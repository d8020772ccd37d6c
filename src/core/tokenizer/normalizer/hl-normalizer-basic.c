/* SPDX-License-Identifier: MIT */
/* The small normalizers: lower case, white space at the ends, accents, odd characters, a prefix, bytes. */
#include "core/tokenizer/normalizer/hl-normalizer.h"

#include "core/tokenizer/text/hl-byte-level.h"
#include "core/tokenizer/text/hl-unicode.h"

#include <string.h>

static HlNormalizer *
plain_load (HlJsonValue   config,
            guint         depth,
            GError      **error)
{
  return g_new0 (HlNormalizer, 1);
}

static void
plain_free (HlNormalizer *self)
{
  g_free (self);
}

static gboolean
lowercase_apply (const HlNormalizer  *self,
                 HlAligned           *text,
                 GError             **error)
{
  HlTransform transform;

  hl_transform_begin (&transform, text);
  while (transform.at < text->length)
    {
      gunichar lower[2];
      const guint n = hl_unicode_lower (g_utf8_get_char (text->bytes + transform.at), lower);
      hl_transform_keep (&transform, lower[0]);
      if (n > 1)
        hl_transform_insert (&transform, lower[1]);
    }
  hl_transform_finish (&transform, text);
  return TRUE;
}

const HlNormalizerClass hl_lowercase_normalizer = { "Lowercase", plain_load, lowercase_apply, plain_free };

static gboolean
strip_accents_apply (const HlNormalizer  *self,
                     HlAligned           *text,
                     GError             **error)
{
  HlTransform transform;

  hl_transform_begin (&transform, text);
  while (transform.at < text->length)
    {
      const gunichar c = g_utf8_get_char (text->bytes + transform.at);
      if (hl_unicode_is (c, HL_CHAR_MARK))
        hl_transform_drop (&transform, 1);
      else
        hl_transform_keep (&transform, c);
    }
  hl_transform_finish (&transform, text);
  return TRUE;
}

const HlNormalizerClass hl_strip_accents_normalizer = { "StripAccents", plain_load, strip_accents_apply,
                                                        plain_free };

/* SentencePiece's rules for machine translation: some controls go, odd spaces become spaces. */
static gboolean
nmt_apply (const HlNormalizer  *self,
           HlAligned           *text,
           GError             **error)
{
  HlTransform transform;

  hl_transform_begin (&transform, text);
  while (transform.at < text->length)
    {
      const gunichar c = g_utf8_get_char (text->bytes + transform.at);
      if ((c >= 0x01 && c <= 0x08) || c == 0x0b || (c >= 0x0e && c <= 0x1f) || c == 0x7f || c == 0x8f ||
          c == 0x9f)
        hl_transform_drop (&transform, 1);
      else if (c == 0x09 || c == 0x0a || c == 0x0c || c == 0x0d || c == 0x1680 ||
               (c >= 0x200b && c <= 0x200f) || c == 0x2028 || c == 0x2029 || c == 0x2581 ||
               c == 0xfeff || c == 0xfffd)
        hl_transform_keep (&transform, ' ');
      else
        hl_transform_keep (&transform, c);
    }
  hl_transform_finish (&transform, text);
  return TRUE;
}

const HlNormalizerClass hl_nmt_normalizer = { "Nmt", plain_load, nmt_apply, plain_free };

static gboolean
byte_level_apply (const HlNormalizer  *self,
                  HlAligned           *text,
                  GError             **error)
{
  HlAligned bytes = { .origin = text->origin, .overflow = text->overflow };

  hl_byte_level_append (&bytes, text, 0, text->length);
  hl_aligned_clear (text);
  *text = bytes;
  return TRUE;
}

const HlNormalizerClass hl_byte_level_normalizer = { "ByteLevel", plain_load, byte_level_apply, plain_free };

typedef struct
{
  HlNormalizer parent;
  gboolean     left;
  gboolean     right;
} Strip;

static HlNormalizer *
strip_load (HlJsonValue   config,
            guint         depth,
            GError      **error)
{
  g_autofree Strip *self = g_new0 (Strip, 1);

  if (!hl_json_get_boolean (config, "strip_left", &self->left, error) ||
      !hl_json_get_boolean (config, "strip_right", &self->right, error))
    return NULL;
  return &((Strip *) g_steal_pointer (&self))->parent;
}

static gboolean
strip_apply (const HlNormalizer  *self,
             HlAligned           *text,
             GError             **error)
{
  const Strip *strip = (const Strip *) self;
  gsize start = 0, end = text->length;

  while (strip->left && start < end && hl_unicode_is (g_utf8_get_char (text->bytes + start), HL_CHAR_SPACE))
    start += (gsize) g_utf8_skip[(guchar) text->bytes[start]];
  while (strip->right && start < end)
    {
      const char *last = g_utf8_find_prev_char (text->bytes + start, text->bytes + end);
      if (last == NULL || !hl_unicode_is (g_utf8_get_char (last), HL_CHAR_SPACE))
        break;
      end = (gsize) (last - text->bytes);
    }
  if (start > 0)
    {
      memmove (text->bytes, text->bytes + start, end - start);
      memmove (text->spans, text->spans + start, (end - start) * sizeof (HlOffsets));
    }
  text->length = end - start;
  return TRUE;
}

const HlNormalizerClass hl_strip_normalizer = { "Strip", strip_load, strip_apply, plain_free };

typedef struct
{
  HlNormalizer parent;
  char        *prefix;
} Prepend;

static HlNormalizer *
prepend_load (HlJsonValue   config,
              guint         depth,
              GError      **error)
{
  const HlJsonValue prefix = hl_json_get_member (config, "prepend", HL_JSON_STRING, error);

  if (hl_json_value_get_kind (prefix) == HL_JSON_MISSING)
    return NULL;
  Prepend *self = g_new0 (Prepend, 1);
  self->prefix = g_strdup (hl_json_value_as_string (prefix));
  return &self->parent;
}

static gboolean
prepend_apply (const HlNormalizer  *self,
               HlAligned           *text,
               GError             **error)
{
  const char *prefix = ((const Prepend *) self)->prefix;
  HlAligned result = { .origin = text->origin, .overflow = text->overflow };

  if (text->length == 0)
    return TRUE;
  hl_aligned_append (&result, prefix, strlen (prefix), text->spans[0]);
  hl_aligned_append_part (&result, text, 0, text->length);
  hl_aligned_clear (text);
  *text = result;
  return TRUE;
}

static void
prepend_free (HlNormalizer *self)
{
  g_free (((Prepend *) self)->prefix);
  g_free (self);
}

const HlNormalizerClass hl_prepend_normalizer = { "Prepend", prepend_load, prepend_apply, prepend_free };
