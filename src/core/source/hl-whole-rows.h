/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

/**
 * HlChangeRow:
 * @row: (inout): [n_keys] all weights of a query
 * @n_keys: keys of the source
 * @query: which query
 * @data: what the caller gave
 *
 * Makes of a source's row what another source has in its place.
 */
typedef void (*HlChangeRow) (float    *row,
                             gsize     n_keys,
                             gsize     query,
                             gpointer  data);

gboolean hl_whole_rows_read (HlAttentionSource         *source,
                             const HlAttentionRequest  *request,
                             HlChangeRow                change_row,
                             gpointer                   data,
                             float                     *target,
                             GCancellable              *cancellable,
                             GError                   **error);

G_END_DECLS
