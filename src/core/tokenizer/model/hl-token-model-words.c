/* SPDX-License-Identifier: MIT */
/* WordPiece, which takes the longest piece that fits from the left, and whole words. */
#include "core/tokenizer/model/hl-token-model.h"

#include "core/base/hl-error.h"
#include "core/base/hl-utf8.h"
#include "core/tokenizer/text/hl-byte-trie.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Words of more are unknown, unless a file says otherwise. */
#define MAX_CHARACTERS 100

typedef struct
{
  HlTokenModel parent;
  HlByteTrie *trie;
  guint32 inner; /* the node of what begins inside a word; 0 if there is none such */
  gboolean has_prefix;
  guint32 max_characters;
} WordPiece;

static gboolean
fail_unknown (const HlPieces *pieces,
              const HlPiece  *piece,
              GError        **error)
{
  g_autofree char *start = hl_utf8_quote (pieces->text.bytes + piece->start, piece->end - piece->start, 80);

  g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
               _ ("“%s” is not in the vocabulary, and it has no token for what is not"), start);
  return FALSE;
}

/* Arranges the vocabulary, in which what does not begin a word begins with @prefix. */
static gboolean
arrange (WordPiece  *self,
         const char *prefix,
         GError    **error)
{
  const HlVocabulary *vocabulary = self->parent.vocabulary;
  const guint32 n_ids = hl_vocabulary_get_n_ids (vocabulary);
  g_autofree HlTrieKey *keys = g_new (HlTrieKey, n_ids + 1);
  gsize n = 0;
  for (guint32 id = 0; id < n_ids; id++)
    {
      const char *token = hl_vocabulary_get_token (vocabulary, id);
      guint32 found;
      if (token != NULL && hl_vocabulary_find (vocabulary, token, strlen (token), &found) && found == id)
        keys[n++] = (HlTrieKey){ token, (guint32) strlen (token), id };
    }
  self->trie = hl_byte_trie_new (keys, n, error);
  if (self->trie == NULL)
    return FALSE;
  self->has_prefix = *prefix != '\0';
  for (const char *c = prefix; *c != '\0'; c++)
    {
      self->inner = hl_byte_trie_step (self->trie, self->inner, (guint8) *c);
      if (self->inner == 0)
        break;
    }
  return TRUE;
}

static HlTokenModel *
word_piece_load (HlJsonValue   config,
                 HlVocabulary *vocabulary,
                 GError      **error)
{
  g_autofree WordPiece *self = g_new0 (WordPiece, 1);
  const char *prefix = "##";

  self->max_characters = MAX_CHARACTERS;
  self->parent.vocabulary = vocabulary;
  if (!hl_vocabulary_load_unknown (vocabulary, config, &self->parent.has_unknown, &self->parent.unknown, error) ||
      !hl_json_get_string (config, "continuing_subword_prefix", &prefix, error) ||
      !hl_json_get_uint (config, "max_input_chars_per_word", &self->max_characters, error) ||
      !arrange (self, prefix, error))
    return NULL;
  return &((WordPiece *) g_steal_pointer (&self))->parent;
}

static void
word_piece_free (HlTokenModel *self)
{
  g_clear_pointer (&((WordPiece *) self)->trie, hl_byte_trie_free);
}

/* Returns: whether all of the piece could be covered */
static gboolean
cover (const WordPiece *self,
       const HlPieces  *pieces,
       const HlPiece   *piece,
       GArray          *tokens)
{
  const char *bytes = pieces->text.bytes;

  if ((guint64) g_utf8_strlen (bytes + piece->start, (gssize) (piece->end - piece->start)) > self->max_characters)
    return FALSE;
  for (gsize start = piece->start; start < piece->end;)
    {
      const gboolean inside = start > piece->start;
      guint32 node = inside ? self->inner : 0;
      guint32 id = HL_TRIE_NO_VALUE;
      gsize end = start, at;
      if (inside && self->has_prefix && node == 0)
        return FALSE;
      for (at = start; at < piece->end; at++)
        {
          node = hl_byte_trie_step (self->trie, node, (guint8) bytes[at]);
          if (node == 0)
            break;
          if (self->trie->nodes[node].value != HL_TRIE_NO_VALUE)
            {
              id = self->trie->nodes[node].value;
              end = at + 1;
            }
        }
      if (!hl_text_room_spend (pieces->text.room, at - start) || id == HL_TRIE_NO_VALUE)
        return FALSE;
      hl_token_add (tokens, id, start, end);
      start = end;
    }
  return TRUE;
}

static gboolean
word_piece_tokenize (const HlTokenModel *self,
                     const HlPieces     *pieces,
                     GArray             *tokens,
                     GError            **error)
{
  for (guint i = 0; i < pieces->pieces->len; i++)
    {
      const HlPiece *piece = &g_array_index (pieces->pieces, HlPiece, i);
      const guint before = tokens->len;
      if (piece->token != HL_NO_TOKEN)
        {
          hl_token_add (tokens, piece->token, piece->start, piece->end);
        }
      else if (!cover ((const WordPiece *) self, pieces, piece, tokens))
        {
          if (!hl_text_room_check (pieces->text.room, error))
            return FALSE;
          if (!self->has_unknown)
            return fail_unknown (pieces, piece, error);
          g_array_set_size (tokens, before);
          hl_token_add (tokens, self->unknown, piece->start, piece->end);
        }
    }
  return TRUE;
}

const HlTokenModelClass hl_word_piece_model = { "WordPiece", word_piece_load, word_piece_tokenize, word_piece_free };

/* Returns a model that takes @vocabulary, in which what does not begin a word begins with `##`. */
HlTokenModel *
hl_word_piece_model_new (HlVocabulary  *vocabulary,
                         const guint32 *unknown,
                         GError       **error)
{
  WordPiece *self = g_new0 (WordPiece, 1);

  self->parent = (HlTokenModel){ &hl_word_piece_model, vocabulary, unknown != NULL, unknown != NULL ? *unknown : 0 };
  self->max_characters = MAX_CHARACTERS;
  if (arrange (self, "##", error))
    return &self->parent;
  hl_token_model_free (&self->parent);
  return NULL;
}

static HlTokenModel *
word_level_load (HlJsonValue   config,
                 HlVocabulary *vocabulary,
                 GError      **error)
{
  g_autofree HlTokenModel *self = g_new0 (HlTokenModel, 1);

  self->vocabulary = vocabulary;
  if (!hl_vocabulary_load_unknown (vocabulary, config, &self->has_unknown, &self->unknown, error))
    return NULL;
  return g_steal_pointer (&self);
}

static void
word_level_free (HlTokenModel *self)
{
}

static gboolean
word_level_tokenize (const HlTokenModel *self,
                     const HlPieces     *pieces,
                     GArray             *tokens,
                     GError            **error)
{
  for (guint i = 0; i < pieces->pieces->len; i++)
    {
      const HlPiece *piece = &g_array_index (pieces->pieces, HlPiece, i);
      guint32 id = piece->token;
      if (id == HL_NO_TOKEN &&
          !hl_vocabulary_find (self->vocabulary, pieces->text.bytes + piece->start, piece->end - piece->start, &id))
        {
          if (!self->has_unknown)
            return fail_unknown (pieces, piece, error);
          id = self->unknown;
        }
      hl_token_add (tokens, id, piece->start, piece->end);
    }
  return TRUE;
}

const HlTokenModelClass hl_word_level_model = { "WordLevel", word_level_load, word_level_tokenize, word_level_free };
