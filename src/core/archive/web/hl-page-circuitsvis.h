/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/web/hl-page-example.h"

G_BEGIN_DECLS

gboolean hl_page_read_circuitsvis (const HlArchiveNode  *params,
                                   GPtrArray            *examples,
                                   GError              **error);

G_END_DECLS
