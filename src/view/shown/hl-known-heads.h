/* SPDX-License-Identifier: MIT */
/* What is known of the heads that are looked at, and what more is asked: for which words, and compared with what. */
#pragma once

#include "core/analysis/hl-head-name.h"
#include "core/analysis/hl-head-numbers.h"
#include "view/shown/hl-shown.h"

G_BEGIN_DECLS

/* What one head is called, told by who read that head alone. */
typedef struct
{
  HlAttention      *attention; /* NULL for none */
  HlRange           queries;   /* the number is of these */
  guint             layer;
  guint             head;
  const HlHeadName *name;
  double            value;
} HlToldName;

/* Zeros for nothing. */
typedef struct
{
  HlComparison  *compared;    /* what changes of heads are told of; may be NULL */
  char          *pairs;       /* the words that are looked for; may be NULL */
  HlTokenPairs  *found_pairs; /* the same as the attention has them; NULL where it does not have all the words */
  HlHeadNumbers *numbers;     /* what is known; may be NULL */
  HlToldName     told;        /* before the numbers are known */
} HlKnownHeads;

void     hl_known_heads_clear         (HlKnownHeads  *self);
void     hl_known_heads_find_pairs    (HlKnownHeads  *self,
                                       HlAttention   *attention);
gboolean hl_known_heads_set_pairs     (HlKnownHeads  *self,
                                       HlAttention   *attention,
                                       const char    *pairs);
gboolean hl_known_heads_set_numbers   (HlKnownHeads  *self,
                                       HlHeadNumbers *numbers);
gboolean hl_known_heads_forget_maps  (HlKnownHeads  *self);
gboolean hl_known_heads_drop_outdated (HlKnownHeads  *self,
                                       HlAttention   *attention,
                                       HlRange        queries);

G_END_DECLS
