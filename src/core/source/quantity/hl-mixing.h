/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

gboolean hl_mixing_is_sum  (HlAttention       *attention);
gboolean hl_mixing_can     (HlAttention       *attention);
gboolean hl_mixing_measure (HlAttention       *attention,
                            HlAttentionSource *weights,
                            guint              layer,
                            double            *ratios,
                            GCancellable      *cancellable,
                            GError           **error);

G_END_DECLS
