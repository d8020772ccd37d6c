/* SPDX-License-Identifier: MIT */
/* Tokens that were added to a vocabulary. Some are looked for in the text as it was typed, the others
 * after it is normalized; in both the leftmost one counts, and of those the longest. */
#include "core/tokenizer/hl-added-tokens.h"

#include "core/base/hl-error.h"
#include "core/base/hl-utf8.h"
#include "core/base/text/hl-text-hash.h"
#include "core/tokenizer/text/hl-byte-trie.h"
#include "core/tokenizer/text/hl-unicode.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _HlAddedTokens
{
  GArray *tokens; /* of HlAddedToken */
  HlVocabulary *vocabulary;
  HlByteTrie *raw; /* values are indices from the back, so that of equal ones the first counts */
  HlByteTrie *normalized;
};

void
hl_added_tokens_free (HlAddedTokens *self)
{
  g_clear_pointer (&self->tokens, g_array_unref);
  g_clear_pointer (&self->vocabulary, hl_vocabulary_free);
  g_clear_pointer (&self->raw, hl_byte_trie_free);
  g_clear_pointer (&self->normalized, hl_byte_trie_free);
  g_free (self);
}

static HlAddedTokens *
start (void)
{
  HlAddedTokens *self = g_new0 (HlAddedTokens, 1);

  self->tokens = g_array_new (FALSE, FALSE, sizeof (HlAddedToken));
  self->vocabulary = hl_vocabulary_new ();
  return self;
}

static gboolean
add (HlAddedTokens      *self,
     const HlAddedToken *token,
     GError            **error)
{
  if (!hl_vocabulary_add (self->vocabulary, token->content, strlen (token->content), token->id, error))
    return FALSE;
  g_array_append_val (self->tokens, *token);
  return TRUE;
}

/* What a list of tokens is read with. */
typedef struct
{
  const HlVocabulary *model;
  GHashTable *indices; /* of spellings that were read, plus 1 */
  guint32 next;        /* the id of the next one that the model does not have */
} Loading;

/* The library passes over the ids of the list, and so does everything that is built on it: what the model does not have is counted on from how
 * many tokens it has. Of two with one spelling the last counts, unless only one of a kind is @named. */
static gboolean
put (HlAddedTokens *self,
     HlAddedToken   token,
     gboolean       named,
     Loading       *loading,
     GError       **error)
{
  const gsize length = strlen (token.content);
  const guint index = GPOINTER_TO_UINT (g_hash_table_lookup (loading->indices, token.content));

  if (length == 0 || (index > 0 && named))
    return TRUE;
  if (index > 0)
    {
      token.id = g_array_index (self->tokens, HlAddedToken, index - 1).id;
      g_array_index (self->tokens, HlAddedToken, index - 1) = token;
      return TRUE;
    }
  if (!hl_vocabulary_find (loading->model, token.content, length, &token.id))
    token.id = loading->next++;
  if (!add (self, &token, error))
    return FALSE;
  g_hash_table_insert (loading->indices, (gpointer) token.content, GUINT_TO_POINTER (self->tokens->len));
  return TRUE;
}

static gboolean
put_more (HlAddedTokens      *self,
          const HlMoreTokens *more,
          Loading            *loading,
          GError            **error)
{
  for (guint i = 0; i < more->listed->len; i++)
    if (!put (self, g_array_index (more->listed, HlAddedToken, i), FALSE, loading, error))
      return FALSE;
  for (guint i = 0; i < more->named->len; i++)
    if (!put (self, g_array_index (more->named, HlAddedToken, i), TRUE, loading, error))
      return FALSE;
  return TRUE;
}

