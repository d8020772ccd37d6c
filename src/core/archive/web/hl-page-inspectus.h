/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/json/hl-json-array.h"
#include "core/archive/web/hl-page-example.h"

G_BEGIN_DECLS

gboolean hl_page_read_inspectus (const HlArchiveNode  *params,
                                 HlJsonBudget         *budget,
                                 GPtrArray            *examples,
                                 GError              **error);

G_END_DECLS
