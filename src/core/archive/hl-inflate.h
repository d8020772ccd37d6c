/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-span.h"

G_BEGIN_DECLS

GBytes *hl_inflate (HlSpan        *packed,
                    guint64        size,
                    guint64        n_wanted,
                    guint32        crc,
                    GCancellable  *cancellable,
                    GError       **error);

G_END_DECLS
