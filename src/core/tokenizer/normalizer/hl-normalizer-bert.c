/* SPDX-License-Identifier: MIT */
/* How BERT cleans text: controls go, every space is a space, ideographs stand alone, accents and capitals go. */
#include "core/tokenizer/normalizer/hl-normalizer.h"

#include "core/tokenizer/normalizer/hl-normalizer-forms.h"
#include "core/tokenizer/text/hl-unicode.h"

typedef struct
{
  HlNormalizer parent;
  gboolean     clean_text;
  gboolean     handle_chinese_chars;
  gboolean     strip_accents;
  gboolean     lowercase;
} Bert;

static HlNormalizer *
bert_load (HlJsonValue   config,
           guint         depth,
           GError      **error)
{
  g_autofree Bert *self = g_new0 (Bert, 1);

  self->clean_text = self->handle_chinese_chars = self->lowercase = TRUE;
  if (!hl_json_get_boolean (config, "clean_text", &self->clean_text, error) ||
      !hl_json_get_boolean (config, "handle_chinese_chars", &self->handle_chinese_chars, error) ||
      !hl_json_get_boolean (config, "lowercase", &self->lowercase, error))
    return NULL;
  self->strip_accents = self->lowercase;
  if (!hl_json_get_boolean (config, "strip_accents", &self->strip_accents, error))
    return NULL;
  return &((Bert *) g_steal_pointer (&self))->parent;
}

static void
clean (const Bert *self,
       HlAligned  *text)
{
  HlTransform transform;

  hl_transform_begin (&transform, text);
  while (transform.at < text->length)
    {
      const gunichar c = g_utf8_get_char (text->bytes + transform.at);
      if (c > 0x20 && c < 0x7f)
        hl_transform_keep (&transform, c);
      else if (self->clean_text && hl_unicode_is (c, HL_CHAR_CONTROL))
        hl_transform_drop (&transform, 1);
      else if (self->clean_text && hl_unicode_is (c, HL_CHAR_SPACE))
        hl_transform_keep (&transform, ' ');
      else if (self->handle_chinese_chars && hl_unicode_is_ideograph (c))
        {
          hl_transform_insert (&transform, ' ');
          hl_transform_keep (&transform, c);
          hl_transform_insert (&transform, ' ');
        }
      else
        hl_transform_keep (&transform, c);
    }
  hl_transform_finish (&transform, text);
}

static void
strip_accents (HlAligned *text)
{
  HlTransform transform;

  hl_normalize_form (text, FALSE, FALSE);
  hl_transform_begin (&transform, text);
  while (transform.at < text->length)
    {
      const gunichar c = g_utf8_get_char (text->bytes + transform.at);
      if (c >= 0x300 && hl_unicode_is (c, HL_CHAR_NONSPACING))
        hl_transform_drop (&transform, 1);
      else
        hl_transform_keep (&transform, c);
    }
  hl_transform_finish (&transform, text);
}

static gboolean
bert_apply (const HlNormalizer  *self,
            HlAligned           *text,
            GError             **error)
{
  const Bert *bert = (const Bert *) self;

  if (bert->clean_text || bert->handle_chinese_chars)
    clean (bert, text);
  if (bert->strip_accents)
    strip_accents (text);
  if (bert->lowercase)
    return hl_lowercase_normalizer.apply (NULL, text, error);
  return TRUE;
}

static void
bert_free (HlNormalizer *self)
{
  g_free (self);
}

const HlNormalizerClass hl_bert_normalizer = { "BertNormalizer", bert_load, bert_apply, bert_free };