static gboolean
load_token (HlAddedTokens *self,
            HlJsonValue    config,
            Loading       *loading,
            GError       **error)
{
  const HlJsonValue content = hl_json_get_member (config, "content", HL_JSON_STRING, error);
  gboolean special = FALSE;
  HlAddedToken token = { .id = HL_NO_TOKEN };
  guint32 known;

  if (hl_json_value_get_kind (content) == HL_JSON_MISSING || !hl_json_get_boolean (config, "special", &special, error))
    return FALSE;
  token.content = hl_json_value_as_string (content);
  token.normalized = !special;
  if (!hl_json_get_uint (config, "id", &token.id, error) ||
      !hl_json_get_boolean (config, "single_word", &token.single_word, error) ||
      !hl_json_get_boolean (config, "lstrip", &token.lstrip, error) ||
      !hl_json_get_boolean (config, "rstrip", &token.rstrip, error) ||
      !hl_json_get_boolean (config, "normalized", &token.normalized, error))
    return FALSE;
  const gsize length = strlen (token.content);
  if (length > 0 && token.id == HL_NO_TOKEN && !hl_vocabulary_find (loading->model, token.content, length, &known))
    {
      g_autofree char *start = hl_utf8_quote (token.content, length, 80);
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the added token “%s” has no “id”"), start);
      return FALSE;
    }
  return put (self, token, FALSE, loading, error);
}

/* Where the ids of the model have a hole, one that was counted may be that of a token of the model. The library does not find
 * that one any more if it is in the list as well. */
static gboolean
check_ids (const HlAddedTokens *self,
           const Loading       *loading,
           GError             **error)
{
  for (guint i = 0; i < self->tokens->len; i++)
    {
      const HlAddedToken *token = &g_array_index (self->tokens, HlAddedToken, i);
      const char *other = hl_vocabulary_get_token (loading->model, token->id);
      guint32 id;
      if (other == NULL || !g_hash_table_contains (loading->indices, other) ||
          hl_vocabulary_find (loading->model, token->content, strlen (token->content), &id))
        continue;
      g_autofree char *start = hl_utf8_quote (token->content, strlen (token->content), 80);
      g_autofree char *other_start = hl_utf8_quote (other, strlen (other), 80);
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("the added tokens “%s” and “%s” have one id"), start,
                   other_start);
      return FALSE;
    }
  return TRUE;
}

/* Texts that are made into one share the room for it, even what they need of it only on the way: as many as there are in a text or a
 * list cannot each take all of it. */
static gboolean
normalize (const HlNormalizer *normalizer,
           HlAligned          *text,
           GError            **error)
{
  text->room->peak = text->length;
  if (!hl_normalizer_apply (normalizer, text, error))
    return FALSE;
  text->room->left -= text->room->peak;
  return TRUE;
}

static HlByteTrie *
build_trie (HlAddedTokens      *self,
            gboolean            normalized,
            const HlNormalizer *normalizer,
            GError            **error)
{
  g_autoptr (GPtrArray) spellings = g_ptr_array_new_with_free_func (g_free);
  g_autofree HlTrieKey *keys = g_new (HlTrieKey, self->tokens->len + 1);
  gsize n = 0, all = 0;
  HlTextRoom room;

  for (guint i = 0; i < self->tokens->len; i++)
    all += strlen (g_array_index (self->tokens, HlAddedToken, i).content);
  hl_text_room_init (&room, all);
  for (guint i = 0; i < self->tokens->len; i++)
    {
      const HlAddedToken *token = &g_array_index (self->tokens, HlAddedToken, i);
      if (token->normalized != normalized)
        continue;
      g_auto (HlAligned) text = { NULL };
      hl_aligned_init_slice (&text, &room, token->content, 0, strlen (token->content));
      if (!hl_text_room_check (&room, error) ||
          (normalized && normalizer != NULL && !normalize (normalizer, &text, error)))
        return NULL;
      if (text.length == 0)
        continue;
      char *spelling = g_strndup (text.bytes, text.length);
      g_ptr_array_add (spellings, spelling);
      keys[n++] = (HlTrieKey){ spelling, (guint32) text.length, self->tokens->len - 1 - i };
    }
  return hl_byte_trie_new (keys, n, error);
}

