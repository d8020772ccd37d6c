/* SPDX-License-Identifier: MIT */
/* SentencePiece's unigram model: of all ways to cut a text into known pieces, the likeliest one (Viterbi's
 * algorithm; Kudo 2018). Sums are made in the order in which the library makes them, so that ties fall alike. */
#include "core/tokenizer/model/hl-token-model.h"

#include "core/base/hl-error.h"
#include "core/tokenizer/text/hl-byte-trie.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* How much worse than the worst piece an unknown character is. */
#define UNKNOWN_PENALTY 10.0

typedef struct
{
  HlTokenModel parent;
  HlByteTrie *trie;
  double *scores;
  double unknown_score;
  gboolean byte_fallback;
  guint32 bytes[256];
} Unigram;

/* The best way to a byte. */
typedef struct
{
  double score;
  guint32 id;
  guint32 length; /* bytes of the last piece; 0 if no way is known */
} Step;

static gboolean
load_pieces (Unigram      *self,
             HlVocabulary *vocabulary,
             HlJsonValue   list,
             GError      **error)
{
  const guint n = hl_json_value_get_length (list);
  g_autofree HlTrieKey *keys = g_new (HlTrieKey, n + 1);
  double lowest = G_MAXDOUBLE;
  HlJsonIter iter;
  guint32 id = 0;

  self->scores = g_new (double, n + 1);
  hl_json_iter_init (&iter, list);
  for (; hl_json_iter_next (&iter); id++)
    {
      HlJsonIter pair;
      const char *token = NULL;
      hl_json_iter_init (&pair, iter.value);
      if (hl_json_value_get_kind (iter.value) == HL_JSON_ARRAY && hl_json_value_get_length (iter.value) == 2 &&
          hl_json_iter_next (&pair))
        token = hl_json_value_as_string (pair.value);
      if (token == NULL || !hl_json_iter_next (&pair) || !hl_json_value_as_double (pair.value, &self->scores[id]) ||
          self->scores[id] != self->scores[id])
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                       _ ("entry %u of “vocab” is not a list of a string and a number"), id);
          return FALSE;
        }
      keys[id] = (HlTrieKey){ token, (guint32) strlen (token), id };
      lowest = MIN (lowest, self->scores[id]);
      if (!hl_vocabulary_add (vocabulary, token, strlen (token), id, error))
        return FALSE;
    }
  self->unknown_score = lowest - UNKNOWN_PENALTY;
  self->trie = hl_byte_trie_new (keys, n, error);
  return self->trie != NULL;
}

/* Returns a model that takes @vocabulary; of @scores there is one for each id, not a number for what no text is cut into. */
HlTokenModel *
hl_unigram_model_new (HlVocabulary  *vocabulary,
                      const float   *scores,
                      const guint32 *unknown,
                      GError       **error)
{
  const guint32 n = hl_vocabulary_get_n_ids (vocabulary);
  g_autofree HlTrieKey *keys = g_new (HlTrieKey, n + 1);
  Unigram *self = g_new0 (Unigram, 1);
  double lowest = G_MAXDOUBLE;
  gsize n_keys = 0;

  self->parent =
    (HlTokenModel){ &hl_unigram_model, vocabulary, unknown != NULL, unknown != NULL ? *unknown : HL_NO_TOKEN };
  self->scores = g_new (double, n + 1);
  for (guint32 id = 0; id < n; id++)
    {
      const char *token = hl_vocabulary_get_token (vocabulary, id);
      self->scores[id] = scores[id];
      if (token == NULL || scores[id] != scores[id])
        continue;
      keys[n_keys++] = (HlTrieKey){ token, (guint32) strlen (token), id };
      lowest = MIN (lowest, scores[id]);
    }
  self->unknown_score = lowest - UNKNOWN_PENALTY;
  self->trie = hl_byte_trie_new (keys, n_keys, error);
  if (self->trie == NULL)
    {
      hl_token_model_free (&self->parent);
      return NULL;
    }
  hl_vocabulary_find_bytes (vocabulary, self->bytes);
  for (guint byte = 0; byte < G_N_ELEMENTS (self->bytes); byte++)
    self->byte_fallback |= self->bytes[byte] != HL_NO_TOKEN;
  return &self->parent;
}

static void
unigram_free (HlTokenModel *self)
{
  g_clear_pointer (&((Unigram *) self)->trie, hl_byte_trie_free);
  g_free (((Unigram *) self)->scores);
}

static gboolean
load (Unigram      *self,
      HlJsonValue   config,
      HlVocabulary *vocabulary,
      GError      **error)
{
  const HlJsonValue list = hl_json_get_member (config, "vocab", HL_JSON_ARRAY, error);
  guint32 unknown = HL_NO_TOKEN;

  if (hl_json_value_get_kind (list) == HL_JSON_MISSING || !load_pieces (self, vocabulary, list, error) ||
      !hl_json_get_uint (config, "unk_id", &unknown, error) ||
      !hl_json_get_boolean (config, "byte_fallback", &self->byte_fallback, error))
    return FALSE;
  if (unknown != HL_NO_TOKEN)
    {
      if (unknown >= hl_json_value_get_length (list))
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“unk_id” is %u, but “vocab” has %u entries"), unknown,
                       hl_json_value_get_length (list));
          return FALSE;
        }
      self->parent.has_unknown = TRUE;
    }
  self->parent.unknown = unknown; /* where there is none, no token is taken for it */
  self->parent.vocabulary = vocabulary;
  hl_vocabulary_find_bytes (vocabulary, self->bytes);
  return TRUE;
}

