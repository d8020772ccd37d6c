/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/read/base/hl-dump-context.h"
#include "core/document/tokens/hl-token-times.h"

G_BEGIN_DECLS

HlTokenTimes *hl_dump_read_times (const HlDumpContext *context, const char *tokens_name, GError **error);

G_END_DECLS
