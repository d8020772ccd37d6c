/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

gboolean hl_bands_read (HlAttentionSource *self,
                        const HlAttentionRequest *request,
                        float *target,
                        HlRowExtremes *extremes,
                        GCancellable *cancellable,
                        GError **error);
void hl_bands_repeat (const HlAttentionRequest *request, float value, float *target, HlRowExtremes *extremes);
void hl_bands_find_extremes (const float *rows, gsize n_rows, gsize n_columns, HlRowExtremes *extremes);

G_END_DECLS
