/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-limits.h"
#include "core/base/hl-bits.h"
#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

/* A set of numbers below a maximum, and what is done with it. */
#define HL_DEFINE_SET(Set, set_name, maximum)                                                                          \
  typedef struct                                                                                                       \
  {                                                                                                                    \
    guint64 bits[(maximum) / 64];                                                                                      \
  } Set;                                                                                                               \
                                                                                                                       \
  static inline gboolean set_name##_contains (const Set *set, guint index)                                             \
  {                                                                                                                    \
    return index < (maximum) && hl_bits_contain (set->bits, index);                                                    \
  }                                                                                                                    \
                                                                                                                       \
  static inline void set_name##_add (Set *set, guint index)                                                            \
  {                                                                                                                    \
    g_return_if_fail (index < (maximum));                                                                              \
    hl_bits_add (set->bits, index);                                                                                    \
  }                                                                                                                    \
                                                                                                                       \
  static inline void set_name##_remove (Set *set, guint index)                                                         \
  {                                                                                                                    \
    g_return_if_fail (index < (maximum));                                                                              \
    hl_bits_remove (set->bits, index);                                                                                 \
  }                                                                                                                    \
                                                                                                                       \
  static inline guint set_name##_count (const Set *set)                                                                \
  {                                                                                                                    \
    return hl_bits_count (set->bits, G_N_ELEMENTS (set->bits));                                                        \
  }                                                                                                                    \
                                                                                                                       \
  static inline gboolean set_name##_has_below (const Set *set, guint n)                                                \
  {                                                                                                                    \
    guint index = 0;                                                                                                   \
                                                                                                                       \
    while (index < n && !set_name##_contains (set, index))                                                             \
      index++;                                                                                                         \
    return index < n;                                                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  static inline void set_name##_truncate (Set *set, guint n)                                                           \
  {                                                                                                                    \
    for (guint index = n; index < (maximum); index++)                                                                  \
      set_name##_remove (set, index);                                                                                  \
  }                                                                                                                    \
                                                                                                                       \
  static inline gboolean set_name##_equal (const Set *a, const Set *b)                                                 \
  {                                                                                                                    \
    return hl_bits_equal (a->bits, b->bits, G_N_ELEMENTS (a->bits));                                                   \
  }

/**
 * HlHeadSet:
 *
 * Some heads of a layer. A value: copy it by assignment.
 */
HL_DEFINE_SET (HlHeadSet, hl_head_set, HL_LIMIT_HEADS)

/**
 * HlLayerSet:
 *
 * Some layers of an attention. A value: copy it by assignment.
 */
HL_DEFINE_SET (HlLayerSet, hl_layer_set, HL_LIMIT_LAYERS)

#undef HL_DEFINE_SET

G_END_DECLS
