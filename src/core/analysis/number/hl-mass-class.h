/* SPDX-License-Identifier: MIT */
/* Classes of keys whose masses are numbers. */
#pragma once

#include "core/analysis/number/hl-head-number.h"

G_BEGIN_DECLS

/**
 * HlMassClass:
 * @HL_MASS_CLASS_CLS: tokens that open a text
 * @HL_MASS_CLASS_SEP: tokens that end one or stand between two
 * @HL_MASS_CLASS_BARE_FIRST: the first token where it is neither
 * @HL_MASS_CLASS_PUNCTUATION: punctuation, but for the first token
 * @HL_MASS_CLASS_OTHER: none of these
 * @HL_MASS_CLASS_FIRST: the first token, whatever it is
 * @HL_MASS_CLASS_SPECIAL: special tokens, of whatever class else
 *
 * The first five share out all keys.
 */
typedef enum {
  HL_MASS_CLASS_CLS,
  HL_MASS_CLASS_SEP,
  HL_MASS_CLASS_BARE_FIRST,
  HL_MASS_CLASS_PUNCTUATION,
  HL_MASS_CLASS_OTHER,
  HL_MASS_CLASS_FIRST,
  HL_MASS_CLASS_SPECIAL,
} HlMassClass;

gboolean hl_mass_class_has (HlMassClass      self,
                            const HlHeadMap *map,
                            gsize            key);

G_END_DECLS
