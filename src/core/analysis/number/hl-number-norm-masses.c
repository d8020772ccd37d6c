/* SPDX-License-Identifier: MIT */
/*
 * Masses by class of key of ‖A[i,j] · f(x_j)‖, f(x) being the value after the output projection: Kobayashi et al. 2020. A
 * token that gets much weight and brings little has a large mass of weights and a small one of these. Shares are of the
 * sum over all keys, summed over queries before they are divided.
 */
#include "core/analysis/number/hl-mass-class.h"

#include <glib/gi18n-lib.h>

static double
get_norm (const HlHeadMap *map,
          gsize            key)
{
  return map->keys[key] * map->norms[key];
}

static double
sum_norms (const HlHeadMap *map,
           HlMassClass      class)
{
  double sum = 0;

  for (gsize key = 0; key < map->n_keys; key++)
    sum += hl_mass_class_has (class, map, key) ? get_norm (map, key) : 0;
  return sum;
}

static double
sum_diagonal (const HlHeadMap *map,
              int              offset)
{
  return map->norm_diagonals[HL_HEAD_MAP_REACH + offset];
}

static double
get_mean (const HlHeadMap *map,
          double           sum)
{
  return sum / (double) map->n_queries;
}

/* Not defined where nothing brings anything: 0 / 0. */
static double
get_share (const HlHeadMap *map,
           double           sum)
{
  double all = 0;

  for (gsize key = 0; key < map->n_keys; key++)
    all += get_norm (map, key);
  return sum / all;
}

#define NUMBER(id, part, sum, whole, share, also, spelled, on, chosen, column, tells, width)                           \
  static double measure_##id (const HlHeadMap *map)                                                                    \
  {                                                                                                                    \
    return part (map, sum (map, whole));                                                                               \
  }                                                                                                                    \
                                                                                                                       \
  const HlHeadNumber hl_head_number_##id = {                                                                           \
    .nick = spelled,                                                                                                   \
    .label = on,                                                                                                       \
    .caption = on,                                                                                                     \
    .choice = chosen,                                                                                                  \
    .title = column,                                                                                                   \
    .sentence = tells,                                                                                                 \
    .column_width = width,                                                                                             \
    .is_share = share,                                                                                                 \
    .group = HL_HEAD_NUMBER_GROUP_NORMS,                                                                               \
    .of_weights = TRUE,                                                                                                \
    .needs = HL_HEAD_NUMBER_NEEDS_NORMS | (also),                                                                      \
    .measure_map = measure_##id,                                                                                       \
  };

NUMBER (norm_mass_first,
        get_mean,
        sum_norms,
        HL_MASS_CLASS_FIRST,
        FALSE,
        0,
        "norm-mass-first",
        N_ ("norm on the first token"),
        N_ ("Norm on First Token"),
        NC_ ("table of heads", "Norm: First"),
        N_ ("The mean of weight × ‖f(x)‖, the length of what keys bring, on the first token"),
        116)
NUMBER (norm_mass_special,
        get_mean,
        sum_norms,
        HL_MASS_CLASS_SPECIAL,
        FALSE,
        HL_HEAD_NUMBER_NEEDS_TOKENS,
        "norm-mass-special",
        N_ ("norm on special tokens"),
        N_ ("Norm on Special Tokens"),
        NC_ ("table of heads", "Norm: Special"),
        N_ ("The mean of weight × ‖f(x)‖, the length of what keys bring, on all special tokens"),
        132)
NUMBER (
  norm_mass_cls,
  get_mean,
  sum_norms,
  HL_MASS_CLASS_CLS,
  FALSE,
  HL_HEAD_NUMBER_NEEDS_TOKENS,
  "norm-mass-cls",
  N_ ("norm on [CLS] and the like"),
  N_ ("Norm on [CLS] and the Like"),
  NC_ ("table of heads", "Norm: [CLS]"),
  N_ ("The mean of weight × ‖f(x)‖, the length of what keys bring, on tokens that open a text, such as [CLS] and <s>"),
  116)
NUMBER (norm_mass_sep,
        get_mean,
        sum_norms,
        HL_MASS_CLASS_SEP,
        FALSE,
        HL_HEAD_NUMBER_NEEDS_TOKENS,
        "norm-mass-sep",
        N_ ("norm on [SEP] and the like"),
        N_ ("Norm on [SEP] and the Like"),
        NC_ ("table of heads", "Norm: [SEP]"),
        N_ ("The mean of weight × ‖f(x)‖, the length of what keys bring, on tokens that end a text or stand between "
            "two, such as [SEP] and </s>"),
        116)
