/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/read/hl-dump-context.h"
#include "core/document/read/hl-dump-maps.h"
#include "core/document/read/hl-dump-reader.h"

G_BEGIN_DECLS

GPtrArray *hl_dump_entries_new        (void);
gboolean   hl_dump_entries_check      (guint64               n_examples,
                                       GError              **error);
gboolean   hl_dump_entries_open_first (const HlDumpContext  *context,
                                       char                **members,
                                       HlDumpMaps           *maps,
                                       GError              **error);
gboolean   hl_dump_entries_add        (GPtrArray            *entries,
                                       const HlDumpContext  *context,
                                       guint64               n_batch,
                                       const char           *name,
                                       GError              **error);
gboolean   hl_dump_entries_add_layout (GPtrArray            *entries,
                                       const HlDumpContext  *plain,
                                       HlLayout             *layout,
                                       const char           *name,
                                       GError              **error);

G_END_DECLS
