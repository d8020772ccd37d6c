/* SPDX-License-Identifier: MIT */
/* What heads are called whose numbers are clear. */
#pragma once

#include "core/analysis/hl-head-numbers.h"

G_BEGIN_DECLS

/**
 * HL_HEAD_NAME_LEAST_KEYS:
 *
 * Of how many keys a map must be at least for its heads to have names: of fewer even weights are large, as with the rule of patterns.
 */
#define HL_HEAD_NAME_LEAST_KEYS 8

/**
 * HlHeadName:
 * @nick: in tables that programs read: "previous-token"
 * @label: for people, to be translated: "previous token"
 * @sentence: what such a head does, likewise, as the end of a sentence that begins with the head: "attends to the previous token"
 * @stat: the number that tells it
 * @bound: from which value of the number on a head is called so
 * @rank: names of a higher one are for heads that none of a lower fits
 *
 * A name for heads. The number always stands beside the name: a bound is a habit, not a fact.
 */
typedef struct
{
  const char *nick;
  const char *label;
  const char *sentence;
  HlHeadStat  stat;
  double      bound;
  guint       rank;
} HlHeadName;

const HlHeadName *hl_head_name_get_all     (guint               *n);
HlHeadNumberSet   hl_head_name_get_numbers (void);
const HlHeadName *hl_head_name_find_by_stats (const HlHeadStats *stats,
                                            gsize                n_keys,
                                            double              *value);
const HlHeadName *hl_head_name_find        (const HlHeadNumbers *numbers,
                                            guint                index,
                                            double              *value);
char             *hl_head_name_dup_text    (const HlHeadName    *self,
                                            double               value);

G_END_DECLS
