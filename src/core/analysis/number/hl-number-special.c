/* SPDX-License-Identifier: MIT */
/* The weight on keys that are special tokens, as hl_attention_is_special_token() tells them; Clark et al. 2019, section 3.2. */
#include "core/analysis/number/hl-head-number.h"

#include <glib/gi18n-lib.h>

static double
measure (const HlHeadQuery *query)
{
  double sum = 0;

  for (gsize key = 0; key < query->n_keys; key++)
    sum += query->traits[key] & HL_HEAD_KEY_SPECIAL ? query->weights[key] : 0;
  return sum;
}

const HlHeadNumber hl_head_number_special = {
  .nick = "special",
  .other_nick = "mass-special",
  .label = N_ ("on special tokens"),
  .caption = N_ ("weight on special tokens"),
  .choice = N_ ("Special Tokens"),
  .title = NC_ ("table of heads", "Special"),
  .sentence = N_ ("The mean weight on all special tokens, such as [CLS], <s> and <pad>; parts of images are none"),
  .column_width = 82,
  .is_share = TRUE,
  .needs = HL_HEAD_NUMBER_NEEDS_TOKENS,
  .measure = measure,
};