NUMBER (norm_mass_bare_first,
        get_mean,
        sum_norms,
        HL_MASS_CLASS_BARE_FIRST,
        FALSE,
        HL_HEAD_NUMBER_NEEDS_TOKENS,
        "norm-mass-bare-first",
        N_ ("norm on a first token that is a word"),
        N_ ("Norm on First Token That Is a Word"),
        NC_ ("table of heads", "Norm: Bare First"),
        N_ ("The mean of weight × ‖f(x)‖, the length of what keys bring, on the first token where it is neither like "
            "[CLS] nor like [SEP]"),
        156)
NUMBER (norm_mass_punctuation,
        get_mean,
        sum_norms,
        HL_MASS_CLASS_PUNCTUATION,
        FALSE,
        HL_HEAD_NUMBER_NEEDS_TOKENS,
        "norm-mass-punctuation",
        N_ ("norm on punctuation"),
        N_ ("Norm on Punctuation"),
        NC_ ("table of heads", "Norm: Punctuation"),
        N_ ("The mean of weight × ‖f(x)‖, the length of what keys bring, on punctuation, but for the first token"),
        164)
NUMBER (norm_mass_other,
        get_mean,
        sum_norms,
        HL_MASS_CLASS_OTHER,
        FALSE,
        HL_HEAD_NUMBER_NEEDS_TOKENS,
        "norm-mass-other",
        N_ ("norm on other tokens"),
        N_ ("Norm on Other Tokens"),
        NC_ ("table of heads", "Norm: Other"),
        N_ ("The mean of weight × ‖f(x)‖, the length of what keys bring, on tokens that are none of these: [CLS], "
            "[SEP] and the like, the first, punctuation"),
        116)
NUMBER (norm_mass_previous,
        get_mean,
        sum_diagonal,
        -1,
        FALSE,
        HL_HEAD_NUMBER_NEEDS_POSITIONS,
        "norm-mass-previous",
        N_ ("norm on the previous token"),
        N_ ("Norm on Previous Token"),
        NC_ ("table of heads", "Norm: Previous"),
        N_ ("The mean of weight × ‖f(x)‖, the length of what keys bring, on the token before a query"),
        140)
NUMBER (norm_mass_self,
        get_mean,
        sum_diagonal,
        0,
        FALSE,
        HL_HEAD_NUMBER_NEEDS_POSITIONS,
        "norm-mass-self",
        N_ ("norm on itself"),
        N_ ("Norm on Itself"),
        NC_ ("table of heads", "Norm: Self"),
        N_ ("The mean of weight × ‖f(x)‖, the length of what keys bring, on the query itself"),
        108)
NUMBER (norm_mass_next,
        get_mean,
        sum_diagonal,
        1,
        FALSE,
        HL_HEAD_NUMBER_NEEDS_POSITIONS,
        "norm-mass-next",
        N_ ("norm on the next token"),
        N_ ("Norm on Next Token"),
        NC_ ("table of heads", "Norm: Next"),
        N_ ("The mean of weight × ‖f(x)‖, the length of what keys bring, on the token behind a query"),
        108)
NUMBER (norm_share_first,
        get_share,
        sum_norms,
        HL_MASS_CLASS_FIRST,
        TRUE,
        0,
        "norm-share-first",
        N_ ("share of the norm on the first token"),
        N_ ("Share of the Norm on First Token"),
        NC_ ("table of heads", "Share: First"),
        N_ ("The part of all weight × ‖f(x)‖, the length of what keys bring, on the first token"),
        124)
NUMBER (norm_share_special,
        get_share,
        sum_norms,
        HL_MASS_CLASS_SPECIAL,
        TRUE,
        HL_HEAD_NUMBER_NEEDS_TOKENS,
        "norm-share-special",
        N_ ("share of the norm on special tokens"),
        N_ ("Share of the Norm on Special Tokens"),
        NC_ ("table of heads", "Share: Special"),
        N_ ("The part of all weight × ‖f(x)‖, the length of what keys bring, on all special tokens"),
        140)
