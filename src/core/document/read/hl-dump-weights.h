/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/read/hl-dump-context.h"
#include "core/document/read/hl-dump-maps.h"

G_BEGIN_DECLS

/**
 * HL_N_BLOCK_KINDS:
 *
 * How many kinds of attention an example can have.
 */
#define HL_N_BLOCK_KINDS 4

gboolean    hl_dump_open_maps         (const HlDumpContext  *context,
                                       const char           *name,
                                       HlDumpMapsKind        kind,
                                       HlDumpMaps           *maps,
                                       GError              **error);
gboolean    hl_dump_open_weights      (const HlDumpContext  *context,
                                       HlBlockKind           kind,
                                       HlDumpMaps           *weights,
                                       GError              **error);
const char *hl_dump_find_weights      (const HlDumpContext  *context,
                                       HlBlockKind           kind);
void        hl_dump_set_nothing_found (const HlDumpContext  *context,
                                       GError              **error);
gboolean    hl_dump_has_weights       (char                **members);
const char *hl_dump_get_weights_name  (HlBlockKind           kind);

G_END_DECLS
