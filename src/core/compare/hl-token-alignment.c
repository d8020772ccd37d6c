/* SPDX-License-Identifier: MIT */
/* Two lists of tokens as one list of positions: tokens of both, of the first alone, of the second alone. */
#include "core/compare/hl-token-alignment.h"

#include "core/base/text/hl-text-hash.h"
#include "core/compare/hl-few-edits.h"

#include <string.h>

/* Words of bits: two lists of 100,000 that share nothing but order take two seconds; longer ones are searched only if they differ in
 * few places. */
#define MAX_WORK ((guint64) 400 * 1000 * 1000)

/* More symbols than can stand in more columns each than the columns have words. */
#define MAX_OFTEN 64

typedef struct
{
  const guint32 *a;
  const guint32 *b;
  gsize *partners;
  /* Where each symbol occurs in b, ascending: those of symbol s from starts[s] to starts[s + 1]. */
  gsize *starts;
  gsize *places;
  guint64 *row;
  guint64 *matches;
  /* The matches of symbols that stand in many columns: setting and clearing them for each element would take longer
   * than the row itself. Of each symbol the number of its matches from 1, or 0. */
  guint64 *often;
  guint8 *often_of;
  guint32 often_symbols[MAX_OFTEN];
  guint n_often;
  gsize *forward;
  gsize *backward;
  GCancellable *cancellable;
} Search;

static void
index_places (Search *self,
              gsize   n_b,
              guint32 n_symbols)
{
  self->starts = g_new0 (gsize, (gsize) n_symbols + 2);
  self->places = g_new (gsize, n_b);
  for (gsize j = 0; j < n_b; j++)
    self->starts[(gsize) self->b[j] + 2]++;
  for (gsize s = 2; s < (gsize) n_symbols + 2; s++)
    self->starts[s] += self->starts[s - 1];
  for (gsize j = 0; j < n_b; j++)
    self->places[self->starts[(gsize) self->b[j] + 1]++] = j;
}

