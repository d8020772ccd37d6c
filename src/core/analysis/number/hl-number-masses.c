/* SPDX-License-Identifier: MIT */
/*
 * The weight on keys of a class, as Kobayashi et al. 2020 and Clark et al. 2019 part them. Five of the classes share all
 * keys out, so that their masses sum to that of the row; a key is of the first that it fits: like [CLS], like [SEP], a
 * first token that is neither, punctuation, other. Those that the usual numbers tell overlap with them.
 */
#include "core/analysis/number/hl-mass-class.h"

#include <glib/gi18n-lib.h>

static double
sum_weights (const HlHeadMap *map,
             HlMassClass      class)
{
  double sum = 0;

  for (gsize key = 0; key < map->n_keys; key++)
    sum += hl_mass_class_has (class, map, key) ? map->keys[key] : 0;
  return sum / (double) map->n_queries;
}

#define MASS(id, class, spelled, on, figure, chosen, column, tells, width)                                             \
  static double measure_##id (const HlHeadMap *map)                                                                    \
  {                                                                                                                    \
    return sum_weights (map, class);                                                                                   \
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
    .is_share = TRUE,                                                                                                  \
    .group = HL_HEAD_NUMBER_GROUP_WEIGHTS,                                                                             \
    .needs = HL_HEAD_NUMBER_NEEDS_TOKENS,                                                                              \
    .measure_map = measure_##id,                                                                                       \
  };

MASS (mass_cls,
      HL_MASS_CLASS_CLS,
      "mass-cls",
      N_ ("on [CLS] and the like"),
      N_ ("weight on [CLS] and the like"),
      N_ ("[CLS] and the Like"),
      NC_ ("table of heads", "[CLS]"),
      N_ ("The mean weight on tokens that open a text, such as [CLS] and <s>"),
      70)
MASS (mass_sep,
      HL_MASS_CLASS_SEP,
      "mass-sep",
      N_ ("on [SEP] and the like"),
      N_ ("weight on [SEP] and the like"),
      N_ ("[SEP] and the Like"),
      NC_ ("table of heads", "[SEP]"),
      N_ ("The mean weight on tokens that end a text or stand between two, such as [SEP] and </s>"),
      70)
MASS (mass_bare_first,
      HL_MASS_CLASS_BARE_FIRST,
      "mass-bare-first",
      N_ ("on a first token that is a word"),
      N_ ("weight on a first token that is a word"),
      N_ ("First Token That Is a Word"),
      NC_ ("table of heads", "Bare First"),
      N_ ("The mean weight on the first token where it is neither like [CLS] nor like [SEP]"),
      100)
MASS (mass_punctuation,
      HL_MASS_CLASS_PUNCTUATION,
      "mass-punctuation",
      N_ ("on punctuation"),
      N_ ("weight on punctuation"),
      N_ ("Punctuation"),
      NC_ ("table of heads", "Punctuation"),
      N_ ("The mean weight on tokens that are nothing but punctuation, but for the first"),
      112)
MASS (mass_other,
      HL_MASS_CLASS_OTHER,
      "mass-other",
      N_ ("on other tokens"),
      N_ ("weight on other tokens"),
      N_ ("Other Tokens"),
      NC_ ("table of heads", "Other"),
      N_ ("The mean weight on tokens that are none of these: [CLS], [SEP] and the like, the first, punctuation"),
      72)
