/* SPDX-License-Identifier: MIT */
/* Pre-tokenizers that cut at classes of characters. */
#include "core/tokenizer/pre-tokenizer/hl-pre-tokenizer.h"

#include "core/base/hl-error.h"
#include "core/tokenizer/text/hl-unicode.h"

#include <glib/gi18n-lib.h>

/* What most of them need: how to cut, and where. */
typedef struct
{
  HlPreTokenizer  parent;
  HlSplitBehavior behavior;
  guint32         number; /* a character, or a length */
} Simple;

static Simple *
simple_new (HlSplitBehavior behavior)
{
  Simple *self = g_new0 (Simple, 1);

  self->behavior = behavior;
  return self;
}

static HlPreTokenizer *
plain_load (HlJsonValue   config,
            guint         depth,
            GError      **error)
{
  return &simple_new (HL_SPLIT_REMOVED)->parent;
}

static void
plain_free (HlPreTokenizer *self)
{
  g_free (self);
}

static gboolean
is_of_class (gunichar      c,
             gconstpointer data)
{
  return hl_unicode_is (c, (HlCharClass) GPOINTER_TO_UINT (data));
}

static gboolean
bert_apply (const HlPreTokenizer  *self,
            HlPieces              *pieces,
            GError               **error)
{
  return hl_pieces_split_by (pieces, is_of_class, GUINT_TO_POINTER (HL_CHAR_SPACE), HL_SPLIT_REMOVED,
                             error) &&
         hl_pieces_split_by (pieces, is_of_class, GUINT_TO_POINTER (HL_CHAR_PUNCTUATION),
                             HL_SPLIT_ISOLATED, error);
}

const HlPreTokenizerClass hl_bert_pre_tokenizer = { "BertPreTokenizer", plain_load, bert_apply, plain_free };

static gboolean
whitespace_split_apply (const HlPreTokenizer  *self,
                        HlPieces              *pieces,
                        GError               **error)
{
  return hl_pieces_split_by (pieces, is_of_class, GUINT_TO_POINTER (HL_CHAR_SPACE), HL_SPLIT_REMOVED, error);
}

const HlPreTokenizerClass hl_whitespace_split_pre_tokenizer = { "WhitespaceSplit", plain_load,
                                                                whitespace_split_apply, plain_free };

static gboolean
whitespace_apply (const HlPreTokenizer  *self,
                  HlPieces              *pieces,
                  GError               **error)
{
  return whitespace_split_apply (self, pieces, error) &&
         hl_pieces_split_by (pieces, is_of_class, GUINT_TO_POINTER (HL_CHAR_WORD), HL_SPLIT_CONTIGUOUS,
                             error);
}

const HlPreTokenizerClass hl_whitespace_pre_tokenizer = { "Whitespace", plain_load, whitespace_apply,
                                                          plain_free };

static HlPreTokenizer *
punctuation_load (HlJsonValue   config,
                  guint         depth,
                  GError      **error)
{
  g_autofree Simple *self = simple_new (HL_SPLIT_ISOLATED);

  if (!hl_split_behavior_load (config, &self->behavior, error))
    return NULL;
  return &((Simple *) g_steal_pointer (&self))->parent;
}

static gboolean
punctuation_apply (const HlPreTokenizer  *self,
                   HlPieces              *pieces,
                   GError               **error)
{
  return hl_pieces_split_by (pieces, is_of_class, GUINT_TO_POINTER (HL_CHAR_PUNCTUATION),
                             ((const Simple *) self)->behavior, error);
}

const HlPreTokenizerClass hl_punctuation_pre_tokenizer = { "Punctuation", punctuation_load,
                                                           punctuation_apply, plain_free };

static HlPreTokenizer *
digits_load (HlJsonValue   config,
             guint         depth,
             GError      **error)
{
  gboolean individual = FALSE;

  if (!hl_json_get_boolean (config, "individual_digits", &individual, error))
    return NULL;
  return &simple_new (individual ? HL_SPLIT_ISOLATED : HL_SPLIT_CONTIGUOUS)->parent;
}

static gboolean
digits_apply (const HlPreTokenizer  *self,
              HlPieces              *pieces,
              GError               **error)
{
  return hl_pieces_split_by (pieces, is_of_class, GUINT_TO_POINTER (HL_CHAR_NUMBER),
                             ((const Simple *) self)->behavior, error);
}

const HlPreTokenizerClass hl_digits_pre_tokenizer = { "Digits", digits_load, digits_apply, plain_free };

static HlPreTokenizer *
char_delimiter_load (HlJsonValue   config,
                     guint         depth,
                     GError      **error)
{
  const char *delimiter = hl_json_value_as_string (hl_json_value_get (config, "delimiter"));

  if (delimiter == NULL || g_utf8_strlen (delimiter, -1) != 1)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“delimiter” is not one character"));
      return NULL;
    }
  Simple *self = simple_new (HL_SPLIT_REMOVED);
  self->number = g_utf8_get_char (delimiter);
  return &self->parent;
}

static gboolean
is_character (gunichar      c,
              gconstpointer data)
{
  return c == GPOINTER_TO_UINT (data);
}

static gboolean
char_delimiter_apply (const HlPreTokenizer  *self,
                      HlPieces              *pieces,
                      GError               **error)
{
  return hl_pieces_split_by (pieces, is_character, GUINT_TO_POINTER (((const Simple *) self)->number),
                             HL_SPLIT_REMOVED, error);
}

const HlPreTokenizerClass hl_char_delimiter_split_pre_tokenizer = { "CharDelimiterSplit", char_delimiter_load,
                                                                    char_delimiter_apply, plain_free };

static HlPreTokenizer *
fixed_length_load (HlJsonValue   config,
                   guint         depth,
                   GError      **error)
{
  g_autofree Simple *self = simple_new (HL_SPLIT_ISOLATED);

  self->number = 5;
  if (!hl_json_get_uint (config, "length", &self->number, error))
    return NULL;
  if (self->number == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“length” is 0"));
      return NULL;
    }
  return &((Simple *) g_steal_pointer (&self))->parent;
}

static gboolean
find_lengths (const char  *text,
              gsize        length,
              GArray      *matches,
              gpointer     data,
              GError     **error)
{
  const guint32 step = GPOINTER_TO_UINT (data);
  gsize start = 0;
  guint32 n = 0;

  for (gsize at = 0; at < length;)
    {
      at += (gsize) g_utf8_skip[(guchar) text[at]];
      if (++n == step || at >= length)
        {
          const HlMatch match = { start, at, TRUE };
          g_array_append_val (matches, match);
          start = at;
          n = 0;
        }
    }
  return TRUE;
}

static gboolean
fixed_length_apply (const HlPreTokenizer  *self,
                    HlPieces              *pieces,
                    GError               **error)
{
  return hl_pieces_split (pieces, find_lengths, GUINT_TO_POINTER (((const Simple *) self)->number),
                          HL_SPLIT_ISOLATED, error);
}

const HlPreTokenizerClass hl_fixed_length_pre_tokenizer = { "FixedLength", fixed_length_load,
                                                            fixed_length_apply, plain_free };
