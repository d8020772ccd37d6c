/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

#define HL_TYPE_DUMP_SOURCE (hl_dump_source_get_type ())
G_DECLARE_FINAL_TYPE (HlDumpSource, hl_dump_source, HL, DUMP_SOURCE, GObject)

HlAttentionSource *hl_dump_source_new (HlAttention *attention);

G_END_DECLS
