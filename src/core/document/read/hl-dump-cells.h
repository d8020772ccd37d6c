/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-cell-mask.h"
#include "core/document/read/base/hl-dump-attributes.h"
#include "core/document/read/base/hl-dump-held.h"
#include "core/document/tokens/hl-token-map.h"

G_BEGIN_DECLS

gboolean hl_dump_read_keys  (const HlDumpContext *context,
                             const HlDumpRule    *rule,
                             HlAttentionKind      kind,
                             const HlDumpMaps    *base,
                             gboolean             strict,
                             HlDumpHeld          *held,
                             guint8             **keys,
                             GError             **error);
gboolean hl_dump_read_text_span (const HlDumpContext *context,
                                 const HlDumpMaps    *base,
                                 gboolean             strict,
                                 const HlDumpHeld    *held,
                                 HlTokenSpan         *text,
                                 GError             **error);
gboolean hl_dump_read_cells (const HlDumpContext *context,
                             const HlDumpRule    *rule,
                             const HlDumpMaps    *base,
                             gboolean             strict,
                             const guint8        *keys,
                             HlDumpHeld          *held,
                             HlCellMask         **cells,
                             GError             **error);

G_END_DECLS
