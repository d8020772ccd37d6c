/* SPDX-License-Identifier: MIT */
/*
 * The longest common subsequence of two lists: Hirschberg's division (1975), its rows of lengths made by adding whole
 * words of bits (Crochemore et al. 2001), 64 columns at a time. Exact, in memory that grows with the lists and not with
 * their product.
 */
#include "core/compare/hl-common-subsequence.h"

#include <string.h>

/* Words of bits: two lists of 100,000 that share nothing but order take two seconds; longer ones that differ so much
 * are not searched. */
#define MAX_WORK ((guint64) 400 * 1000 * 1000)

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
  gsize *forward;
  gsize *backward;
  gsize n_common;
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

/* One more element of a: a bit of the row is 0 where the subsequence becomes longer by that column. */
static void
step (Search  *self,
      guint32  symbol,
      gsize    b0,
      gsize    b1,
      gboolean backwards)
{
  const gsize n_words = (b1 - b0 + 63) / 64;
  const gsize end = self->starts[(gsize) symbol + 1];
  const gsize first = find_place (self, symbol, b0);
  guint64 carry = 0;

  if (first == end || self->places[first] >= b1)
    return;
  for (gsize i = first; i < end && self->places[i] < b1; i++)
    {
      const gsize column = backwards ? b1 - 1 - self->places[i] : self->places[i] - b0;
      self->matches[column / 64] |= (guint64) 1 << column % 64;
    }
  for (gsize word = 0; word < n_words; word++)
    {
      const guint64 v = self->row[word];
      const guint64 m = self->matches[word];
      const guint64 sum = v + (v & m);
      const guint64 with_carry = sum + carry;

      carry = (guint64) (sum < v) | (guint64) (with_carry < sum);
      self->row[word] = with_carry | (v & ~m);
    }
  for (gsize i = first; i < end && self->places[i] < b1; i++)
    {
      const gsize column = backwards ? b1 - 1 - self->places[i] : self->places[i] - b0;
      self->matches[column / 64] = 0;
    }
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
  self->n_common++;
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

/**
 * hl_common_subsequence_find:
 * @a: (array length=n_a): a list of symbols
 * @n_a: its length
 * @b: (array length=n_b): another
 * @n_b: its length
 * @n_symbols: all symbols are less than this
 * @partners: (out caller-allocates) (array length=n_a): for each element of @a its partner in @b, or %G_MAXSIZE;
 *   ascending
 * @cancellable: (nullable): stops it; what was found by then means nothing
 *
 * Finds a longest common subsequence. Beginnings and ends that are the same always are partners. Where the rest of both
 * lists is so long and so different that the search would take seconds, nothing of it is.
 *
 * Returns: whether the subsequence is a longest one, unless it was cancelled
 */
gboolean
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
    return FALSE;
  index_places (&self, n_b, n_symbols);
  self.row = g_new (guint64, n_words);
  self.matches = g_new0 (guint64, n_words);
  self.forward = g_new (gsize, b1 - b0 + 1);
  self.backward = g_new (gsize, b1 - b0 + 1);
  solve (&self, a0, a1, b0, b1);
  g_free (self.starts);
  g_free (self.places);
  g_free (self.row);
  g_free (self.matches);
  g_free (self.forward);
  g_free (self.backward);
  return TRUE;
}
