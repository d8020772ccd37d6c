/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/tokens/hl-token-map.h"
#include "core/source/hl-derived-source.h"

G_BEGIN_DECLS

#define HL_TYPE_GROUP_SOURCE (hl_group_source_get_type ())
G_DECLARE_FINAL_TYPE (HlGroupSource, hl_group_source, HL, GROUP_SOURCE, HlDerivedSource)

HlAttentionSource *hl_group_source_new (HlAttentionSource *source,
                                        HlTokenMap        *queries,
                                        HlTokenMap        *keys,
                                        gboolean           renormalise);
gboolean           hl_group_source_renormalises (HlGroupSource *self);

G_END_DECLS