/* The first of the places of a symbol that is not before @from. */
static gsize
find_place (const Search *self,
            guint32       symbol,
            gsize         from)
{
  gsize low = self->starts[symbol];
  gsize high = self->starts[(gsize) symbol + 1];

  while (low < high)
    {
      const gsize middle = low + (high - low) / 2;
      if (self->places[middle] < from)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Sets the bits of the columns that some of the places are. */
static void
mark_columns (const Search *self,
              guint64      *matches,
              gsize         first,
              gsize         end,
              gsize         b0,
              gsize         b1,
              gboolean      backwards)
{
  for (gsize i = first; i < end; i++)
    {
      const gsize column = backwards ? b1 - 1 - self->places[i] : self->places[i] - b0;
      matches[column / 64] |= (guint64) 1 << column % 64;
    }
}

static void
lengthen (guint64       *row,
          const guint64 *matches,
          gsize          n_words)
{
  guint64 carry = 0;

  for (gsize word = 0; word < n_words; word++)
    {
      const guint64 v = row[word];
      const guint64 m = matches[word];
      const guint64 sum = v + (v & m);
      const guint64 with_carry = sum + carry;

      carry = (guint64) (sum < v) | (guint64) (with_carry < sum);
      row[word] = with_carry | (v & ~m);
    }
}

/* One more element of a: a bit of the row is 0 where the subsequence becomes longer by that column. */
static void
step (Search  *self,
      guint32  symbol,
      gsize    b0,
      gsize    b1,
      gboolean backwards)
{
  const gsize n_words = (b1 - b0 + 63) / 64;

  if (self->often_of[symbol] == 0)
    {
      const gsize first = find_place (self, symbol, b0);
      const gsize end = find_place (self, symbol, b1);

      if (end - first <= n_words)
        {
          if (first == end)
            return;
          mark_columns (self, self->matches, first, end, b0, b1, backwards);
          lengthen (self->row, self->matches, n_words);
          for (gsize i = first; i < end; i++)
            self->matches[(backwards ? b1 - 1 - self->places[i] : self->places[i] - b0) / 64] = 0;
          return;
        }
      g_assert (self->n_often < MAX_OFTEN);
      guint64 *matches = self->often + self->n_often * n_words;
      memset (matches, 0, n_words * sizeof (guint64));
      mark_columns (self, matches, first, end, b0, b1, backwards);
      self->often_symbols[self->n_often++] = symbol;
      self->often_of[symbol] = (guint8) self->n_often;
    }
  lengthen (self->row, self->often + (self->often_of[symbol] - 1u) * n_words, n_words);
}

/* How long the subsequences of a[a0, a1) and the first j of b[b0, b1) are, or the last j, for every j. */
static void
count_lengths (Search  *self,
               gsize    a0,
               gsize    a1,
               gsize    b0,
               gsize    b1,
               gboolean backwards,
               gsize   *lengths)
{
  const gsize n = b1 - b0;

  memset (self->row, 0xFF, (n + 63) / 64 * sizeof (guint64));
  /* Who gave up wants to go on; what is counted then nobody sees. */
  for (gsize i = 0; i < a1 - a0 && (i % 64 != 0 || !g_cancellable_is_cancelled (self->cancellable)); i++)
    step (self, self->a[backwards ? a1 - 1 - i : a0 + i], b0, b1, backwards);
  while (self->n_often > 0)
    self->often_of[self->often_symbols[--self->n_often]] = 0;
  lengths[0] = 0;
  for (gsize j = 0; j < n; j++)
    lengths[j + 1] = lengths[j] + !(self->row[j / 64] >> j % 64 & 1);
}

static void
match (Search *self,
       gsize   a,
       gsize   b)
{
  self->partners[a] = b;
}

static void
solve (Search *self,
       gsize   a0,
       gsize   a1,
       gsize   b0,
       gsize   b1)
{
  while (a0 < a1 && b0 < b1 && self->a[a0] == self->b[b0])
    match (self, a0++, b0++);
  while (a0 < a1 && b0 < b1 && self->a[a1 - 1] == self->b[b1 - 1])
    match (self, --a1, --b1);
  if (a0 == a1 || b0 == b1 || g_cancellable_is_cancelled (self->cancellable))
    return;
  if (a1 - a0 == 1)
    {
      const gsize place = find_place (self, self->a[a0], b0);
      if (place < self->starts[(gsize) self->a[a0] + 1] && self->places[place] < b1)
        match (self, a0, self->places[place]);
      return;
    }

  const gsize middle = a0 + (a1 - a0) / 2;
  const gsize n = b1 - b0;
  gsize best = 0;

  count_lengths (self, a0, middle, b0, b1, FALSE, self->forward);
  count_lengths (self, middle, a1, b0, b1, TRUE, self->backward);
  for (gsize j = 1; j <= n; j++)
    if (self->forward[j] + self->backward[n - j] > self->forward[best] + self->backward[n - best])
      best = j;
  solve (self, a0, middle, b0, b0 + best);
  solve (self, middle, a1, b0 + best, b1);
}

static gboolean
find_few_edits (Search *self,
                gsize   a0,
                gsize   a1,
                gsize   b0,
                gsize   b1)
{
  if (!hl_few_edits_find (self->a + a0, a1 - a0, self->b + b0, b1 - b0, self->partners + a0, self->cancellable))
    return FALSE;
  for (gsize i = a0; i < a1; i++)
    if (self->partners[i] != G_MAXSIZE)
      self->partners[i] += b0;
  return TRUE;
}

/* Finds a longest common subsequence. Beginnings and ends that are the same always are partners. Where the rest of
 * both lists is so long and so different that the search would take seconds, nothing of it is. */
static gboolean
hl_common_subsequence_find (const guint32 *a,
                            gsize          n_a,
                            const guint32 *b,
                            gsize          n_b,
                            guint32        n_symbols,
                            gsize         *partners,
                            GCancellable  *cancellable)
{
  Search self = { .a = a, .b = b, .partners = partners, .cancellable = cancellable };
  gsize a0 = 0, b0 = 0, a1 = n_a, b1 = n_b;

  for (gsize i = 0; i < n_a; i++)
    partners[i] = G_MAXSIZE;
  while (a0 < a1 && b0 < b1 && a[a0] == b[b0])
    match (&self, a0++, b0++);
  while (a0 < a1 && b0 < b1 && a[a1 - 1] == b[b1 - 1])
    match (&self, --a1, --b1);
  if (a0 == a1 || b0 == b1)
    return TRUE;

  const gsize n_words = (b1 - b0 + 63) / 64;
  if (a1 - a0 > MAX_WORK / 2 / n_words)
    return find_few_edits (&self, a0, a1, b0, b1);
  index_places (&self, n_b, n_symbols);
  self.row = g_new (guint64, n_words);
  self.matches = g_new0 (guint64, n_words);
  self.often = g_new (guint64, MAX_OFTEN * n_words);
  self.often_of = g_new0 (guint8, n_symbols);
  self.forward = g_new (gsize, b1 - b0 + 1);
  self.backward = g_new (gsize, b1 - b0 + 1);
  solve (&self, a0, a1, b0, b1);
  g_free (self.starts);
  g_free (self.places);
  g_free (self.row);
  g_free (self.matches);
  g_free (self.often);
  g_free (self.often_of);
  g_free (self.forward);
  g_free (self.backward);
  return TRUE;
}

struct _HlTokenAlignment
{
  gatomicrefcount n_refs;
  HlAlignedToken *positions;
  gsize n;
  gsize n_common;
  gboolean is_searched;
  /* The position of each token. */
  gsize *of_a;
  gsize *of_b;
  gsize n_a;
  gsize n_b;
};

G_DEFINE_BOXED_TYPE (HlTokenAlignment, hl_token_alignment, hl_token_alignment_ref, hl_token_alignment_unref)

static HlTokenAlignment *
new_empty (gsize n_a,
           gsize n_b)
{
  HlTokenAlignment *self = g_new0 (HlTokenAlignment, 1);

  g_atomic_ref_count_init (&self->n_refs);
  self->n_a = n_a;
  self->n_b = n_b;
  self->is_searched = TRUE;
  self->positions = g_new (HlAlignedToken, MAX (n_a + n_b, 1));
  self->of_a = g_new (gsize, MAX (n_a, 1));
  self->of_b = g_new (gsize, MAX (n_b, 1));
  return self;
}

static void
add (HlTokenAlignment *self,
     gsize             a,
     gsize             b)
{
  if (a != HL_TOKEN_NONE)
    self->of_a[a] = self->n;
  if (b != HL_TOKEN_NONE)
    self->of_b[b] = self->n;
  self->n_common += a != HL_TOKEN_NONE && b != HL_TOKEN_NONE;
  self->positions[self->n++] = (HlAlignedToken){ a, b };
}

/* Between two tokens of both, first what only the first text has there, then what only the second has. */
static HlTokenAlignment *
new_of_partners (const gsize *partners,
                 gsize        n_a,
                 gsize        n_b)
{
  HlTokenAlignment *self = new_empty (n_a, n_b);
  gsize b = 0;

  for (gsize a = 0; a < n_a; a++)
    {
      const gsize partner = partners[a];

      while (partner != HL_TOKEN_NONE && b < partner)
        add (self, HL_TOKEN_NONE, b++);
      add (self, a, partner);
      if (partner != HL_TOKEN_NONE)
        b++;
    }
  while (b < n_b)
    add (self, HL_TOKEN_NONE, b++);
  return self;
}

static guint32
get_symbol (GHashTable *symbols,
            const char *token)
{
  gpointer symbol;

  if (g_hash_table_lookup_extended (symbols, token, NULL, &symbol))
    return GPOINTER_TO_UINT (symbol);
  const guint next = g_hash_table_size (symbols);
  g_hash_table_insert (symbols, (gpointer) token, GUINT_TO_POINTER (next));
  return next;
}

/**
 * hl_token_alignment_new:
 * @a: (array length=n_a): the tokens of one text
 * @n_a: how many
 * @b: (array length=n_b): the tokens of another
 * @n_b: how many
 * @cancellable: (nullable): stops it
 *
 * Pairs tokens that are spelt the same and stand in the same order, as many as can be: a longest common subsequence, as
 * hl_common_subsequence_find() finds it. Texts so long and so different that it cannot be found soon share only their
 * beginning and their end, see hl_token_alignment_is_searched().
 *
 * Returns: (transfer full) (nullable): the alignment; the identity where both texts are the same; %NULL if it was
 *   cancelled
 */
HlTokenAlignment *
hl_token_alignment_new (const char *const *a,
                        gsize              n_a,
                        const char *const *b,
                        gsize              n_b,
                        GCancellable      *cancellable)
{
  g_return_val_if_fail (n_a < G_MAXUINT32 / 2 && n_b < G_MAXUINT32 / 2, NULL);

  g_autoptr (GHashTable) symbols = g_hash_table_new (hl_text_hash, g_str_equal);
  g_autofree guint32 *symbols_a = g_new (guint32, MAX (n_a, 1));
  g_autofree guint32 *symbols_b = g_new (guint32, MAX (n_b, 1));
  g_autofree gsize *partners = g_new (gsize, MAX (n_a, 1));

  for (gsize i = 0; i < n_a; i++)
    symbols_a[i] = get_symbol (symbols, a[i]);
  for (gsize i = 0; i < n_b; i++)
    symbols_b[i] = get_symbol (symbols, b[i]);
  const gboolean is_searched =
    hl_common_subsequence_find (symbols_a, n_a, symbols_b, n_b, g_hash_table_size (symbols), partners, cancellable);
  if (g_cancellable_is_cancelled (cancellable))
    return NULL;
  HlTokenAlignment *self = new_of_partners (partners, n_a, n_b);
  self->is_searched = is_searched;
  return self;
}

/**
 * hl_token_alignment_new_by_index:
 * @n_a: tokens of one text
 * @n_b: tokens of another
 *
 * For texts whose tokens nobody knows: what stands at the same place is taken for the same.
 *
 * Returns: (transfer full): the alignment
 */
HlTokenAlignment *
hl_token_alignment_new_by_index (gsize n_a,
                                 gsize n_b)
{
  g_autofree gsize *partners = g_new (gsize, MAX (n_a, 1));

  for (gsize i = 0; i < n_a; i++)
    partners[i] = i < n_b ? i : HL_TOKEN_NONE;
  return new_of_partners (partners, n_a, n_b);
}

/**
 * hl_token_alignment_new_joined:
 * @parts: (array length=n_parts): alignments of parts of two texts, which follow one another in both
 * @n_parts: how many
 *
 * Returns: (transfer full): the alignment of both texts
 */
HlTokenAlignment *
hl_token_alignment_new_joined (HlTokenAlignment *const *parts,
                               guint                    n_parts)
{
  gsize n_a = 0, n_b = 0, first_a = 0, first_b = 0;

  for (guint i = 0; i < n_parts; i++)
    {
      n_a += parts[i]->n_a;
      n_b += parts[i]->n_b;
    }
  HlTokenAlignment *self = new_empty (n_a, n_b);
  for (guint i = 0; i < n_parts; i++)
    {
      const HlTokenAlignment *part = parts[i];

      for (gsize at = 0; at < part->n; at++)
        {
          const HlAlignedToken *token = &part->positions[at];

          add (self, token->a != HL_TOKEN_NONE ? first_a + token->a : HL_TOKEN_NONE,
               token->b != HL_TOKEN_NONE ? first_b + token->b : HL_TOKEN_NONE);
        }
      self->is_searched &= part->is_searched;
      first_a += part->n_a;
      first_b += part->n_b;
    }
  return self;
}

/**
 * hl_token_alignment_ref:
 * @self: an alignment
 *
 * Returns: (transfer full): the same
 */
HlTokenAlignment *
hl_token_alignment_ref (HlTokenAlignment *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->n_refs);
  return self;
}

/**
 * hl_token_alignment_unref:
 * @self: (transfer full): an alignment
 */
void
hl_token_alignment_unref (HlTokenAlignment *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->n_refs))
    return;
  g_free (self->positions);
  g_free (self->of_a);
  g_free (self->of_b);
  g_free (self);
}

