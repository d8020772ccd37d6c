/* SPDX-License-Identifier: MIT */
/* Byte-pair encoding: a piece begins as its characters, and the pair of neighbours that was learned first
 * is joined until none is left. A heap of pairs keeps long pieces from costing the square of their length. */
#include "core/tokenizer/model/hl-token-model.h"

#include "core/base/hl-error.h"
#include "core/tokenizer/model/hl-merges.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define NONE G_MAXUINT32

typedef struct
{
  HlTokenModel parent;
  HlMerges    *merges;
  char        *prefix; /* of what does not begin a piece; nullable */
  char        *suffix; /* of what ends a piece; nullable */
  gboolean     byte_fallback;
  gboolean     fuse_unknown;
  gboolean     ignore_merges;
  gboolean     has_unknown_name;
  guint32      bytes[256];
} Bpe;

/* A token of a piece in the making; those joined to the one before have no length. */
typedef struct
{
  guint32 id;
  guint32 previous;
  guint32 next;
  guint32 start;
  guint32 length;
} Symbol;

typedef struct
{
  guint32 rank;
  guint32 at;
  guint32 id;
} Candidate;

typedef struct
{
  GArray  *symbols;
  GArray  *heap;
  GString *spelling;
} Scratch;

static void
bpe_free (HlTokenModel *self)
{
  Bpe *bpe = (Bpe *) self;

  g_clear_pointer (&bpe->merges, hl_merges_free);
  g_free (bpe->prefix);
  g_free (bpe->suffix);
}

static gboolean
load (Bpe           *self,
      HlJsonValue    config,
      HlVocabulary  *vocabulary,
      GError       **error)
{
  const char *prefix = NULL, *suffix = NULL, *unknown = NULL;
  const HlJsonValue merges = hl_json_get_member (config, "merges", HL_JSON_ARRAY, error);

  self->parent.vocabulary = vocabulary;
  if (hl_json_value_get_kind (merges) == HL_JSON_MISSING ||
      !hl_token_model_load_unknown (&self->parent, config, error) ||
      !hl_json_get_string (config, "unk_token", &unknown, error) ||
      !hl_json_get_string (config, "continuing_subword_prefix", &prefix, error) ||
      !hl_json_get_string (config, "end_of_word_suffix", &suffix, error) ||
      !hl_json_get_boolean (config, "byte_fallback", &self->byte_fallback, error) ||
      !hl_json_get_boolean (config, "fuse_unk", &self->fuse_unknown, error) ||
      !hl_json_get_boolean (config, "ignore_merges", &self->ignore_merges, error))
    return FALSE;
  self->prefix = prefix != NULL && *prefix != '\0' ? g_strdup (prefix) : NULL;
  self->suffix = suffix != NULL && *suffix != '\0' ? g_strdup (suffix) : NULL;
  self->has_unknown_name = unknown != NULL;
  hl_token_model_find_bytes (&self->parent, self->bytes);
  self->merges = hl_merges_load (merges, vocabulary, self->prefix != NULL ? strlen (self->prefix) : 0, error);
  return self->merges != NULL;
}

static HlTokenModel *
bpe_load (HlJsonValue    config,
          HlVocabulary  *vocabulary,
          GError       **error)
{
  Bpe *self = g_new0 (Bpe, 1);

  if (load (self, config, vocabulary, error))
    return &self->parent;
  bpe_free (&self->parent);
  g_free (self);
  return NULL;
}

static void
add_symbol (GArray  *symbols,
            guint32  id,
            gsize    start,
            gsize    length)
{
  const guint32 n = symbols->len;
  const Symbol symbol = { id, n > 0 ? n - 1 : NONE, NONE, (guint32) start, (guint32) length };

  if (n > 0)
    g_array_index (symbols, Symbol, n - 1).next = n;
  g_array_append_val (symbols, symbol);
}

static gboolean
find_character (const Bpe  *self,
                const char *text,
                gsize       length,
                gboolean    first,
                gboolean    last,
                GString    *spelling,
                guint32    *id)
{
  if ((first || self->prefix == NULL) && (!last || self->suffix == NULL))
    return hl_vocabulary_find (self->parent.vocabulary, text, length, id);
  g_string_truncate (spelling, 0);
  if (!first && self->prefix != NULL)
    g_string_append (spelling, self->prefix);
  g_string_append_len (spelling, text, (gssize) length);
  if (last && self->suffix != NULL)
    g_string_append (spelling, self->suffix);
  return hl_vocabulary_find (self->parent.vocabulary, spelling->str, spelling->len, id);
}

static gboolean
add_bytes (const Bpe  *self,
           const char *text,
           gsize       start,
           gsize       length,
           GArray     *symbols)
{
  for (gsize i = 0; i < length; i++)
    if (self->bytes[(guchar) text[start + i]] == HL_NO_TOKEN)
      return FALSE;
  for (gsize i = 0; i < length; i++)
    add_symbol (symbols, self->bytes[(guchar) text[start + i]], start + i, 1);
  return TRUE;
}

