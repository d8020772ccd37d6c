/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/hl-derived-source.h"

G_BEGIN_DECLS

#define HL_TYPE_TRANSPOSE_SOURCE (hl_transpose_source_get_type ())
G_DECLARE_FINAL_TYPE (HlTransposeSource, hl_transpose_source, HL, TRANSPOSE_SOURCE, HlDerivedSource)

HlAttentionSource *hl_transpose_source_new (HlAttentionSource *source);

G_END_DECLS
