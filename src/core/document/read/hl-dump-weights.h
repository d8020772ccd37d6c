/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/read/hl-dump-context.h"
#include "core/document/read/hl-dump-maps.h"

G_BEGIN_DECLS

/**
 * HL_N_ATTENTION_KINDS:
 *
 * How many kinds of attention an example can have.
 */
#define HL_N_ATTENTION_KINDS 4

gboolean    hl_dump_open_maps         (const HlDumpContext *context,
                                       const char          *name,
                                       HlDumpMapsKind       kind,
                                       HlDumpMaps          *maps,
                                       GError             **error);
gboolean    hl_dump_open_weights      (const HlDumpContext *context,
                                       HlAttentionKind      kind,
                                       HlDumpMaps          *weights,
                                       GError             **error);
const char *hl_dump_find_weights      (const HlDumpContext *context,
                                       HlAttentionKind      kind);
void        hl_dump_set_nothing_found (const HlDumpContext *context,
                                       GError             **error);
gboolean    hl_dump_has_weights       (char               **members);
const char *hl_dump_get_weights_name  (HlAttentionKind      kind);

G_END_DECLS
