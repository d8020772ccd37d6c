/* SPDX-License-Identifier: MIT */
/* Which number is which. */
#include "core/analysis/number/hl-head-number.h"

#define ROW(NAME, nick) &hl_head_number_##nick,

const HlHeadNumber *
hl_head_number_get (HlHeadStat stat)
{
  static const HlHeadNumber *const numbers[] = { HL_HEAD_NUMBERS (ROW) };

  g_return_val_if_fail (stat < HL_N_HEAD_STATS, NULL);

  return numbers[stat];
}
