/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlLayoutPatterns:
 *
 * Which numbers in the names of a group's members count something, and which are part of the name, as of “gpt2”.
 */
typedef struct _HlLayoutPatterns HlLayoutPatterns;

/**
 * HlLayoutPair:
 * @HL_LAYOUT_PAIR_UNKNOWN: nothing says what is counted
 * @HL_LAYOUT_PAIR_HEADS: the heads of layers
 * @HL_LAYOUT_PAIR_PARTS: layers, and the examples or steps that have them
 *
 * What the two numbers of a name count.
 */
typedef enum {
  HL_LAYOUT_PAIR_UNKNOWN,
  HL_LAYOUT_PAIR_HEADS,
  HL_LAYOUT_PAIR_PARTS,
} HlLayoutPair;

HlLayoutPatterns *hl_layout_patterns_new         (char                  **members);
void              hl_layout_patterns_free        (HlLayoutPatterns       *self);
char             *hl_layout_patterns_get         (const HlLayoutPatterns *self,
                                                  const char             *name);
char             *hl_layout_patterns_get_pair    (const HlLayoutPatterns *self,
                                                  const char             *name);
guint             hl_layout_pattern_match        (const char             *pattern,
                                                  const char             *name,
                                                  guint64                 numbers[2]);
gboolean          hl_layout_pattern_is_pair      (const char             *pattern,
                                                  char                  **members);
gboolean          hl_layout_pattern_are_heads    (const char             *pattern);
HlLayoutPair      hl_layout_pattern_tell_pair    (const char             *pattern,
                                                  gboolean               *swapped);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLayoutPatterns, hl_layout_patterns_free)

G_END_DECLS
