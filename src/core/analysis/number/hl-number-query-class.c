/* SPDX-License-Identifier: MIT */
/*
 * What queries of one class look at, as Clark et al. 2019 draw it by layer: how much [SEP] gives to [SEP] and how much all
 * other tokens do (figure 2), and how broadly [CLS] looks (figure 4). A text without such queries has none of these.
 */
#include "core/analysis/number/hl-head-number.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static gboolean
is_of (const HlHeadQuery *query,
       HlHeadKeyTraits    trait)
{
  return query->position >= 0 && query->position < (gint64) query->n_keys &&
         (query->traits[query->position] & trait) != 0;
}

static double
sum_ends (const HlHeadQuery *query)
{
  double sum = 0;

  for (gsize key = 0; key < query->n_keys; key++)
    sum += query->traits[key] & HL_HEAD_KEY_SEP ? query->weights[key] : 0;
  return sum;
}

static double
measure_sep_to_sep (const HlHeadQuery *query)
{
  return is_of (query, HL_HEAD_KEY_SEP) ? sum_ends (query) : NAN;
}

static double
measure_others_to_sep (const HlHeadQuery *query)
{
  return is_of (query, HL_HEAD_KEY_SEP) ? NAN : sum_ends (query);
}

static double
measure_entropy_cls (const HlHeadQuery *query)
{
  return is_of (query, HL_HEAD_KEY_CLS) ? hl_head_number_entropy.measure (query) : NAN;
}

const HlHeadNumber hl_head_number_sep_to_sep = {
  .nick = "sep-to-sep",
  .label = N_ ("from [SEP] on [SEP]"),
  .caption = N_ ("weight from [SEP] on [SEP]"),
  .choice = N_ ("From [SEP] on [SEP]"),
  .title = NC_ ("table of heads", "[SEP] to [SEP]"),
  .sentence = N_ ("The mean weight that tokens such as [SEP] and </s> have on all such tokens"),
  .column_width = 124,
  .is_share = TRUE,
  .group = HL_HEAD_NUMBER_GROUP_WEIGHTS,
  .needs = HL_HEAD_NUMBER_NEEDS_TOKENS | HL_HEAD_NUMBER_NEEDS_POSITIONS,
  .measure = measure_sep_to_sep,
};

const HlHeadNumber hl_head_number_others_to_sep = {
  .nick = "others-to-sep",
  .label = N_ ("from others on [SEP]"),
  .caption = N_ ("weight from other tokens on [SEP]"),
  .choice = N_ ("From Other Tokens on [SEP]"),
  .title = NC_ ("table of heads", "Others to [SEP]"),
  .sentence = N_ ("The mean weight that all tokens but those such as [SEP] and </s> have on these"),
  .column_width = 132,
  .is_share = TRUE,
  .group = HL_HEAD_NUMBER_GROUP_WEIGHTS,
  .needs = HL_HEAD_NUMBER_NEEDS_TOKENS | HL_HEAD_NUMBER_NEEDS_POSITIONS,
  .measure = measure_others_to_sep,
};

const HlHeadNumber hl_head_number_entropy_cls = {
  .nick = "entropy-cls",
  .label = N_ ("entropy of [CLS]"),
  .caption = N_ ("entropy of what [CLS] looks at"),
  .choice = N_ ("Entropy of [CLS]"),
  .title = NC_ ("table of heads", "Entropy: [CLS]"),
  .sentence = N_ ("How evenly tokens that open a text, such as [CLS] and <s>, spread their weight, in nats"),
  .column_width = 128,
  .group = HL_HEAD_NUMBER_GROUP_WEIGHTS,
  .needs = HL_HEAD_NUMBER_NEEDS_TOKENS | HL_HEAD_NUMBER_NEEDS_POSITIONS,
  .measure = measure_entropy_cls,
};
