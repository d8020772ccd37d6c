/* SPDX-License-Identifier: MIT */
/* Byte-pair encoding: a piece begins as its characters, and the pair of neighbours that was learned first
 * is joined until none is left. A heap of pairs keeps long pieces from costing the square of their length. */
#include "core/tokenizer/model/hl-token-model.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/json/hl-json-tree.h"
#include "core/tokenizer/model/hl-vocabulary.h"

#define FREE G_MAXUINT32

/* There is room for so many merges before any has been read: models have as many, and a list may be as long of what is none. */
#define MAX_RESERVED (1u << 18)

typedef struct
{
  guint32 left;
  guint32 right;
  guint32 rank;
  guint32 joined;
} Slot;

/* Which pairs of tokens byte-pair encoding joins, in which order, and to what. Immutable once it is filled. */
typedef struct
{
  Slot *slots;
  guint32 mask;
  guint32 n;
  guint64 factor; /* so that nobody can choose ids that are looked for in the same places */
} HlMerges;

static void
hl_merges_free (HlMerges *self)
{
  g_free (self->slots);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlMerges, hl_merges_free)

static Slot *
find_slot (const HlMerges *self,
           guint32         left,
           guint32         right)
{
  guint64 hash = ((guint64) left << 32 | right) * self->factor;

  hash ^= hash >> 32;
  for (guint32 at = (guint32) hash & self->mask;; at = (at + 1) & self->mask)
    {
      Slot *slot = &self->slots[at];
      if (slot->left == FREE || (slot->left == left && slot->right == right))
        return slot;
    }
}

static void
resize (HlMerges *self,
        guint32   mask)
{
  g_autofree Slot *before = g_steal_pointer (&self->slots);
  const gsize n_before = before != NULL ? (gsize) self->mask + 1 : 0;

  self->mask = mask;
  self->slots = g_new (Slot, (gsize) mask + 1);
  for (gsize i = 0; i <= mask; i++)
    self->slots[i].left = FREE;
  for (gsize i = 0; i < n_before; i++)
    if (before[i].left != FREE)
      *find_slot (self, before[i].left, before[i].right) = before[i];
}

/* A merge is a list of two strings, or one string with a space between them. */
static gboolean
get_pair (HlJsonValue  merge,
          const char **left,
          gsize       *left_length,
          const char **right)
{
  const char *line = hl_json_value_as_string (merge);
  HlJsonIter iter;

  if (line != NULL)
    {
      const char *space = strchr (line, ' ');
      *left = line;
      *left_length = space != NULL ? (gsize) (space - line) : 0;
      *right = space != NULL ? space + 1 : NULL;
      return space != NULL && strchr (space + 1, ' ') == NULL;
    }
  if (hl_json_value_get_kind (merge) != HL_JSON_ARRAY || hl_json_value_get_length (merge) != 2)
    return FALSE;
  hl_json_iter_init (&iter, merge);
  hl_json_iter_next (&iter);
  *left = hl_json_value_as_string (iter.value);
  hl_json_iter_next (&iter);
  *right = hl_json_value_as_string (iter.value);
  if (*left == NULL || *right == NULL)
    return FALSE;
  *left_length = strlen (*left);
  return TRUE;
}

static gboolean
fail_missing (guint       index,
              const char *token,
              gsize       length,
              GError    **error)
{
  g_autofree char *start = hl_utf8_quote (token, length, 80);

  g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
               _ ("entry %u of “merges” needs the token “%s”, which is not in the vocabulary"), index, start);
  return FALSE;
}

static gboolean
fail_pair (guint    index,
           GError **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("entry %u of “merges” is not a pair of tokens"), index);
  return FALSE;
}

static gboolean
add_merge (HlMerges           *self,
           const char         *left,
           gsize               left_length,
           const char         *right,
           gsize               right_length,
           const HlVocabulary *vocabulary,
           gsize               prefix_length,
           guint               index,
           GString            *joined,
           GError            **error)
{
  guint32 left_id, right_id, id;

  if (!hl_vocabulary_find (vocabulary, left, left_length, &left_id))
    return fail_missing (index, left, left_length, error);
  if (!hl_vocabulary_find (vocabulary, right, right_length, &right_id))
    return fail_missing (index, right, right_length, error);
  g_string_truncate (joined, 0);
  g_string_append_len (joined, left, (gssize) left_length);
  prefix_length = MIN (prefix_length, right_length);
  g_string_append_len (joined, right + prefix_length, (gssize) (right_length - prefix_length));
  if (!hl_vocabulary_find (vocabulary, joined->str, joined->len, &id))
    return fail_missing (index, joined->str, joined->len, error);
  Slot *slot = find_slot (self, left_id, right_id);
  self->n += slot->left == FREE ? 1 : 0;
  *slot = (Slot){ left_id, right_id, index, id };
  if (self->n > self->mask / 2)
    resize (self, self->mask * 2 + 1);
  return TRUE;
}

