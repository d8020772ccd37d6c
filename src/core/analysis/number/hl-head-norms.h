/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

gboolean hl_head_norms_are_known (HlAttention   *attention);
double  *hl_head_norms_read      (HlAttention   *attention,
                                  guint          layer,
                                  guint          head,
                                  GCancellable  *cancellable,
                                  GError       **error);

G_END_DECLS
