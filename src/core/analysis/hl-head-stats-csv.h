/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/analysis/hl-head-numbers.h"

G_BEGIN_DECLS

void     hl_head_stats_csv_append_names     (GString             *text,
                                             HlHeadNumberSet      set,
                                             const HlHeadNumbers *numbers);
void     hl_head_stats_csv_append_attention (GString             *text,
                                             HlAttention         *attention,
                                             HlHeadNumberSet      set,
                                             const HlHeadNumbers *numbers);
gboolean hl_head_stats_csv_save             (const HlHeadNumberRequest *request,
                                             HlHeadNumbers       *known,
                                             HlHeadNumberSet      set,
                                             HlComparison        *compared,
                                             GFile               *target,
                                             HlProgress          *progress,
                                             GCancellable        *cancellable,
                                             GError             **error);
gboolean hl_head_stats_csv_save_difference (const HlHeadNumberRequest *request,
                                             HlHeadNumbers       *known,
                                             HlHeadMeasure        measure,
                                             const double        *others,
                                             GFile               *target,
                                             HlProgress          *progress,
                                             GCancellable        *cancellable,
                                             GError             **error);

G_END_DECLS
