/* SPDX-License-Identifier: MIT */
/* What lies in groups in which attention is looked for, so much of it as a file may make one read. */
#include "core/document/guess/hl-layout-lister.h"

#include "core/base/hl-limits.h"

/* Returns names, or %NULL where there are none, where it was stopped, and where there were too many. */
char **
hl_layout_lister_list (HlLayoutLister *self,
                       const char     *group)
{
  if (self->n_listed > HL_LIMIT_LISTED_MEMBERS || g_cancellable_is_cancelled (self->cancellable))
    return NULL;
  char **members = hl_archive_list (self->archive, group, NULL);
  self->n_listed += 1 + (members != NULL ? g_strv_length (members) : 0);
  return members;
}
