/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/read/hl-dump-context.h"

G_BEGIN_DECLS

gboolean hl_dump_sinks_read (const HlDumpContext *context,
                             const HlDumpMaps    *base,
                             gboolean             strict,
                             float              **sinks,
                             GError             **error);

G_END_DECLS