static HlTokenModel *
unigram_load (HlJsonValue   config,
              HlVocabulary *vocabulary,
              GError      **error)
{
  Unigram *self = g_new0 (Unigram, 1);

  if (load (self, config, vocabulary, error))
    return &self->parent;
  unigram_free (&self->parent);
  g_free (self);
  return NULL;
}

static void
extend (Step   *to,
        double  score,
        guint32 id,
        gsize   length)
{
  if (to->length == 0 || score > to->score)
    *to = (Step){ score, id, (guint32) length };
}

/* Returns: whether that did not take too long */
static gboolean
find_best (const Unigram *self,
           const char    *text,
           gsize          length,
           HlTextRoom    *room,
           Step          *steps)
{
  memset (steps, 0, (length + 1) * sizeof *steps);
  for (gsize start = 0; start < length;)
    {
      const gsize character = (gsize) g_utf8_skip[(guchar) text[start]];
      const double so_far = steps[start].score;
      gboolean single = FALSE;
      guint32 node = 0;
      gsize at;
      for (at = start; at < length; at++)
        {
          node = hl_byte_trie_step (self->trie, node, (guint8) text[at]);
          if (node == 0)
            break;
          const guint32 id = self->trie->nodes[node].value;
          if (id == HL_TRIE_NO_VALUE)
            continue;
          extend (&steps[at + 1], self->scores[id] + so_far, id, at + 1 - start);
          single |= at + 1 - start == character;
        }
      if (!hl_text_room_spend (room, at - start))
        return FALSE;
      if (!single)
        extend (&steps[start + character], self->unknown_score + so_far, self->parent.unknown, character);
      start += character;
    }
  return TRUE;
}

/* What is unknown, or its bytes if there is a token for each; these all stand for the whole of it. */
static void
add_unknown (const Unigram  *self,
             const HlPieces *pieces,
             gsize           start,
             gsize           end,
             GArray         *tokens)
{
  const guint8 *bytes = (const guint8 *) pieces->text.bytes;
  gboolean known = self->byte_fallback;
  guint32 id;

  /* Unknown characters side by side may be an entry when taken together. */
  if (hl_vocabulary_find (self->parent.vocabulary, pieces->text.bytes + start, end - start, &id))
    {
      hl_token_add (tokens, id, start, end);
      return;
    }
  for (gsize i = start; known && i < end; i++)
    known = self->bytes[bytes[i]] != HL_NO_TOKEN;
  if (!known)
    hl_token_add (tokens, self->parent.unknown, start, end);
  else
    for (gsize i = start; i < end; i++)
      hl_token_add (tokens, self->bytes[bytes[i]], start, end);
}

static gboolean
add_best (const Unigram  *self,
          const HlPieces *pieces,
          const HlPiece  *piece,
          const Step     *steps,
          GArray         *path,
          GArray         *tokens)
{
  g_array_set_size (path, 0);
  for (gsize end = piece->end - piece->start; end > 0; end -= steps[end].length)
    {
      const HlToken token = { steps[end].id, piece->start + end - steps[end].length, piece->start + end };
      HlToken *next = path->len > 0 ? &g_array_index (path, HlToken, path->len - 1) : NULL;
      if (token.id == self->parent.unknown && next != NULL && next->id == token.id)
        next->start = token.start;
      else
        g_array_append_val (path, token);
    }
  for (guint i = path->len; i > 0; i--)
    {
      const HlToken *token = &g_array_index (path, HlToken, i - 1);
      if (token->id != self->parent.unknown)
        g_array_append_val (tokens, *token);
      else if (!self->parent.has_unknown)
        return FALSE;
      else
        add_unknown (self, pieces, token->start, token->end, tokens);
    }
  return TRUE;
}

static gboolean
unigram_tokenize (const HlTokenModel *self,
                  const HlPieces     *pieces,
                  GArray             *tokens,
                  GError            **error)
{
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (HlToken));
  g_autofree Step *steps = NULL;
  gsize longest = 0;

  for (guint i = 0; i < pieces->pieces->len; i++)
    {
      const HlPiece *piece = &g_array_index (pieces->pieces, HlPiece, i);
      const gsize length = piece->end - piece->start;
      if (piece->token != HL_NO_TOKEN)
        {
          hl_token_add (tokens, piece->token, piece->start, piece->end);
          continue;
        }
      if (length > longest || steps == NULL)
        {
          longest = length + 64;
          g_free (steps);
          steps = g_new (Step, longest + 1);
        }
      if (!find_best ((const Unigram *) self, pieces->text.bytes + piece->start, length, pieces->text.room, steps))
        return hl_text_room_check (pieces->text.room, error);
      if (!add_best ((const Unigram *) self, pieces, piece, steps, path, tokens))
        {
          g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                       _ ("the text has characters that are not in the vocabulary, and “unk_id” is missing"));
          return FALSE;
        }
    }
  return TRUE;
}

const HlTokenModelClass hl_unigram_model = { "Unigram", unigram_load, unigram_tokenize, unigram_free };