/* Returns: whether no unknown token is needed that is not there */
static gboolean
add_characters (const Bpe  *self,
                const char *text,
                gsize       length,
                Scratch    *scratch)
{
  gsize unknown_start = 0, unknown_length = 0;

  for (gsize at = 0; at < length;)
    {
      const gsize next = at + (gsize) g_utf8_skip[(guchar) text[at]];
      guint32 id;
      if (find_character (self, text + at, next - at, at == 0, next == length, scratch->spelling, &id))
        {
          if (unknown_length > 0)
            add_symbol (scratch->symbols, self->parent.unknown, unknown_start, unknown_length);
          unknown_length = 0;
          add_symbol (scratch->symbols, id, at, next - at);
        }
      else if (!(self->byte_fallback && add_bytes (self, text, at, next - at, scratch->symbols)) &&
               self->has_unknown_name)
        {
          if (!self->parent.has_unknown)
            return FALSE;
          if (unknown_length > 0 && !self->fuse_unknown)
            {
              add_symbol (scratch->symbols, self->parent.unknown, unknown_start, unknown_length);
              unknown_length = 0;
            }
          if (unknown_length == 0)
            unknown_start = at;
          unknown_length += next - at;
        }
      at = next;
    }
  if (unknown_length > 0)
    add_symbol (scratch->symbols, self->parent.unknown, unknown_start, unknown_length);
  return TRUE;
}

static inline gboolean
is_before (const Candidate *a,
           const Candidate *b)
{
  return a->rank < b->rank || (a->rank == b->rank && a->at < b->at);
}

static void
push (GArray          *heap,
      const Candidate  candidate)
{
  guint at = heap->len;

  g_array_append_val (heap, candidate);
  Candidate *items = (Candidate *) (gpointer) heap->data;
  while (at > 0 && is_before (&candidate, &items[(at - 1) / 2]))
    {
      items[at] = items[(at - 1) / 2];
      at = (at - 1) / 2;
    }
  items[at] = candidate;
}

static Candidate
pop (GArray *heap)
{
  Candidate *items = (Candidate *) (gpointer) heap->data;
  const Candidate top = items[0];
  const Candidate last = items[heap->len - 1];
  const guint n = heap->len - 1;
  guint at = 0;

  while (at * 2 + 1 < n)
    {
      guint child = at * 2 + 1;
      if (child + 1 < n && is_before (&items[child + 1], &items[child]))
        child++;
      if (!is_before (&items[child], &last))
        break;
      items[at] = items[child];
      at = child;
    }
  items[at] = last;
  g_array_set_size (heap, n);
  return top;
}

static void
push_pair (const Bpe *self,
           Scratch   *scratch,
           guint32    at)
{
  const Symbol *left = &g_array_index (scratch->symbols, Symbol, at);
  Candidate candidate = { .at = at };

  if (left->next == NONE)
    return;
  const Symbol *right = &g_array_index (scratch->symbols, Symbol, left->next);
  if (hl_merges_find (self->merges, left->id, right->id, &candidate.rank, &candidate.id))
    push (scratch->heap, candidate);
}

static void
join_pairs (const Bpe *self,
            Scratch   *scratch)
{
  Symbol *symbols = (Symbol *) (gpointer) scratch->symbols->data;

  for (guint i = 0; i + 1 < scratch->symbols->len; i++)
    push_pair (self, scratch, i);
  while (scratch->heap->len > 0)
    {
      const Candidate candidate = pop (scratch->heap);
      Symbol *left = &symbols[candidate.at];
      guint32 rank, id;
      if (left->length == 0 || left->next == NONE)
        continue;
      Symbol *right = &symbols[left->next];
      /* Either may have been joined to something else since. */
      if (!hl_merges_find (self->merges, left->id, right->id, &rank, &id) || id != candidate.id)
        continue;
      left->id = candidate.id;
      left->length += right->length;
      right->length = 0;
      left->next = right->next;
      if (left->next != NONE)
        symbols[left->next].previous = candidate.at;
      if (left->previous != NONE)
        push_pair (self, scratch, left->previous);
      push_pair (self, scratch, candidate.at);
    }
}

static gboolean
tokenize_piece (const Bpe      *self,
                const HlPieces *pieces,
                const HlPiece  *piece,
                Scratch        *scratch,
                GArray         *tokens)
{
  const char *text = pieces->text.bytes + piece->start;
  const gsize length = piece->end - piece->start;
  guint32 id;

  if (self->ignore_merges && hl_vocabulary_find (self->parent.vocabulary, text, length, &id))
    {
      hl_token_add (tokens, id, piece->start, piece->end);
      return TRUE;
    }
  g_array_set_size (scratch->symbols, 0);
  if (!add_characters (self, text, length, scratch))
    return FALSE;
  join_pairs (self, scratch);
  for (guint i = 0; i < scratch->symbols->len; i++)
    {
      const Symbol *symbol = &g_array_index (scratch->symbols, Symbol, i);
      if (symbol->length > 0)
        hl_token_add (tokens, symbol->id, piece->start + symbol->start,
                   piece->start + symbol->start + symbol->length);
    }
  return TRUE;
}

static gboolean
bpe_tokenize (const HlTokenModel  *self,
              const HlPieces      *pieces,
              GArray              *tokens,
              GError             **error)
{
  g_autoptr (GArray) symbols = g_array_new (FALSE, FALSE, sizeof (Symbol));
  g_autoptr (GArray) heap = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_autoptr (GString) spelling = g_string_new (NULL);
  Scratch scratch = { symbols, heap, spelling };

  for (guint i = 0; i < pieces->pieces->len; i++)
    {
      const HlPiece *piece = &g_array_index (pieces->pieces, HlPiece, i);
      if (piece->token != HL_NO_TOKEN)
        {
          hl_token_add (tokens, piece->token, piece->start, piece->end);
        }
      else if (!tokenize_piece ((const Bpe *) self, pieces, piece, &scratch, tokens))
        {
          g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the “unk_token” is not in the vocabulary"));
          return FALSE;
        }
    }
  return TRUE;
}

const HlTokenModelClass hl_bpe_model = { "BPE", bpe_load, bpe_tokenize, bpe_free };
