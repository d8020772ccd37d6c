/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-span.h"

G_BEGIN_DECLS

GBytes   *hl_inflate         (HlSpan        *packed,
                              guint64        size,
                              guint64        n_wanted,
                              guint32        crc,
                              GCancellable  *cancellable,
                              GError       **error);
gboolean  hl_inflate_to_file (HlSpan        *packed,
                              guint64        size,
                              guint32        crc,
                              int            fd,
                              guint64        place,
                              GCancellable  *cancellable,
                              GError       **error);
gboolean  hl_inflate_verify  (HlSpan        *packed,
                              guint64        size,
                              guint32        crc,
                              GCancellable  *cancellable,
                              GError       **error);

G_END_DECLS
