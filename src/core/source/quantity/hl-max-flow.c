/* SPDX-License-Identifier: MIT */
/*
 * Greatest flows through levels of nodes, each joined with each of the next. First, paths straight down are filled until none is left; most
 * flows are complete then. What is missing is found by the shortest path that may also undo what flows (Edmonds and Karp 1972). Which edges
 * can take more is kept in bits, so that 64 of them are looked at in a step.
 */
#include "core/source/quantity/hl-max-flow.h"

#include <string.h>

#include "core/base/hl-bits.h"

#define NO_NODE G_MAXUINT32

typedef struct
{
  guint32 level;
  guint32 from;
  guint32 to;
} Edge;

/* Edges of level l lead from nodes of level l + 1 to nodes of level l. */
static gsize
get_edge (const HlMaxFlow *self,
          guint            level,
          gsize            node,
          gsize            other)
{
  return (level * self->n + node) * self->n + other;
}

static guint64 *
get_bits (const HlMaxFlow *self,
          guint64         *bits,
          guint            level,
          gsize            node)
{
  return bits + (level * self->n + node) * self->n_words;
}

/**
 * hl_max_flow_new:
 * @capacities: [n_levels, n, n]: of the edges from each node of level l + 1 to each of level l, those of level 0 first; at least 0, and at most
 *   %HL_FLOW_UNIT
 * @n: nodes of each level
 * @n_levels: how many levels of edges
 *
 * Returns: (nullable): the network, of which nothing flows yet; %NULL without memory
 */
HlMaxFlow *
hl_max_flow_new (const gint32 *capacities,
                 gsize         n,
                 guint         n_levels)
{
  g_autoptr (HlMaxFlow) self = g_new0 (HlMaxFlow, 1);
  const gsize n_edges = n_levels * n * n;

  self->n = n;
  self->n_levels = n_levels;
  self->n_words = (n + 63) / 64;
  self->left = g_try_malloc_n (n_edges, sizeof *self->left);
  self->used = g_try_malloc0_n (n_edges, sizeof *self->used);
  self->left_bits = g_try_malloc0_n (n_levels * n * self->n_words, sizeof (guint64));
  self->used_bits = g_try_malloc0_n (n_levels * n * self->n_words, sizeof (guint64));
  self->touched = g_array_new (FALSE, FALSE, sizeof (Edge));
  if (self->left == NULL || self->used == NULL || self->left_bits == NULL || self->used_bits == NULL)
    return NULL;
  self->alive = g_new (guint64, (n_levels + 1) * self->n_words);
  self->from = g_new (guint32, (n_levels + 1) * n);
  self->queue = g_new (guint32, (n_levels + 1) * n);
  self->path = g_new (guint32, (n_levels + 1) * n);
  memcpy (self->left, capacities, n_edges * sizeof *self->left);
  for (guint level = 0; level < n_levels; level++)
    for (gsize node = 0; node < n; node++)
      for (gsize to = 0; to < n; to++)
        if (self->left[get_edge (self, level, node, to)] > 0)
          hl_bits_add (get_bits (self, self->left_bits, level, node), (guint) to);
  return g_steal_pointer (&self);
}

/* Lets more flow along an edge, or less. */
static void
add_flow (HlMaxFlow *self,
          guint      level,
          gsize      from,
          gsize      to,
          gint32     amount)
{
  gint32 *left = &self->left[get_edge (self, level, from, to)];
  gint32 *used = &self->used[get_edge (self, level, to, from)];

  if (*used == 0)
    {
      const Edge edge = { level, (guint32) from, (guint32) to };
      g_array_append_val (self->touched, edge);
    }
  *left -= amount;
  *used += amount;
  if (*left > 0)
    hl_bits_add (get_bits (self, self->left_bits, level, from), (guint) to);
  else
    hl_bits_remove (get_bits (self, self->left_bits, level, from), (guint) to);
  if (*used > 0)
    hl_bits_add (get_bits (self, self->used_bits, level, to), (guint) from);
  else
    hl_bits_remove (get_bits (self, self->used_bits, level, to), (guint) from);
}

/* As it was before anything flowed. */
static void
drain (HlMaxFlow *self)
{
  for (guint i = 0; i < self->touched->len; i++)
    {
      const Edge *edge = &g_array_index (self->touched, Edge, i);
      const gint32 amount = self->used[get_edge (self, edge->level, edge->to, edge->from)];

      /* An edge that was emptied and used again stands there twice. */
      if (amount == 0)
        continue;
      self->left[get_edge (self, edge->level, edge->from, edge->to)] += amount;
      self->used[get_edge (self, edge->level, edge->to, edge->from)] = 0;
      hl_bits_add (get_bits (self, self->left_bits, edge->level, edge->from), edge->to);
      hl_bits_remove (get_bits (self, self->used_bits, edge->level, edge->to), edge->from);
    }
  g_array_set_size (self->touched, 0);
}

/* A node of the level below that an edge leads to which can take more, and from which the sink may still be reached; straight down if that
 * can be, where edges are widest. */
static guint32
find_below (const HlMaxFlow *self,
            guint            level,
            gsize            node)
{
  const guint64 *edges = self->left_bits + (level * self->n + node) * self->n_words;
  const guint64 *alive = self->alive + level * self->n_words;

  if (edges[node / 64] & alive[node / 64] & (G_GUINT64_CONSTANT (1) << node % 64))
    return (guint32) node;
  for (gsize word = 0; word < self->n_words; word++)
    if (edges[word] & alive[word])
      return (guint32) (word * 64 + (gsize) __builtin_ctzll (edges[word] & alive[word]));
  return NO_NODE;
}

