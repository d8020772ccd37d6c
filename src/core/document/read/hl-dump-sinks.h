/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/read/hl-dump-context.h"
#include "core/document/read/hl-dump-maps.h"

G_BEGIN_DECLS

guint64  hl_dump_sinks_count_heads (const HlDumpMaps *base);
gboolean hl_dump_sinks_read (const HlDumpContext *context,
                             const HlDumpMaps    *base,
                             gboolean             strict,
                             float              **sinks,
                             GError             **error);

G_END_DECLS
