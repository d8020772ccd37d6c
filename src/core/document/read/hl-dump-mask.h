/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/read/hl-dump-attributes.h"
#include "core/document/read/hl-dump-held.h"

G_BEGIN_DECLS

gboolean hl_dump_find_mask    (const HlDumpContext *context,
                               const HlDumpRule    *rule,
                               HlDumpHeld          *held,
                               GError             **error);
gboolean hl_dump_find_padding (const HlDumpContext *context,
                               HlDumpHeld          *held,
                               GError             **error);

G_END_DECLS