static gboolean
finish (HlAddedTokens      *self,
        const HlNormalizer *normalizer,
        GError            **error)
{
  self->raw = build_trie (self, FALSE, normalizer, error);
  if (self->raw == NULL)
    return FALSE;
  self->normalized = build_trie (self, TRUE, normalizer, error);
  if (self->normalized == NULL)
    return FALSE;
  for (guint i = 0; i < self->tokens->len; i++)
    g_array_index (self->tokens, HlAddedToken, i).content = NULL;
  return TRUE;
}

/* Returns tokens, spelt as they are in the vocabulary @model, and @more, which may be %NULL. Spellings, which must not be empty, are copied. */
HlAddedTokens *
hl_added_tokens_new (const HlAddedToken *tokens,
                     guint               n_tokens,
                     const HlMoreTokens *more,
                     const HlVocabulary *model,
                     const HlNormalizer *normalizer,
                     GError            **error)
{
  g_autoptr (HlAddedTokens) self = start ();
  g_autoptr (GHashTable) indices = g_hash_table_new (hl_text_hash, g_str_equal);
  Loading loading = { model, indices, hl_vocabulary_get_n_tokens (model) };

  for (guint i = 0; i < n_tokens; i++)
    {
      if (!add (self, &tokens[i], error))
        return NULL;
      g_hash_table_insert (indices, (gpointer) tokens[i].content, GUINT_TO_POINTER (self->tokens->len));
    }
  if (more != NULL && !put_more (self, more, &loading, error))
    return NULL;
  return finish (self, normalizer, error) ? g_steal_pointer (&self) : NULL;
}

HlAddedTokens *
hl_added_tokens_load (HlJsonValue         list,
                      const HlMoreTokens *more,
                      const HlVocabulary *model,
                      const HlNormalizer *normalizer,
                      GError            **error)
{
  g_autoptr (HlAddedTokens) self = start ();
  g_autoptr (GHashTable) indices = g_hash_table_new (hl_text_hash, g_str_equal);
  Loading loading = { model, indices, hl_vocabulary_get_n_tokens (model) };
  gboolean good = TRUE;
  HlJsonIter iter;

  hl_json_iter_init (&iter, list);
  while (good && hl_json_iter_next (&iter))
    good = load_token (self, iter.value, &loading, error);
  if (good && more != NULL)
    good = put_more (self, more, &loading, error);
  if (!good || !check_ids (self, &loading, error))
    {
      g_prefix_error (error, "“added_tokens”: ");
      return NULL;
    }
  return finish (self, normalizer, error) ? g_steal_pointer (&self) : NULL;
}

const HlVocabulary *
hl_added_tokens_get_vocabulary (const HlAddedTokens *self)
{
  return self->vocabulary;
}

static gsize
find_longest (const HlByteTrie *trie,
              const char       *text,
              gsize             length,
              HlTextRoom       *room,
              guint32          *value)
{
  guint32 node = 0;
  gsize longest = 0;
  gsize i;

  for (i = 0; i < length; i++)
    {
      node = hl_byte_trie_step (trie, node, (guint8) text[i]);
      if (node == 0)
        break;
      if (trie->nodes[node].value != HL_TRIE_NO_VALUE)
        {
          *value = trie->nodes[node].value;
          longest = i + 1;
        }
    }
  hl_text_room_spend (room, i + 1);
  return longest;
}

static gboolean
char_before_is (const char *text,
                gsize       at,
                HlCharClass char_class)
{
  return at > 0 && hl_unicode_is (g_utf8_get_char (g_utf8_prev_char (text + at)), char_class);
}

static gboolean
char_after_is (const char *text,
               gsize       at,
               gsize       length,
               HlCharClass char_class)
{
  return at < length && hl_unicode_is (g_utf8_get_char (text + at), char_class);
}

/* What a class of a character takes to find, in bytes that are compared. */
#define CLASS_STEPS 8

