/* SPDX-License-Identifier: MIT */
/* Which normalizers there are, and one after the other. */
#include "core/tokenizer/normalizer/hl-normalizer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/tokenizer/text/hl-byte-level.h"
#include "core/tokenizer/text/hl-pattern.h"
#include "core/tokenizer/text/hl-unicode.h"

static HlNormalizer *
plain_load (HlJsonValue config,
            guint       depth,
            GError    **error)
{
  return g_new0 (HlNormalizer, 1);
}

static void
plain_free (HlNormalizer *self)
{
  g_free (self);
}

static gboolean
lowercase_apply (const HlNormalizer *self,
                 HlAligned          *text,
                 GError            **error)
{
  HlTransform transform;

  hl_transform_begin (&transform, text);
  while (hl_transform_goes_on (&transform))
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

static const HlNormalizerClass hl_lowercase_normalizer = { "Lowercase", plain_load, lowercase_apply, plain_free };

static gboolean
strip_accents_apply (const HlNormalizer *self,
                     HlAligned          *text,
                     GError            **error)
{
  HlTransform transform;

  hl_transform_begin (&transform, text);
  while (hl_transform_goes_on (&transform))
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

static const HlNormalizerClass hl_strip_accents_normalizer = { "StripAccents", plain_load, strip_accents_apply,
                                                               plain_free };

/* SentencePiece's rules for machine translation: some controls go, odd spaces become spaces. */
static gboolean
nmt_apply (const HlNormalizer *self,
           HlAligned          *text,
           GError            **error)
{
  HlTransform transform;

  hl_transform_begin (&transform, text);
  while (hl_transform_goes_on (&transform))
    {
      const gunichar c = g_utf8_get_char (text->bytes + transform.at);
      if ((c >= 0x01 && c <= 0x08) || c == 0x0b || (c >= 0x0e && c <= 0x1f) || c == 0x7f || c == 0x8f || c == 0x9f)
        hl_transform_drop (&transform, 1);
      else if (c == 0x09 || c == 0x0a || c == 0x0c || c == 0x0d || c == 0x1680 || (c >= 0x200b && c <= 0x200f) ||
               c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xfeff || c == 0xfffd)
        hl_transform_keep (&transform, ' ');
      else
        hl_transform_keep (&transform, c);
    }
  hl_transform_finish (&transform, text);
  return TRUE;
}

static const HlNormalizerClass hl_nmt_normalizer = { "Nmt", plain_load, nmt_apply, plain_free };

static gboolean
byte_level_apply (const HlNormalizer *self,
                  HlAligned          *text,
                  GError            **error)
{
  HlAligned bytes = { .origin = text->origin, .room = text->room };

  hl_byte_level_append (&bytes, text, 0, text->length);
  hl_aligned_clear (text);
  *text = bytes;
  return TRUE;
}

static const HlNormalizerClass hl_byte_level_normalizer = { "ByteLevel", plain_load, byte_level_apply, plain_free };

typedef struct
{
  HlNormalizer parent;
  gboolean left;
  gboolean right;
} Strip;

static HlNormalizer *
strip_load (HlJsonValue config,
            guint       depth,
            GError    **error)
{
  g_autofree Strip *self = g_new0 (Strip, 1);

  if (!hl_json_get_boolean (config, "strip_left", &self->left, error) ||
      !hl_json_get_boolean (config, "strip_right", &self->right, error))
    return NULL;
  return &((Strip *) g_steal_pointer (&self))->parent;
}

static gboolean
strip_apply (const HlNormalizer *self,
             HlAligned          *text,
             GError            **error)
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

static const HlNormalizerClass hl_strip_normalizer = { "Strip", strip_load, strip_apply, plain_free };

typedef struct
{
  HlNormalizer parent;
  char *prefix;
} Prepend;

static HlNormalizer *
prepend_load (HlJsonValue config,
              guint       depth,
              GError    **error)
{
  const HlJsonValue prefix = hl_json_get_member (config, "prepend", HL_JSON_STRING, error);

  if (hl_json_value_get_kind (prefix) == HL_JSON_MISSING)
    return NULL;
  Prepend *self = g_new0 (Prepend, 1);
  self->prefix = g_strdup (hl_json_value_as_string (prefix));
  return &self->parent;
}

static gboolean
prepend_apply (const HlNormalizer *self,
               HlAligned          *text,
               GError            **error)
{
  const char *prefix = ((const Prepend *) self)->prefix;
  HlAligned result = { .origin = text->origin, .room = text->room };

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

static const HlNormalizerClass hl_prepend_normalizer = { "Prepend", prepend_load, prepend_apply, prepend_free };

/* The four normalization forms of Unicode (UAX #15). g_utf8_normalize() would do but for two things: each
 * character must remember where it came from, and the library that models were trained with follows an
 * older Unicode (see make-unicode-tables.py). */

/* A character, how many old ones it takes in addition to one (−1: none, it is added), and its class. */
typedef struct
{
  gunichar c;
  int change;
  int combining;
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
          g_qsort_with_data (&g_array_index (parts, Part, i), (int) (end - i), sizeof (Part), compare_parts, NULL);
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
  for (guint i = 0; i < parts->len && !transform->out.room->overflow; i++)
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

static void
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
  for (gsize at = 0; at < text->length && !text->room->overflow;)
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
          /* Each part is a byte or more. */
          if (parts->len > text->room->left)
            {
              text->room->overflow = TRUE;
              break;
            }
          const guint n = hl_unicode_decompose (c, compatibility, decomposed);
          for (guint i = 0; i < n; i++)
            {
              const Part part = { decomposed[i], i == 0 ? 0 : -1, combining_class (decomposed[i]) };
              g_array_append_val (parts, part);
            }
          at += (gsize) g_utf8_skip[(guchar) text->bytes[at]];
        }
      if (text->room->overflow)
        break;
      sort_marks (parts);
      if (compose)
        compose_parts (parts);
      write_parts (&transform, parts);
      transform.at = at;
    }
  hl_transform_finish (&transform, text);
}

static HlNormalizer *
form_load (HlJsonValue config,
           guint       depth,
           GError    **error)
{
  return g_new0 (HlNormalizer, 1);
}

static void
form_free (HlNormalizer *self)
{
  g_free (self);
}

#define FORM(name, label, compatibility, compose)                                                                      \
  static gboolean name##_apply (const HlNormalizer *self, HlAligned *text, GError **error)                             \
  {                                                                                                                    \
    hl_normalize_form (text, compatibility, compose);                                                                  \
    return TRUE;                                                                                                       \
  }                                                                                                                    \
  const HlNormalizerClass hl_##name##_normalizer = { label, form_load, name##_apply, form_free }

FORM (nfc, "NFC", FALSE, TRUE);
FORM (nfd, "NFD", FALSE, FALSE);
FORM (nfkc, "NFKC", TRUE, TRUE);
FORM (nfkd, "NFKD", TRUE, FALSE);

/* How BERT cleans text: controls go, every space is a space, ideographs stand alone, accents and capitals go. */

typedef struct
{
  HlNormalizer parent;
  gboolean clean_text;
  gboolean handle_chinese_chars;
  gboolean strip_accents;
  gboolean lowercase;
} Bert;

static HlNormalizer *
bert_load (HlJsonValue config,
           guint       depth,
           GError    **error)
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
  while (hl_transform_goes_on (&transform))
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
  while (hl_transform_goes_on (&transform))
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
bert_apply (const HlNormalizer *self,
            HlAligned          *text,
            GError            **error)
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

static const HlNormalizerClass hl_bert_normalizer = { "BertNormalizer", bert_load, bert_apply, bert_free };

/* Writes something else in place of each match of a pattern. */

typedef struct
{
  HlNormalizer parent;
  HlPattern *pattern;
  char *content;
} Replace;

static HlNormalizer *
replace_load (HlJsonValue config,
              guint       depth,
              GError    **error)
{
  const HlJsonValue content = hl_json_get_member (config, "content", HL_JSON_STRING, error);

  if (hl_json_value_get_kind (content) == HL_JSON_MISSING)
    return NULL;
  HlPattern *pattern = hl_pattern_new (hl_json_value_get (config, "pattern"), error);
  if (pattern == NULL)
    return NULL;
  Replace *self = g_new0 (Replace, 1);
  self->pattern = pattern;
  self->content = g_strdup (hl_json_value_as_string (content));
  return &self->parent;
}

static gboolean
replace_apply (const HlNormalizer *self,
               HlAligned          *text,
               GError            **error)
{
  const Replace *replace = (const Replace *) self;
  g_autoptr (GArray) matches = g_array_new (FALSE, FALSE, sizeof (HlMatch));
  const gsize length = strlen (replace->content);

  if (text->length == 0)
    return TRUE;
  if (!hl_pattern_find (replace->pattern, text->bytes, text->length, FALSE, text->room, matches, error))
    return FALSE;
  if (matches->len == 1 && !g_array_index (matches, HlMatch, 0).match)
    return TRUE;

  HlAligned result = { .origin = text->origin, .room = text->room };
  gsize all = 0;
  for (guint i = 0; i < matches->len; i++)
    {
      const HlMatch *match = &g_array_index (matches, HlMatch, i);
      all += match->match ? length : match->end - match->start;
    }
  if (!hl_aligned_reserve (&result, all))
    return hl_text_room_check (text->room, error);
  for (guint i = 0; i < matches->len; i++)
    {
      const HlMatch *match = &g_array_index (matches, HlMatch, i);
      const HlOffsets first = { text->origin, text->origin };
      if (match->match)
        hl_aligned_append (&result, replace->content, length, match->end > 0 ? text->spans[match->end - 1] : first);
      else
        hl_aligned_append_part (&result, text, match->start, match->end);
    }
  hl_aligned_clear (text);
  *text = result;
  return TRUE;
}

static void
replace_free (HlNormalizer *self)
{
  Replace *replace = (Replace *) self;

  hl_pattern_free (replace->pattern);
  g_free (replace->content);
  g_free (self);
}

static const HlNormalizerClass hl_replace_normalizer = { "Replace", replace_load, replace_apply, replace_free };

typedef struct
{
  HlNormalizer parent;
  GPtrArray *steps;
} Sequence;

static void
sequence_free (HlNormalizer *self)
{
  g_ptr_array_unref (((Sequence *) self)->steps);
  g_free (self);
}

static HlNormalizer *
sequence_load (HlJsonValue config,
               guint       depth,
               GError    **error)
{
  const HlJsonValue list = hl_json_get_member (config, "normalizers", HL_JSON_ARRAY, error);
  g_autoptr (GPtrArray) steps = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_normalizer_free);
  HlJsonIter iter;
  guint n_steps = 0;

  if (hl_json_value_get_kind (list) == HL_JSON_MISSING)
    return NULL;
  hl_json_iter_init (&iter, list);
  while (hl_json_iter_next (&iter))
    {
      HlNormalizer *step = hl_normalizer_load (iter.value, depth + 1, error);
      if (step == NULL)
        return NULL;
      g_ptr_array_add (steps, step);
      n_steps += step->n_steps;
      if (n_steps > HL_LIMIT_COMPONENTS)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there are more than %d steps"), HL_LIMIT_COMPONENTS);
          return NULL;
        }
    }
  Sequence *self = g_new0 (Sequence, 1);
  self->steps = g_steal_pointer (&steps);
  self->parent.n_steps = n_steps;
  return &self->parent;
}