/**
 * hl_token_alignment_get_n:
 * @self: an alignment
 *
 * Returns: how long the common list is
 */
gsize
hl_token_alignment_get_n (const HlTokenAlignment *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n;
}

/**
 * hl_token_alignment_get_positions:
 * @self: an alignment
 *
 * Returns: (transfer none): the common list; of each text the indices in it ascend
 */
const HlAlignedToken *
hl_token_alignment_get_positions (const HlTokenAlignment *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->positions;
}

/**
 * hl_token_alignment_get_n_common:
 * @self: an alignment
 *
 * Returns: how many positions belong to both texts
 */
gsize
hl_token_alignment_get_n_common (const HlTokenAlignment *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_common;
}

/**
 * hl_token_alignment_is_searched:
 * @self: an alignment
 *
 * Returns: whether all that both texts share was looked for; where they are too long and too different for that, only what they
 *   begin and end with is common
 */
gboolean
hl_token_alignment_is_searched (const HlTokenAlignment *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->is_searched;
}

/**
 * hl_token_alignment_is_identity:
 * @self: an alignment
 *
 * Returns: whether every token has its partner at the same index
 */
gboolean
hl_token_alignment_is_identity (const HlTokenAlignment *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->n_common == self->n_a && self->n_common == self->n_b;
}

