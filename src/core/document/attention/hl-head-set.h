/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-bits.h"
#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

/**
 * HlHeadSet:
 *
 * Some heads of a layer. A value: copy it by assignment.
 */
typedef struct
{
  guint64 bits[HL_MAX_HEADS / 64];
} HlHeadSet;

static inline gboolean
hl_head_set_contains (const HlHeadSet *set,
                      guint            head)
{
  return head < HL_MAX_HEADS && hl_bits_contain (set->bits, head);
}

static inline void
hl_head_set_add (HlHeadSet *set,
                 guint      head)
{
  g_return_if_fail (head < HL_MAX_HEADS);
  hl_bits_add (set->bits, head);
}

static inline void
hl_head_set_remove (HlHeadSet *set,
                    guint      head)
{
  g_return_if_fail (head < HL_MAX_HEADS);
  hl_bits_remove (set->bits, head);
}

static inline guint
hl_head_set_count (const HlHeadSet *set)
{
  return hl_bits_count (set->bits, G_N_ELEMENTS (set->bits));
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
  return hl_bits_equal (a->bits, b->bits, G_N_ELEMENTS (a->bits));
}

G_END_DECLS
