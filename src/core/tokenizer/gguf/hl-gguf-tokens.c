/* SPDX-License-Identifier: MIT */
/* The tokens of a GGUF file: how they are spelt, what each is, its score, and which have a role. Nothing is taken on trust. */
#include "core/tokenizer/gguf/hl-gguf-tokens.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/tokenizer/text/hl-pieces.h"

#define TOKENS "tokenizer.ggml.tokens"
#define TYPES "tokenizer.ggml.token_type"
#define SCORES "tokenizer.ggml.scores"

static gboolean
fail_kind (const char *key,
           const char *what,
           GError    **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("“%s” is not %s"), key, what);
  return FALSE;
}

/* Finds a list that has something for each token; leaves @value alone if there is none. */
static gboolean
find_list (const HlGgufTokens *self,
           const char         *key,
           const HlGgufValue **value,
           GError            **error)
{
  const HlGgufValue *found = hl_gguf_archive_get_value (self->archive, key);

  if (found == NULL)
    return TRUE;
  if (!found->is_array || found->type == HL_GGUF_STRING)
    return fail_kind (key, _ ("a list of numbers"), error);
  if (found->n != self->n)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” has %" PRIu64 " entries, but there are %u tokens"), key,
                   found->n, self->n);
      return FALSE;
    }
  *value = found;
  return TRUE;
}

static gboolean
read_types (HlGgufTokens *self,
            GError      **error)
{
  const HlGgufValue *list = NULL;

  if (!find_list (self, TYPES, &list, error))
    return FALSE;
  self->types = g_malloc (self->n);
  memset (self->types, HL_GGUF_TOKEN_NORMAL, self->n);
  for (guint32 id = 0; list != NULL && id < self->n; id++)
    {
      gint64 type;
      if (!hl_gguf_value_get_integer (list, id, &type) || type < 0 || type >= HL_N_GGUF_TOKEN_TYPES)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("entry %u of “%s” is not a type of token"), id, TYPES);
          return FALSE;
        }
      self->types[id] = (guint8) type;
    }
  return TRUE;
}

static gboolean
read_scores (HlGgufTokens *self,
             GError      **error)
{
  const HlGgufValue *list = NULL;

  if (!find_list (self, SCORES, &list, error))
    return FALSE;
  if (list != NULL)
    self->scores = g_new (float, self->n);
  for (guint32 id = 0; list != NULL && id < self->n; id++)
    {
      double score;
      if (!hl_gguf_value_get_number (list, id, &score) || score != score)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("entry %u of “%s” is not a number"), id, SCORES);
          return FALSE;
        }
      self->scores[id] = (float) score;
    }
  return TRUE;
}

static gboolean
read_roles (HlGgufTokens *self,
            GError      **error)
{
  /* The first spelling of the separator is what files have. */
  static const struct
  {
    const char *key;
    HlSpecialToken role;
  } keys[] = {
    { "tokenizer.ggml.padding_token_id", HL_SPECIAL_PAD },   { "tokenizer.ggml.cls_token_id", HL_SPECIAL_CLS },
    { "tokenizer.ggml.seperator_token_id", HL_SPECIAL_SEP }, { "tokenizer.ggml.separator_token_id", HL_SPECIAL_SEP },
    { "tokenizer.ggml.bos_token_id", HL_SPECIAL_BOS },       { "tokenizer.ggml.eos_token_id", HL_SPECIAL_EOS },
    { "tokenizer.ggml.mask_token_id", HL_SPECIAL_MASK },     { "tokenizer.ggml.unknown_token_id", HL_SPECIAL_UNK },
  };

  for (guint i = 0; i < HL_N_SPECIAL_TOKENS; i++)
    self->roles[i] = HL_NO_TOKEN;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const HlGgufValue *value = hl_gguf_archive_get_value (self->archive, keys[i].key);
      gint64 id;
      if (value == NULL)
        continue;
      if (value->is_array || !hl_gguf_value_get_integer (value, 0, &id))
        return fail_kind (keys[i].key, _ ("a whole number"), error);
      /* Some files say so that there is none. */
      if (id == -1 || id == G_MAXUINT32)
        continue;
      if (id < 0 || id >= self->n)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is %" PRIi64 ", but there are %u tokens"), keys[i].key,
                       id, self->n);
          return FALSE;
        }
      self->roles[keys[i].role] = (guint32) id;
    }
  return TRUE;
}

