/* SPDX-License-Identifier: MIT */
/* A longest common subsequence of two lists of any length that differ in few places: from both ends, how far so many edits reach
 * on each diagonal, until both meet (Myers, An O(ND) Difference Algorithm and Its Variations, 1986). */
#include "core/compare/hl-few-edits.h"

/* Insertions and deletions from each end, and steps of the search for where both meet: what takes a second. The searches in the two
 * halves take as long together. */
#define MAX_EDITS 8192
#define MAX_WORK ((guint64) 400 * 1000 * 1000)

/* No path reaches a diagonal. */
#define NOWHERE (-1)

typedef struct
{
  const guint32 *a;
  const guint32 *b;
  gsize *partners;
  /* By diagonal, a's place less b's: the farthest place in a that is reached from the beginnings, and, of both lists backwards,
   * from the ends. Places for -MAX_EDITS to MAX_EDITS. */
  gssize *forward;
  gssize *backward;
  guint64 work;
  GCancellable *cancellable;
} Search;

/* Parts of both lists. */
typedef struct
{
  gsize a0;
  gsize a1;
  gsize b0;
  gsize b1;
} Box;

/* What follows @edits edits on a diagonal: how far it comes, and in @from where its equal elements begin. */
static gssize
reach (Search       *self,
       const Box    *box,
       const gssize *places,
       gssize        edits,
       gssize        diagonal,
       gboolean      backwards,
       gssize       *from)
{
  const gssize n_a = (gssize) (box->a1 - box->a0);
  const gssize n_b = (gssize) (box->b1 - box->b0);
  gssize x = edits == 0 ? 0 : NOWHERE;

  if (diagonal < edits && places[diagonal + 1] - diagonal <= n_b)
    x = places[diagonal + 1];
  if (diagonal > -edits && places[diagonal - 1] != NOWHERE && places[diagonal - 1] < n_a)
    x = MAX (x, places[diagonal - 1] + 1);
  *from = x;
  self->work++;
  if (x == NOWHERE)
    return NOWHERE;
  while (x < n_a && x - diagonal < n_b)
    {
      const gsize i = (gsize) x;
      const gsize j = (gsize) (x - diagonal);

      if (backwards ? self->a[box->a1 - 1 - i] != self->b[box->b1 - 1 - j]
                    : self->a[box->a0 + i] != self->b[box->b0 + j])
        break;
      x++;
      self->work++;
    }
  return x;
}

/* Equal elements in the middle of a shortest way from the beginnings to the ends, maybe none: where they begin and end. */
static gboolean
find_middle (Search    *self,
             const Box *box,
             guint64    max_work,
             Box       *middle)
{
  const gssize n_a = (gssize) (box->a1 - box->a0);
  const gssize n_b = (gssize) (box->b1 - box->b0);
  const gssize last = n_a - n_b;
  const gboolean is_odd = last & 1;
  const guint64 end = self->work + max_work;

  for (gssize edits = 0; edits <= MAX_EDITS; edits++)
    {
      if (self->work > end || g_cancellable_is_cancelled (self->cancellable))
        return FALSE;
      for (gssize k = -edits; k <= edits; k += 2)
        {
          gssize from;
          const gssize x = reach (self, box, self->forward, edits, k, FALSE, &from);

          self->forward[k] = x;
          if (!is_odd || x == NOWHERE || ABS (last - k) >= edits || self->backward[last - k] == NOWHERE ||
              x + self->backward[last - k] < n_a)
            continue;
          *middle = (Box){ box->a0 + (gsize) from, box->a0 + (gsize) x, box->b0 + (gsize) (from - k),
                           box->b0 + (gsize) (x - k) };
          return TRUE;
        }
      for (gssize k = -edits; k <= edits; k += 2)
        {
          gssize from;
          const gssize x = reach (self, box, self->backward, edits, k, TRUE, &from);

          self->backward[k] = x;
          if (is_odd || x == NOWHERE || ABS (last - k) > edits || self->forward[last - k] == NOWHERE ||
              x + self->forward[last - k] < n_a)
            continue;
          *middle = (Box){ box->a1 - (gsize) x, box->a1 - (gsize) from, box->b1 - (gsize) (x - k),
                           box->b1 - (gsize) (from - k) };
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
solve (Search *self,
       Box     box,
       guint64 max_work)
{
  Box middle;

  while (box.a0 < box.a1 && box.b0 < box.b1 && self->a[box.a0] == self->b[box.b0])
    self->partners[box.a0++] = box.b0++;
  while (box.a0 < box.a1 && box.b0 < box.b1 && self->a[box.a1 - 1] == self->b[box.b1 - 1])
    self->partners[--box.a1] = --box.b1;
  if (box.a0 == box.a1 || box.b0 == box.b1)
    return TRUE;
  if (!find_middle (self, &box, max_work, &middle))
    return FALSE;
  for (gsize i = middle.a0; i < middle.a1; i++)
    self->partners[i] = middle.b0 + (i - middle.a0);
  /* Each half has half the edits: what was affordable for the whole is for them. */
  return solve (self, (Box){ box.a0, middle.a0, box.b0, middle.b0 }, G_MAXUINT64 / 2) &&
         solve (self, (Box){ middle.a1, box.a1, middle.b1, box.b1 }, G_MAXUINT64 / 2);
}

/**
 * hl_few_edits_find: (skip)
 * @a: (array length=n_a): one list
 * @n_a: how many, less than 2³²
 * @b: (array length=n_b): another
 * @n_b: how many, less than 2³²
 * @partners: (array length=n_a) (out caller-allocates): of each element of @a that is of a longest common subsequence, its partner
 *   in @b; others are left as they are
 * @cancellable: (nullable): stops it
 *
 * Takes time of the length of both lists times the number of their differences, memory of neither: as much as fits a second or two.
 *
 * Returns: whether it was found; %FALSE if the lists differ so much that it takes longer, or if it was cancelled
 */
gboolean
hl_few_edits_find (const guint32 *a,
                   gsize          n_a,
                   const guint32 *b,
                   gsize          n_b,
                   gsize         *partners,
                   GCancellable  *cancellable)
{
  const gsize n_places = 2 * (gsize) MAX_EDITS + 1;
  g_autofree gssize *forward = g_new (gssize, n_places);
  g_autofree gssize *backward = g_new (gssize, n_places);
  Search self = { .a = a,
                  .b = b,
                  .partners = partners,
                  .forward = forward + MAX_EDITS,
                  .backward = backward + MAX_EDITS,
                  .cancellable = cancellable };

  return solve (&self, (Box){ 0, n_a, 0, n_b }, MAX_WORK);
}
