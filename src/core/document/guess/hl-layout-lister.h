/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"

G_BEGIN_DECLS

/**
 * HlLayoutLister:
 * @archive: what is looked through
 * @cancellable: (nullable): stops it
 * @n_listed: how many members there were so far
 *
 * Looks into groups for attention, for all examples of a file together: links of a small file can make many large groups
 * of one.
 */
typedef struct
{
  HlArchive    *archive;
  GCancellable *cancellable;
  gsize         n_listed;
} HlLayoutLister;

char **hl_layout_lister_list (HlLayoutLister *self,
                              const char     *group);

G_END_DECLS
