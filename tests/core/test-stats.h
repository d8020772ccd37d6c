/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/analysis/hl-head-stats.h"

HlHeadStats *test_compute_stats (HlAttention       *attention,
                                 HlAttentionSource *source,
                                 gsize              n_queries,
                                 HlHeadNumberSet    wanted,
                                 GCancellable      *cancellable,
                                 GError           **error);