/* Fills paths that lead down from level to level until none is left. */
static gint64
fill_straight (HlMaxFlow *self,
               gsize      source,
               gsize      sink)
{
  const guint top = self->n_levels;
  guint32 *path = self->path; /* by level */
  guint level = top;
  gint64 flow = 0;

  memset (self->alive, 0xff, (top + 1) * self->n_words * sizeof *self->alive);
  memset (self->alive, 0, self->n_words * sizeof *self->alive);
  hl_bits_add (self->alive, (guint) sink);
  path[top] = (guint32) source;
  for (;;)
    {
      if (level > 0)
        {
          const guint32 below = find_below (self, level - 1, path[level]);

          if (below != NO_NODE)
            {
              path[--level] = below;
              continue;
            }
          if (level == top)
            return flow;
          hl_bits_remove (self->alive + level * self->n_words, path[level]);
          level++;
          continue;
        }
      gint32 amount = G_MAXINT32;
      for (guint i = 0; i < top; i++)
        amount = MIN (amount, self->left[get_edge (self, i, path[i + 1], path[i])]);
      flow += amount;
      for (guint i = 0; i < top; i++)
        {
          add_flow (self, i, path[i + 1], path[i], amount);
          /* Up to the uppermost edge that is full now, the path can be used again. */
          if (self->left[get_edge (self, i, path[i + 1], path[i])] == 0)
            level = i + 1;
        }
    }
}

/* Nodes of a level that are new and can be reached from @node. */
static guint
take_reached (HlMaxFlow     *self,
              const guint64 *edges,
              guint          level,
              guint32        node,
              guint          n_queued)
{
  guint64 *unseen = self->alive + level * self->n_words;

  for (gsize word = 0; word < self->n_words; word++)
    {
      guint64 found = edges[word] & unseen[word];

      unseen[word] &= ~found;
      for (; found != 0; found &= found - 1)
        {
          const guint32 other = (guint32) (level * self->n + word * 64 + (gsize) __builtin_ctzll (found));
          self->from[other] = node;
          self->queue[n_queued++] = other;
        }
    }
  return n_queued;
}

/* Finds the shortest path from source to sink along edges that can take more, or back along those that are used. */
static gboolean
find_path (HlMaxFlow *self,
           guint32    source,
           guint32    sink)
{
  guint n_queued = 1;

  /* A last word may have more bits than there are nodes, but no edge leads to those. */
  memset (self->alive, 0xff, (self->n_levels + 1) * self->n_words * sizeof *self->alive);
  hl_bits_remove (self->alive + self->n_levels * self->n_words, source % (guint32) self->n);
  self->queue[0] = source;
  for (guint i = 0; i < n_queued; i++)
    {
      const guint32 node = self->queue[i];
      const guint level = (guint) (node / self->n);
      const gsize index = node % self->n;

      if (node == sink)
        return TRUE;
      if (level > 0)
        n_queued = take_reached (self, get_bits (self, self->left_bits, level - 1, index), level - 1, node, n_queued);
      if (level < self->n_levels)
        n_queued = take_reached (self, get_bits (self, self->used_bits, level, index), level + 1, node, n_queued);
    }
  return FALSE;
}

/* Lets as much flow along the path that was found as it takes. */
static gint64
fill_path (HlMaxFlow *self,
           guint32    source,
           guint32    sink)
{
  gint32 amount = G_MAXINT32;

  for (guint32 node = sink; node != source; node = self->from[node])
    {
      const guint32 before = self->from[node];
      const gsize a = before % self->n, b = node % self->n;
      const guint level = (guint) (MIN (before, node) / self->n);

      /* Down, or up along what flows from there. */
      amount = MIN (amount, before > node ? self->left[get_edge (self, level, a, b)]
                                          : self->used[get_edge (self, level, a, b)]);
    }
  for (guint32 node = sink; node != source; node = self->from[node])
    {
      const guint32 before = self->from[node];
      const gsize a = before % self->n, b = node % self->n;
      const guint level = (guint) (MIN (before, node) / self->n);

      if (before > node)
        add_flow (self, level, a, b, amount);
      else
        add_flow (self, level, b, a, -amount);
    }
  return amount;
}

/* What can leave the source, or arrive at the sink, at most. */
static gint64
get_bound (const HlMaxFlow *self,
           gsize            source,
           gsize            sink)
{
  gint64 out = 0, in = 0;

  for (gsize node = 0; node < self->n; node++)
    {
      out += self->left[get_edge (self, self->n_levels - 1, source, node)];
      in += self->left[get_edge (self, 0, node, sink)];
    }
  return MIN (out, in);
}

/**
 * hl_max_flow_measure:
 * @self: a network
 * @source: a node of the uppermost level
 * @sink: a node of level 0
 *
 * Returns: the greatest flow from one to the other, in %HL_FLOW_UNIT
 */
gint64
hl_max_flow_measure (HlMaxFlow *self,
                     gsize      source,
                     gsize      sink)
{
  g_return_val_if_fail (source < self->n && sink < self->n, 0);

  const gint64 bound = get_bound (self, source, sink);
  const guint32 first = (guint32) (self->n_levels * self->n + source), last = (guint32) sink;
  gint64 flow = fill_straight (self, source, sink);

  while (flow < bound && find_path (self, first, last))
    flow += fill_path (self, first, last);
  drain (self);
  return flow;
}

void
hl_max_flow_free (HlMaxFlow *self)
{
  g_free (self->left);
  g_free (self->used);
  g_free (self->left_bits);
  g_free (self->used_bits);
  g_free (self->alive);
  g_free (self->from);
  g_free (self->queue);
  g_free (self->path);
  g_array_unref (self->touched);
  g_free (self);
}