/**
 * hl_token_alignment_find_a:
 * @self: an alignment
 * @a: index of a token of the first text
 *
 * Returns: its position in the common list, %HL_TOKEN_NONE if there is no such token
 */
gsize
hl_token_alignment_find_a (const HlTokenAlignment *self,
                           gsize                   a)
{
  g_return_val_if_fail (self != NULL, HL_TOKEN_NONE);

  return a < self->n_a ? self->of_a[a] : HL_TOKEN_NONE;
}

/**
 * hl_token_alignment_find_b:
 * @self: an alignment
 * @b: index of a token of the second text
 *
 * Returns: its position in the common list, %HL_TOKEN_NONE if there is no such token
 */
gsize
hl_token_alignment_find_b (const HlTokenAlignment *self,
                           gsize                   b)
{
  g_return_val_if_fail (self != NULL, HL_TOKEN_NONE);

  return b < self->n_b ? self->of_b[b] : HL_TOKEN_NONE;
}

/**
 * hl_token_alignment_a_to_b:
 * @self: an alignment
 * @a: index of a token of the first text
 *
 * Returns: its partner in the second, or %HL_TOKEN_NONE
 */
gsize
hl_token_alignment_a_to_b (const HlTokenAlignment *self,
                           gsize                   a)
{
  const gsize position = hl_token_alignment_find_a (self, a);

  return position != HL_TOKEN_NONE ? self->positions[position].b : HL_TOKEN_NONE;
}

/**
 * hl_token_alignment_b_to_a:
 * @self: an alignment
 * @b: index of a token of the second text
 *
 * Returns: its partner in the first, or %HL_TOKEN_NONE
 */
gsize
hl_token_alignment_b_to_a (const HlTokenAlignment *self,
                           gsize                   b)
{
  const gsize position = hl_token_alignment_find_b (self, b);

  return position != HL_TOKEN_NONE ? self->positions[position].a : HL_TOKEN_NONE;
}
