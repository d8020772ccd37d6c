/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hdf5/hl-hdf5.h"

G_BEGIN_DECLS

/**
 * HlHdf5Filters:
 * @n: how many
 * @ids: which, in the order in which they were applied
 *
 * What was done to each chunk of a dataset before it was stored: shuffle, gzip, Fletcher-32.
 */
typedef struct
{
  guint        n;
  H5Z_filter_t ids[H5Z_MAX_NFILTERS];
} HlHdf5Filters;

gboolean hl_hdf5_filters_init (HlHdf5Filters        *self,
                               hid_t                 plist,
                               const char           *name,
                               GError              **error);
guint8  *hl_hdf5_filters_undo (const HlHdf5Filters  *self,
                               guint32               skipped,
                               guint8               *stored,
                               gsize                 n_stored,
                               gsize                 n_wanted,
                               gsize                 element_size,
                               const char           *name,
                               GError              **error);

G_END_DECLS