static gboolean
sequence_apply (const HlNormalizer *self,
                HlAligned          *text,
                GError            **error)
{
  const GPtrArray *steps = ((const Sequence *) self)->steps;

  for (guint i = 0; i < steps->len; i++)
    if (!hl_text_room_pass (text->room, text->length, error) || !hl_normalizer_apply (steps->pdata[i], text, error))
      return FALSE;
  return TRUE;
}

static const HlNormalizerClass sequence = { "Sequence", sequence_load, sequence_apply, sequence_free };

/* Returns one that applies two, which it takes. */
HlNormalizer *
hl_normalizer_new_sequence (HlNormalizer *first,
                            HlNormalizer *second)
{
  Sequence *self = g_new0 (Sequence, 1);

  self->parent.klass = &sequence;
  self->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_normalizer_free);
  g_ptr_array_add (self->steps, first);
  g_ptr_array_add (self->steps, second);
  return &self->parent;
}

static const HlNormalizerClass *const classes[] = {
  &hl_bert_normalizer,        &hl_byte_level_normalizer,
  &hl_lowercase_normalizer,   &hl_nfc_normalizer,
  &hl_nfd_normalizer,         &hl_nfkc_normalizer,
  &hl_nfkd_normalizer,        &hl_nmt_normalizer,
  &hl_precompiled_normalizer, &hl_prepend_normalizer,
  &hl_replace_normalizer,     &hl_strip_accents_normalizer,
  &hl_strip_normalizer,       &sequence,
};

