/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-check.h"
#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

GPtrArray *hl_examine_attention (HlAttention       *attention,
                                 HlAttentionSource *source,
                                 GCancellable      *cancellable,
                                 GError           **error);

G_END_DECLS
