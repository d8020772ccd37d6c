/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sets of small numbers as bits in words of 64: what HlHeadSet and HlLayerSet are made of. */

static inline gboolean
hl_bits_contain (const guint64 *bits,
                 guint          index)
{
  return (bits[index / 64] >> (index % 64) & 1) != 0;
}

static inline void
hl_bits_add (guint64 *bits,
             guint    index)
{
  bits[index / 64] |= G_GUINT64_CONSTANT (1) << (index % 64);
}

static inline void
hl_bits_remove (guint64 *bits,
                guint    index)
{
  bits[index / 64] &= ~(G_GUINT64_CONSTANT (1) << (index % 64));
}

static inline guint
hl_bits_count (const guint64 *bits,
               guint          n_words)
{
  guint n = 0;

  for (guint i = 0; i < n_words; i++)
    n += (guint) __builtin_popcountll (bits[i]);
  return n;
}

static inline gboolean
hl_bits_equal (const guint64 *a,
               const guint64 *b,
               guint          n_words)
{
  for (guint i = 0; i < n_words; i++)
    if (a[i] != b[i])
      return FALSE;
  return TRUE;
}

char *hl_bits_format (const guint64 *bits,
                      guint          n);

G_END_DECLS