static HlMerges *
hl_merges_new (guint n)
{
  HlMerges *self = g_new0 (HlMerges, 1);
  guint32 mask = 15;

  while (mask / 2 < MIN (n, MAX_RESERVED))
    mask = mask * 2 + 1;
  self->factor = (guint64) g_random_int () << 32 | g_random_int () | 1;
  resize (self, mask);
  return self;
}

static HlMerges *
hl_merges_load (HlJsonValue         list,
                const HlVocabulary *vocabulary,
                gsize               prefix_length,
                GError            **error)
{
  g_autoptr (HlMerges) self = hl_merges_new (hl_json_value_get_length (list));
  g_autoptr (GString) joined = g_string_new (NULL);
  HlJsonIter iter;

  hl_json_iter_init (&iter, list);
  for (guint i = 0; hl_json_iter_next (&iter); i++)
    {
      const char *line = hl_json_value_as_string (iter.value), *left, *right;
      gsize left_length;

      /* The first line of merges.txt sometimes got here. */
      if (line != NULL && g_str_has_prefix (line, "#version"))
        continue;
      if (!get_pair (iter.value, &left, &left_length, &right))
        {
          fail_pair (i, error);
          return NULL;
        }
      if (!add_merge (self, left, left_length, right, strlen (right), vocabulary, prefix_length, i, joined, error))
        return NULL;
    }
  return g_steal_pointer (&self);
}

static gboolean
hl_merges_find (const HlMerges *self,
                guint32         left,
                guint32         right,
                guint32        *rank,
                guint32        *joined)
{
  const Slot *slot = find_slot (self, left, right);

  if (slot->left == FREE)
    return FALSE;
  *rank = slot->rank;
  *joined = slot->joined;
  return TRUE;
}

#define NONE G_MAXUINT32

typedef struct
{
  HlTokenModel parent;
  HlMerges *merges;
  guint32 *ranks; /* instead of merges: of each token, when two neighbours may be joined to it; NONE for never */
  char *prefix;   /* of what does not begin a piece; nullable */
  char *suffix;   /* of what ends a piece; nullable */
  gboolean byte_fallback;
  gboolean fuse_unknown;
  gboolean ignore_merges;
  gboolean has_unknown_name;
  guint32 bytes[256];
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
  GArray *symbols;
  GArray *heap;
  GString *spelling;
  HlTextRoom *room;
} Scratch;

static void
bpe_free (HlTokenModel *self)
{
  Bpe *bpe = (Bpe *) self;

  g_clear_pointer (&bpe->merges, hl_merges_free);
  g_clear_pointer (&bpe->ranks, g_free);
  g_free (bpe->prefix);
  g_free (bpe->suffix);
}

/* What is put beside each character, to look for the token that it is then. */
static gboolean
check_affix (const char *affix,
             const char *key,
             GError    **error)
{
  if (affix == NULL || strlen (affix) <= HL_LIMIT_SPELLING)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” is longer than %d bytes"), key, HL_LIMIT_SPELLING);
  return FALSE;
}

/* What the library does that is not done here. */
static gboolean
check_options (const Bpe  *self,
               HlJsonValue config,
               GError    **error)
{
  double dropout = 0;
  gboolean has_bytes = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (self->bytes); i++)
    has_bytes = has_bytes || self->bytes[i] != HL_NO_TOKEN;
  if (hl_json_value_as_double (hl_json_value_get (config, "dropout"), &dropout) && dropout > 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                   _ ("“dropout” leaves merges out at random, which is not supported"));
      return FALSE;
    }
  /* What is put beside a character is spelt in bytes with it. */
  if (self->byte_fallback && has_bytes && (self->prefix != NULL || self->suffix != NULL))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("“byte_fallback” is not supported together with “%s”"),
                   self->prefix != NULL ? "continuing_subword_prefix" : "end_of_word_suffix");
      return FALSE;
    }
  return TRUE;
}

