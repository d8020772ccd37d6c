/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/guess/hl-layout-finder.h"

G_BEGIN_DECLS

gboolean hl_layout_finder_add_series    (HlLayoutFinder *self,
                                         HlAttentionKind kind,
                                         const char     *group,
                                         char          **members,
                                         const char     *pattern);
gboolean hl_layout_finder_add_likeliest (HlLayoutFinder *self,
                                         HlAttentionKind kind,
                                         const char     *group,
                                         char          **members,
                                         int             least);

G_END_DECLS
