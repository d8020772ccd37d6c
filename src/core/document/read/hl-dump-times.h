/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/read/hl-dump-context.h"

G_BEGIN_DECLS

char **hl_dump_read_times (const HlDumpContext *context,
                           const char          *tokens_name);

G_END_DECLS
