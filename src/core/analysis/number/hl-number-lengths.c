/* SPDX-License-Identifier: MIT */
/*
 * ‖f(x)‖ by class of token, the length of what a token brings to whoever looks at it with all its weight: Kobayashi et al.
 * 2020. A mean over tokens, so that it stands between masses of weights and masses of weights times these.
 */
#include "core/analysis/number/hl-mass-class.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static double
find_mean (const HlHeadMap *map,
           HlMassClass      class)
{
  double sum = 0;
  gsize n = 0;

  for (gsize key = map->first_key; key < map->n_used; key++)
    if (hl_mass_class_has (class, map, key))
      {
        sum += map->norms[key];
        n++;
      }
  return n > 0 ? sum / (double) n : NAN;
}

#define LENGTH(id, class, also, spelled, on, figure, chosen, column, tells, width)                                     \
  static double measure_##id (const HlHeadMap *map)                                                                    \
  {                                                                                                                    \
    return find_mean (map, class);                                                                                     \
  }                                                                                                                    \
                                                                                                                       \
  const HlHeadNumber hl_head_number_##id = {                                                                           \
    .nick = spelled,                                                                                                   \
    .label = on,                                                                                                       \
    .caption = figure,                                                                                                 \
    .choice = chosen,                                                                                                  \
    .title = column,                                                                                                   \
    .sentence = tells,                                                                                                 \
    .column_width = width,                                                                                             \
    .group = HL_HEAD_NUMBER_GROUP_NORMS,                                                                               \
    .of_weights = TRUE,                                                                                                \
    .is_of_keys = TRUE,                                                                                                \
    .needs = HL_HEAD_NUMBER_NEEDS_NORMS | (also),                                                                      \
    .measure_map = measure_##id,                                                                                       \
  };

LENGTH (length_first,
        HL_MASS_CLASS_FIRST,
        0,
        "length-first",
        N_ ("length of the first token"),
        N_ ("‖f(x)‖ of the first token"),
        N_ ("Length of First Token"),
        NC_ ("table of heads", "Length: First"),
        N_ ("‖f(x)‖, the length of what the first token brings"),
        124)
LENGTH (length_special,
        HL_MASS_CLASS_SPECIAL,
        HL_HEAD_NUMBER_NEEDS_TOKENS,
        "length-special",
        N_ ("length of special tokens"),
        N_ ("‖f(x)‖ of special tokens"),
        N_ ("Length of Special Tokens"),
        NC_ ("table of heads", "Length: Special"),
        N_ ("The mean of ‖f(x)‖, the length of what keys bring, over all special tokens"),
        140)
LENGTH (length_cls,
        HL_MASS_CLASS_CLS,
        HL_HEAD_NUMBER_NEEDS_TOKENS,
        "length-cls",
        N_ ("length of [CLS] and the like"),
        N_ ("‖f(x)‖ of [CLS] and the like"),
        N_ ("Length of [CLS] and the Like"),
        NC_ ("table of heads", "Length: [CLS]"),
        N_ ("The mean of ‖f(x)‖, the length of what keys bring, over tokens that open a text, such as [CLS] and <s>"),
        124)
LENGTH (length_sep,
        HL_MASS_CLASS_SEP,
        HL_HEAD_NUMBER_NEEDS_TOKENS,
        "length-sep",
        N_ ("length of [SEP] and the like"),
        N_ ("‖f(x)‖ of [SEP] and the like"),
        N_ ("Length of [SEP] and the Like"),
        NC_ ("table of heads", "Length: [SEP]"),
        N_ ("The mean of ‖f(x)‖, the length of what keys bring, over tokens that end a text or stand between two, such "
            "as [SEP] and </s>"),
        124)
LENGTH (length_punctuation,
        HL_MASS_CLASS_PUNCTUATION,
        HL_HEAD_NUMBER_NEEDS_TOKENS,
        "length-punctuation",
        N_ ("length of punctuation"),
        N_ ("‖f(x)‖ of punctuation"),
        N_ ("Length of Punctuation"),
        NC_ ("table of heads", "Length: Punctuation"),
        N_ ("The mean of ‖f(x)‖, the length of what keys bring, over punctuation, but for the first token"),
        172)
LENGTH (length_other,
        HL_MASS_CLASS_OTHER,
        HL_HEAD_NUMBER_NEEDS_TOKENS,
        "length-other",
        N_ ("length of other tokens"),
        N_ ("‖f(x)‖ of other tokens"),
        N_ ("Length of Other Tokens"),
        NC_ ("table of heads", "Length: Other"),
        N_ ("The mean of ‖f(x)‖, the length of what keys bring, over tokens that are none of these: [CLS], [SEP] and "
            "the like, the first, punctuation"),
        124)
