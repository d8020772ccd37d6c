/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "core/base/hl-limits.h"

G_BEGIN_DECLS

/**
 * HlShape:
 * @rank: number of axes, at most %HL_LIMIT_RANK
 * @dims: size of each axis, outermost first
 */
typedef struct
{
  guint   rank;
  guint64 dims[HL_LIMIT_RANK];
} HlShape;

gboolean hl_shape_get_n_elements (const HlShape *shape,
                                  guint64       *n_elements);
gboolean hl_shape_get_n_bytes    (const HlShape *shape,
                                  gsize          element_size,
                                  guint64       *n_bytes);
gboolean hl_shape_contains       (const HlShape *shape,
                                  const guint64 *start,
                                  const guint64 *count);
gboolean hl_shape_check_n_bytes  (const HlShape *shape,
                                  gsize          element_size,
                                  guint64       *n_bytes,
                                  GError       **error);
gboolean hl_shape_get_extent     (const HlShape *shape,
                                  const gint64  *strides,
                                  gsize          element_size,
                                  gint64        *low,
                                  gint64        *high);
gboolean hl_shape_is_dense       (const HlShape *shape,
                                  const gint64  *strides,
                                  gsize          element_size);
int      hl_shape_advance        (guint64       *at,
                                  const guint64 *first,
                                  const guint64 *end,
                                  guint          n_axes);
char    *hl_shape_to_string      (const HlShape *shape);

G_END_DECLS
