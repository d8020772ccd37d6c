/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/read/base/hl-dump-held.h"

G_BEGIN_DECLS

guint8  *hl_dump_keys_read         (const HlDumpContext *context,
                                    const HlDumpHeld    *held,
                                    HlAttentionKind      kind,
                                    guint64              n_batch,
                                    const char         **name,
                                    GError             **error);
char    *hl_dump_keys_find_rows    (const HlDumpContext *context,
                                    const HlDumpHeld    *held,
                                    const char          *name,
                                    guint64              n_batch,
                                    guint64             *n_rows,
                                    guint64             *row);
gboolean hl_dump_keys_are_of_lists (const HlDumpContext *context);

G_END_DECLS
