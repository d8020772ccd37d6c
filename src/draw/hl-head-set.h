/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/hl-block.h"

G_BEGIN_DECLS

/**
 * HlHeadSet:
 *
 * Which heads of a layer are shown. A value: copy it by assignment.
 */
typedef struct
{
  guint64 bits[HL_MAX_HEADS / 64];
} HlHeadSet;

static inline gboolean
hl_head_set_contains (const HlHeadSet *set,
                      guint            head)
{
  return head < HL_MAX_HEADS && (set->bits[head / 64] >> (head % 64) & 1) != 0;
}

static inline void
hl_head_set_add (HlHeadSet *set,
                 guint      head)
{
  g_return_if_fail (head < HL_MAX_HEADS);
  set->bits[head / 64] |= G_GUINT64_CONSTANT (1) << (head % 64);
}

static inline void
hl_head_set_remove (HlHeadSet *set,
                    guint      head)
{
  g_return_if_fail (head < HL_MAX_HEADS);
  set->bits[head / 64] &= ~(G_GUINT64_CONSTANT (1) << (head % 64));
}

static inline guint
hl_head_set_count (const HlHeadSet *set)
{
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (set->bits); i++)
    n += (guint) __builtin_popcountll (set->bits[i]);
  return n;
}

static inline void
hl_head_set_truncate (HlHeadSet *set,
                      guint      n_heads)
{
  for (guint head = n_heads; head < HL_MAX_HEADS; head++)
    hl_head_set_remove (set, head);
}

static inline gboolean
hl_head_set_equal (const HlHeadSet *a,
                   const HlHeadSet *b)
{
  for (guint i = 0; i < G_N_ELEMENTS (a->bits); i++)
    if (a->bits[i] != b->bits[i])
      return FALSE;
  return TRUE;
}

G_END_DECLS
