/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"
#include "core/document/read/hl-dump-attributes.h"
#include "core/document/read/hl-dump-context.h"
#include "core/document/read/hl-dump-maps.h"

G_BEGIN_DECLS

gboolean hl_dump_find_mask (const HlDumpContext *context,
                            const HlDumpRule    *rule,
                            const HlDumpMaps    *weights,
                            guint64              batch,
                            HlMask              *mask,
                            GError             **error);

G_END_DECLS
