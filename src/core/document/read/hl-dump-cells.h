/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-cell-mask.h"
#include "core/document/read/base/hl-dump-held.h"

G_BEGIN_DECLS

gboolean hl_dump_read_cells (const HlDumpContext *context,
                             guint                n_layers,
                             gboolean             strict,
                             HlDumpHeld          *held,
                             HlCellMask         **cells,
                             GError             **error);

G_END_DECLS