NUMBER (norm_share_cls,
        get_share,
        sum_norms,
        HL_MASS_CLASS_CLS,
        TRUE,
        HL_HEAD_NUMBER_NEEDS_TOKENS,
        "norm-share-cls",
        N_ ("share of the norm on [CLS] and the like"),
        N_ ("Share of the Norm on [CLS] and the Like"),
        NC_ ("table of heads", "Share: [CLS]"),
        N_ ("The part of all weight × ‖f(x)‖, the length of what keys bring, on tokens that open a text, such as [CLS] "
            "and <s>"),
        124)
NUMBER (norm_share_sep,
        get_share,
        sum_norms,
        HL_MASS_CLASS_SEP,
        TRUE,
        HL_HEAD_NUMBER_NEEDS_TOKENS,
        "norm-share-sep",
        N_ ("share of the norm on [SEP] and the like"),
        N_ ("Share of the Norm on [SEP] and the Like"),
        NC_ ("table of heads", "Share: [SEP]"),
        N_ ("The part of all weight × ‖f(x)‖, the length of what keys bring, on tokens that end a text or stand "
            "between two, such as [SEP] and </s>"),
        124)
NUMBER (norm_share_bare_first,
        get_share,
        sum_norms,
        HL_MASS_CLASS_BARE_FIRST,
        TRUE,
        HL_HEAD_NUMBER_NEEDS_TOKENS,
        "norm-share-bare-first",
        N_ ("share of the norm on a first token that is a word"),
        N_ ("Share of the Norm on First Token That Is a Word"),
        NC_ ("table of heads", "Share: Bare First"),
        N_ ("The part of all weight × ‖f(x)‖, the length of what keys bring, on the first token where it is neither "
            "like [CLS] nor like [SEP]"),
        164)
NUMBER (norm_share_punctuation,
        get_share,
        sum_norms,
        HL_MASS_CLASS_PUNCTUATION,
        TRUE,
        HL_HEAD_NUMBER_NEEDS_TOKENS,
        "norm-share-punctuation",
        N_ ("share of the norm on punctuation"),
        N_ ("Share of the Norm on Punctuation"),
        NC_ ("table of heads", "Share: Punctuation"),
        N_ ("The part of all weight × ‖f(x)‖, the length of what keys bring, on punctuation, but for the first token"),
        172)
NUMBER (norm_share_other,
        get_share,
        sum_norms,
        HL_MASS_CLASS_OTHER,
        TRUE,
        HL_HEAD_NUMBER_NEEDS_TOKENS,
        "norm-share-other",
        N_ ("share of the norm on other tokens"),
        N_ ("Share of the Norm on Other Tokens"),
        NC_ ("table of heads", "Share: Other"),
        N_ ("The part of all weight × ‖f(x)‖, the length of what keys bring, on tokens that are none of these: [CLS], "
            "[SEP] and the like, the first, punctuation"),
        124)
NUMBER (norm_share_previous,
        get_share,
        sum_diagonal,
        -1,
        TRUE,
        HL_HEAD_NUMBER_NEEDS_POSITIONS,
        "norm-share-previous",
        N_ ("share of the norm on the previous token"),
        N_ ("Share of the Norm on Previous Token"),
        NC_ ("table of heads", "Share: Previous"),
        N_ ("The part of all weight × ‖f(x)‖, the length of what keys bring, on the token before a query"),
        148)
NUMBER (norm_share_self,
        get_share,
        sum_diagonal,
        0,
        TRUE,
        HL_HEAD_NUMBER_NEEDS_POSITIONS,
        "norm-share-self",
        N_ ("share of the norm on itself"),
        N_ ("Share of the Norm on Itself"),
        NC_ ("table of heads", "Share: Self"),
        N_ ("The part of all weight × ‖f(x)‖, the length of what keys bring, on the query itself"),
        116)
NUMBER (norm_share_next,
        get_share,
        sum_diagonal,
        1,
        TRUE,
        HL_HEAD_NUMBER_NEEDS_POSITIONS,
        "norm-share-next",
        N_ ("share of the norm on the next token"),
        N_ ("Share of the Norm on Next Token"),
        NC_ ("table of heads", "Share: Next"),
        N_ ("The part of all weight × ‖f(x)‖, the length of what keys bring, on the token behind a query"),
        116)
