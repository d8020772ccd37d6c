/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"
#include "core/document/guess/hl-layout-lister.h"

G_BEGIN_DECLS

/**
 * HlLayoutSeries:
 * @pattern: the names of its members, with `#` in place of the numbers that count
 * @name: its first member
 * @is_pair: whether two numbers count
 * @rating: how likely its name makes it, as hl_layout_names_rate() says, or those in it
 * @kind: which attention it is called; %HL_ATTENTION_SELF where its name does not tell
 * @first: the sizes of its first member; none if that is a group
 *
 * Members of a group that may be attention together.
 */
typedef struct
{
  char           *pattern;
  const char     *name;
  gboolean        is_pair;
  int             rating;
  HlAttentionKind kind;
  HlShape         first;
} HlLayoutSeries;

GPtrArray *hl_layout_series_list        (HlArchive            *archive,
                                         const char           *group,
                                         char                **members);
gboolean   hl_layout_series_may_be_less (const HlLayoutSeries *self,
                                         const HlLayoutSeries *taken);
void       hl_layout_series_look_inside (GPtrArray            *series,
                                         HlLayoutLister       *lister,
                                         const char           *group);

G_END_DECLS
