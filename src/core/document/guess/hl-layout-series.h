/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"
#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

/**
 * HlLayoutSeries:
 * @pattern: the names of its members, with `#` in place of the numbers that count
 * @name: its first member
 * @is_pair: whether two numbers count
 * @rating: how likely its name makes it, as hl_layout_names_rate() says
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

GPtrArray *hl_layout_series_list (HlArchive   *archive,
                                  const char  *group,
                                  char       **members);

G_END_DECLS