/* Reads all that there is about tokens but how they are spelt. */
gboolean
hl_gguf_tokens_read (HlGgufTokens  *self,
                     HlGgufArchive *archive,
                     GError       **error)
{
  const HlGgufValue *list = hl_gguf_archive_get_value (archive, TOKENS);

  *self = (HlGgufTokens){ .archive = archive, .spellings = list };
  if (list == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the file has no “%s”"), TOKENS);
      return FALSE;
    }
  if (!list->is_array || list->type != HL_GGUF_STRING)
    return fail_kind (TOKENS, _ ("a list of strings"), error);
  if (list->n == 0 || list->n > HL_LIMIT_TOKEN_ID)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” has %" PRIu64 " entries; it can have 1 to %u"), TOKENS,
                   list->n, HL_LIMIT_TOKEN_ID);
      return FALSE;
    }
  self->n = (guint32) list->n;
  return read_types (self, error) && read_scores (self, error) && read_roles (self, error);
}

void
hl_gguf_tokens_clear (HlGgufTokens *self)
{
  g_clear_pointer (&self->types, g_free);
  g_clear_pointer (&self->scores, g_free);
}

/* Returns all of them by their ids; empty ones are left out. */
HlVocabulary *
hl_gguf_tokens_make_vocabulary (const HlGgufTokens *self,
                                HlGgufSpell         spell,
                                GError            **error)
{
  g_autoptr (HlVocabulary) vocabulary = hl_vocabulary_new ();
  g_autoptr (GString) spelling = g_string_new (NULL);
  HlGgufStrings strings;

  hl_vocabulary_reserve (vocabulary, self->n);
  hl_gguf_strings_init (&strings, self->spellings);
  for (guint32 id = 0; id < self->n; id++)
    {
      guint32 other = id;
      gsize length;
      const char *token = hl_gguf_strings_next (&strings, &length);
      if (!g_utf8_validate (token, (gssize) length, NULL))
        {
          g_set_error (error, HL_ERROR, HL_ERROR_ENCODING, _ ("entry %u of “%s” is not valid UTF-8"), id, TOKENS);
          return NULL;
        }
      g_string_truncate (spelling, 0);
      if (spell != NULL && spell (token, length, (HlGgufTokenType) self->types[id], spelling))
        {
          token = spelling->str;
          length = spelling->len;
        }
      if (length == 0)
        continue;
      if (!hl_vocabulary_check (vocabulary, token, length, error))
        return NULL;
      if (!hl_vocabulary_add_once (vocabulary, token, length, &other))
        {
          g_autofree char *start = hl_utf8_quote (token, length, 80);
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the tokens %u and %u are both “%s”"), other, id, start);
          return NULL;
        }
    }
  return g_steal_pointer (&vocabulary);
}

/* Reads whether something is so; leaves @flag alone if the file does not say. */
gboolean
hl_gguf_tokens_read_flag (const HlGgufTokens *self,
                          const char         *key,
                          gboolean           *flag,
                          GError            **error)
{
  const HlGgufValue *value = hl_gguf_archive_get_value (self->archive, key);
  gint64 number;

  if (value == NULL)
    return TRUE;
  if (value->is_array || value->type != HL_GGUF_BOOL || !hl_gguf_value_get_integer (value, 0, &number))
    return fail_kind (key, _ ("true or false"), error);
  *flag = number != 0;
  return TRUE;
}

gboolean
hl_gguf_tokens_require_scores (const HlGgufTokens *self,
                               GError            **error)
{
  if (self->scores != NULL)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the file has no “%s”"), SCORES);
  return FALSE;
}