HlNormalizer *
hl_normalizer_load (HlJsonValue config,
                    guint       depth,
                    GError    **error)
{
  const char *type = hl_json_value_as_string (hl_json_value_get (config, "type"));

  if (depth > HL_LIMIT_COMPONENT_DEPTH)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("“normalizer” has more than %d sequences inside one another"), HL_LIMIT_COMPONENT_DEPTH);
      return NULL;
    }
  if (type == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“normalizer” has no “type”"));
      return NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (strcmp (type, classes[i]->type) == 0)
      {
        HlNormalizer *self = classes[i]->load (config, depth, error);
        if (self == NULL)
          g_prefix_error (error, _ ("normalizer “%s”: "), type);
        else
          {
            self->klass = classes[i];
            self->n_steps++;
          }
        return self;
      }
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("the normalizer “%s” is not supported"), type);
  return NULL;
}

gboolean
hl_normalizer_apply (const HlNormalizer *self,
                     HlAligned          *text,
                     GError            **error)
{
  if (!self->klass->apply (self, text, error) || !hl_text_room_check (text->room, error))
    return FALSE;
  text->room->peak = MAX (text->room->peak, text->length);
  return TRUE;
}

void
hl_normalizer_free (HlNormalizer *self)
{
  self->klass->free (self);
}