static gboolean
load (Bpe          *self,
      HlJsonValue   config,
      HlVocabulary *vocabulary,
      GError      **error)
{
  const char *prefix = NULL, *suffix = NULL, *unknown = NULL;
  const HlJsonValue merges = hl_json_get_member (config, "merges", HL_JSON_ARRAY, error);

  self->parent.vocabulary = vocabulary;
  if (hl_json_value_get_kind (merges) == HL_JSON_MISSING ||
      !hl_vocabulary_load_unknown (vocabulary, config, &self->parent.has_unknown, &self->parent.unknown, error) ||
      !hl_json_get_string (config, "unk_token", &unknown, error) ||
      !hl_json_get_string (config, "continuing_subword_prefix", &prefix, error) ||
      !hl_json_get_string (config, "end_of_word_suffix", &suffix, error) ||
      !hl_json_get_boolean (config, "byte_fallback", &self->byte_fallback, error) ||
      !hl_json_get_boolean (config, "fuse_unk", &self->fuse_unknown, error) ||
      !hl_json_get_boolean (config, "ignore_merges", &self->ignore_merges, error))
    return FALSE;
  if (!check_affix (prefix, "continuing_subword_prefix", error) || !check_affix (suffix, "end_of_word_suffix", error))
    return FALSE;
  self->prefix = prefix != NULL && *prefix != '\0' ? g_strdup (prefix) : NULL;
  self->suffix = suffix != NULL && *suffix != '\0' ? g_strdup (suffix) : NULL;
  self->has_unknown_name = unknown != NULL;
  hl_vocabulary_find_bytes (vocabulary, self->bytes);
  if (!check_options (self, config, error))
    return FALSE;
  self->merges = hl_merges_load (merges, vocabulary, self->prefix != NULL ? strlen (self->prefix) : 0, error);
  return self->merges != NULL;
}

static HlTokenModel *
bpe_load (HlJsonValue   config,
          HlVocabulary *vocabulary,
          GError      **error)
{
  Bpe *self = g_new0 (Bpe, 1);

  if (load (self, config, vocabulary, error))
    return &self->parent;
  bpe_free (&self->parent);
  g_free (self);
  return NULL;
}

static void
add_symbol (GArray *symbols,
            guint32 id,
            gsize   start,
            gsize   length)
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
push (GArray         *heap,
      const Candidate candidate)
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

/* Where tokens have ranks, two neighbours can be joined if what they spell together is a token. */
static gboolean
find_joined (const Bpe    *self,
             const char   *text,
             const Symbol *left,
             const Symbol *right,
             HlTextRoom   *room,
             guint32      *rank,
             guint32      *joined)
{
  if (self->ranks == NULL)
    return hl_merges_find (self->merges, left->id, right->id, rank, joined);
  hl_text_room_spend (room, left->length + right->length);
  if (!hl_vocabulary_find (self->parent.vocabulary, text + left->start, left->length + right->length, joined))
    return FALSE;
  *rank = self->ranks[*joined];
  return *rank != NONE;
}

static void
push_pair (const Bpe  *self,
           const char *text,
           Scratch    *scratch,
           guint32     at)
{
  const Symbol *left = &g_array_index (scratch->symbols, Symbol, at);
  Candidate candidate = { .at = at };

  if (left->next == NONE)
    return;
  const Symbol *right = &g_array_index (scratch->symbols, Symbol, left->next);
  if (find_joined (self, text, left, right, scratch->room, &candidate.rank, &candidate.id))
    push (scratch->heap, candidate);
}

static void
join_pairs (const Bpe  *self,
            const char *text,
            Scratch    *scratch)
{
  Symbol *symbols = (Symbol *) (gpointer) scratch->symbols->data;

  for (guint i = 0; i + 1 < scratch->symbols->len; i++)
    push_pair (self, text, scratch, i);
  while (scratch->heap->len > 0 && scratch->room->steps > 0)
    {
      const Candidate candidate = pop (scratch->heap);
      Symbol *left = &symbols[candidate.at];
      guint32 rank, id;
      if (left->length == 0 || left->next == NONE)
        continue;
      Symbol *right = &symbols[left->next];
      /* Either may have been joined to something else since. */
      if (!find_joined (self, text, left, right, scratch->room, &rank, &id) || id != candidate.id)
        continue;
      left->id = candidate.id;
      left->length += right->length;
      right->length = 0;
      left->next = right->next;
      if (left->next != NONE)
        symbols[left->next].previous = candidate.at;
      if (left->previous != NONE)
        push_pair (self, text, scratch, left->previous);
      push_pair (self, text, scratch, candidate.at);
    }
}

/* Characters of any kind; those that no token is made of are still unknown after joining. */
static void
add_plain_characters (const Bpe  *self,
                      const char *text,
                      gsize       length,
                      GArray     *symbols)
{
  for (gsize at = 0; at < length; at += (gsize) g_utf8_skip[(guchar) text[at]])
    {
      const gsize size = (gsize) g_utf8_skip[(guchar) text[at]];
      guint32 id;
      if (!hl_vocabulary_find (self->parent.vocabulary, text + at, size, &id) || self->ranks[id] == NONE)
        id = HL_NO_TOKEN;
      add_symbol (symbols, id, at, size);
    }
}