/* Tokens that are spaces themselves are widened over all that follow, each. */
static void
widen (const HlAddedToken *token,
       const char         *text,
       gsize               length,
       gsize               least,
       HlTextRoom         *room,
       gsize              *start,
       gsize              *end)
{
  while (token->lstrip && *start > least && char_before_is (text, *start, HL_CHAR_SPACE))
    *start = (gsize) (g_utf8_prev_char (text + *start) - text);
  while (token->rstrip && char_after_is (text, *end, length, HL_CHAR_SPACE) && hl_text_room_spend (room, CLASS_STEPS))
    *end += (gsize) g_utf8_skip[(guchar) text[*end]];
  /* What the token before took already is not taken again. */
  if (token->lstrip)
    {
      *start = MAX (*start, least);
      *end = MAX (*end, *start);
    }
}

/* A part of a text that is an added token, or lies between such. */
typedef struct
{
  gsize start;
  gsize end;
  guint32 token;
} Part;

static GArray *
find_parts (const HlAddedTokens *self,
            const HlByteTrie    *trie,
            const char          *text,
            gsize                length,
            HlTextRoom          *room)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (Part));
  gsize done = 0;
  Part part;

  for (gsize at = 0; at < length && trie->nodes[0].n_children > 0 && room->steps > 0;)
    {
      guint32 value = 0;
      const gsize found = find_longest (trie, text + at, length - at, room, &value);
      if (found == 0)
        {
          at++;
          continue;
        }
      const HlAddedToken *token = &g_array_index (self->tokens, HlAddedToken, self->tokens->len - 1 - value);
      gsize start = at, end = at + found;
      at = end;
      if (token->single_word &&
          (char_before_is (text, start, HL_CHAR_WORD) || char_after_is (text, end, length, HL_CHAR_WORD)))
        continue;
      widen (token, text, length, done, room, &start, &end);
      if (start == end)
        continue;
      if (done < start)
        {
          part = (Part){ done, start, HL_NO_TOKEN };
          g_array_append_val (parts, part);
        }
      part = (Part){ start, end, token->id };
      g_array_append_val (parts, part);
      done = end;
    }
  part = (Part){ done, length, HL_NO_TOKEN };
  if (done < length)
    g_array_append_val (parts, part);
  return parts;
}

static void
add_normalized (const HlAddedTokens *self,
                const HlAligned     *text,
                HlPieces            *pieces)
{
  g_autoptr (GArray) parts = find_parts (self, self->normalized, text->bytes, text->length, pieces->text.room);

  for (guint i = 0; i < parts->len && !pieces->text.room->overflow; i++)
    {
      const Part *part = &g_array_index (parts, Part, i);
      const gsize start = pieces->text.length;
      if (part->start == part->end)
        continue;
      hl_aligned_append_part (&pieces->text, text, part->start, part->end);
      hl_pieces_add (pieces, start, pieces->text.length, part->token, text->spans[part->start].start);
    }
}

gboolean
hl_added_tokens_extract (const HlAddedTokens *self,
                         const HlNormalizer  *normalizer,
                         const char          *text,
                         gsize                length,
                         HlPieces            *pieces,
                         GError             **error)
{
  g_autoptr (GArray) parts = find_parts (self, self->raw, text, length, pieces->text.room);
  HlTextRoom room;

  if (!hl_text_room_check (pieces->text.room, error))
    return FALSE;
  hl_text_room_init (&room, length);
  for (guint i = 0; i < parts->len; i++)
    {
      const Part *part = &g_array_index (parts, Part, i);
      g_auto (HlAligned) slice = { NULL };
      if (part->start >= part->end)
        continue;
      hl_aligned_init_slice (&slice, &room, text, part->start, part->end);
      if (!hl_text_room_check (&room, error))
        return FALSE;
      if (part->token != HL_NO_TOKEN)
        {
          const gsize start = pieces->text.length;
          hl_aligned_append_part (&pieces->text, &slice, 0, slice.length);
          hl_pieces_add (pieces, start, pieces->text.length, part->token, slice.origin);
          if (!hl_text_room_check (pieces->text.room, error))
            return FALSE;
          continue;
        }
      if (normalizer != NULL && !normalize (normalizer, &slice, error))
        return FALSE;
      add_normalized (self, &slice, pieces);
      if (!hl_text_room_check (pieces->text.room, error))
        return FALSE;
    }
  return TRUE;
}
