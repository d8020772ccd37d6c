/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/guess/hl-layout-lister.h"
#include "core/document/guess/hl-layout.h"

G_BEGIN_DECLS

char    **hl_layout_list_beside     (HlArchive            *archive,
                                     const char           *group,
                                     GError              **error);
char    **hl_layout_pick_named      (char                **members);
HlLayout *hl_layout_find            (HlLayoutLister       *lister,
                                     const char           *group,
                                     char                **members,
                                     const char           *outer,
                                     char                **beside,
                                     gint64                element,
                                     const HlLayoutAxes   *axes);
gboolean  hl_layout_check_listed    (const HlLayoutLister *lister,
                                     GError              **error);
HlLayout *hl_layout_new_for_dataset (HlArchive            *archive,
                                     const char           *path,
                                     const HlLayoutAxes   *axes,
                                     char                **group,
                                     GCancellable         *cancellable,
                                     GError              **error);

G_END_DECLS
