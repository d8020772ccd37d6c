/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/read/base/hl-dump-held.h"

G_BEGIN_DECLS

guint8 *hl_dump_keys_read (const HlDumpContext *context,
                           const HlDumpHeld    *held,
                           HlAttentionKind      kind,
                           guint64              n_batch,
                           const char         **name,
                           GError             **error);

G_END_DECLS
