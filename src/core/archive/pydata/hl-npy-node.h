/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive-node.h"
#include "core/archive/hl-span.h"
#include "core/archive/pydata/hl-npy-header.h"

G_BEGIN_DECLS

HlArchiveNode *hl_npy_node_new_for_text   (const HlNpyHeader  *header,
                                           HlSpan             *bytes,
                                           GError            **error);
HlArchiveNode *hl_npy_node_new_for_tensor (HlTensor           *tensor,
                                           GError            **error);

G_END_DECLS
