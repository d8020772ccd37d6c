/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HL_FLOW_UNIT:
 *
 * The capacity that 1 is. Whole numbers, so that flows are exact.
 */
#define HL_FLOW_UNIT (1 << 30)

/**
 * HlMaxFlow:
 * @n: nodes of each level
 * @n_levels: levels of edges; nodes have one level more, of which 0 is that of the sinks
 *
 * Greatest flows from one node of the uppermost level to each node of the lowest, in a network in which every edge leads from one level to
 * the next below it. For one thread; see hl_max_flow_new().
 */
typedef struct
{
  gsize n;
  guint n_levels;

  /*< private >*/
  gsize    n_words;
  gint32  *left;        /* [n_levels, n, n]: what an edge from the level above can still take, by where it comes from */
  gint32  *used;        /* [n_levels, n, n]: what flows along it, by where it goes to */
  guint64 *left_bits;   /* [n_levels, n, n_words]: where @left is above 0 */
  guint64 *used_bits;   /* [n_levels, n, n_words]: likewise */
  guint64 *alive;       /* [n_levels + 1, n_words] */
  guint32 *from;        /* [n_levels + 1, n] */
  guint32 *queue;       /* [(n_levels + 1) · n] */
  guint32 *path;        /* [(n_levels + 1) · n] */
  GArray  *touched;     /* edges that flow runs along */
} HlMaxFlow;

HlMaxFlow *hl_max_flow_new     (const gint32 *capacities,
                                gsize         n,
                                guint         n_levels);
gint64     hl_max_flow_measure (HlMaxFlow    *self,
                                gsize         source,
                                gsize         sink);
void       hl_max_flow_free    (HlMaxFlow    *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlMaxFlow, hl_max_flow_free)

G_END_DECLS