/* A character that is not in the vocabulary: its bytes, or the unknown token, if there are such. */
static void
add_unknown (const Bpe  *self,
             const char *text,
             gsize       start,
             gsize       end,
             GArray     *tokens)
{
  gboolean known = self->byte_fallback;

  for (gsize i = start; known && i < end; i++)
    known = self->bytes[(guchar) text[i]] != HL_NO_TOKEN;
  for (gsize i = start; known && i < end; i++)
    hl_token_add (tokens, self->bytes[(guchar) text[i]], i, i + 1);
  if (known || !self->parent.has_unknown)
    return;
  HlToken *last = tokens->len > 0 ? &g_array_index (tokens, HlToken, tokens->len - 1) : NULL;
  if (self->fuse_unknown && last != NULL && last->id == self->parent.unknown && last->end == start)
    last->end = end;
  else
    hl_token_add (tokens, self->parent.unknown, start, end);
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
  if (self->ranks != NULL)
    add_plain_characters (self, text, length, scratch->symbols);
  else if (!add_characters (self, text, length, scratch))
    return FALSE;
  join_pairs (self, text, scratch);
  for (guint i = 0; i < scratch->symbols->len; i++)
    {
      const Symbol *symbol = &g_array_index (scratch->symbols, Symbol, i);
      const gsize start = piece->start + symbol->start;
      if (symbol->length > 0 && symbol->id == HL_NO_TOKEN)
        add_unknown (self, pieces->text.bytes, start, start + symbol->length, tokens);
      else if (symbol->length > 0)
        hl_token_add (tokens, symbol->id, start, start + symbol->length);
    }
  return TRUE;
}

static gboolean
bpe_tokenize (const HlTokenModel *self,
              const HlPieces     *pieces,
              GArray             *tokens,
              GError            **error)
{
  g_autoptr (GArray) symbols = g_array_new (FALSE, FALSE, sizeof (Symbol));
  g_autoptr (GArray) heap = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_autoptr (GString) spelling = g_string_new (NULL);
  Scratch scratch = { symbols, heap, spelling, pieces->text.room };

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
      if (!hl_text_room_check (pieces->text.room, error))
        return FALSE;
    }
  return TRUE;
}

const HlTokenModelClass hl_bpe_model = { "BPE", bpe_load, bpe_tokenize, bpe_free };

static Bpe *
start (HlVocabulary       *vocabulary,
       const HlBpeOptions *options)
{
  Bpe *self = g_new0 (Bpe, 1);

  self->parent = (HlTokenModel){ &hl_bpe_model, vocabulary, options->has_unknown, options->unknown };
  self->byte_fallback = options->byte_fallback;
  self->fuse_unknown = options->fuse_unknown;
  self->ignore_merges = options->ignore_merges;
  self->has_unknown_name = options->has_unknown;
  hl_vocabulary_find_bytes (vocabulary, self->bytes);
  return self;
}

/* Returns a model that takes @vocabulary, and @n_merges merges or so after that. */
HlTokenModel *
hl_bpe_model_new (HlVocabulary       *vocabulary,
                  const HlBpeOptions *options,
                  guint               n_merges)
{
  Bpe *self = start (vocabulary, options);

  self->merges = hl_merges_new (n_merges);
  return &self->parent;
}

/* Adds a merge: two tokens with a space between them. @index is its rank, and the entry that errors name. */
gboolean
hl_bpe_model_add_merge (HlTokenModel *self,
                        const char   *merge,
                        gsize         length,
                        guint         index,
                        GError      **error)
{
  const char *space = length > 1 ? memchr (merge + 1, ' ', length - 1) : NULL;
  g_autoptr (GString) joined = g_string_new (NULL);

  if (space == NULL || space + 1 == merge + length)
    return fail_pair (index, error);
  return add_merge (((Bpe *) self)->merges, merge, (gsize) (space - merge), space + 1,
                    (gsize) (merge + length - space - 1), self->vocabulary, 0, index, joined, error);
}

/* Returns a number that is the smaller, the larger the score is. */
static guint32
rank_score (float score)
{
  const float plus = score + 0.0f; /* −0 is 0 */
  guint32 bits;

  memcpy (&bits, &plus, sizeof bits);
  return (bits >> 31) != 0 ? bits : ~(bits | 1u << 31);
}

/* Returns a model as SentencePiece has it: neighbours are joined to the token of the highest score, the leftmost ones first (Kudo and
 * Richardson 2018). It takes @vocabulary; of @scores there is one for each id, not a number for what is never joined to. */
HlTokenModel *
hl_bpe_model_new_scored (HlVocabulary       *vocabulary,
                         const HlBpeOptions *options,
                         const float        *scores)
{
  Bpe *self = start (vocabulary, options);
  const guint32 n = hl_vocabulary_get_n_ids (vocabulary);

  self->ranks = g_new (guint32, n + 1);
  for (guint32 id = 0; id < n; id++)
    self->ranks[id] = scores[id] != scores[id] ? NONE : rank_score (scores[id]);
  return &self->parent;
}
