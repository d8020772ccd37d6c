/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hdf5/hl-hdf5-filter.h"

G_BEGIN_DECLS

/**
 * HlHdf5Storage:
 * @layout: contiguous, compact or chunked
 * @shape: the sizes of the dataset
 * @element_size: bytes an element, as stored
 * @offset: contiguous: where it begins in the file, or HADDR_UNDEF when nothing was ever written
 * @chunk: chunked: the sizes of a chunk; otherwise those of the dataset
 * @chunk_bytes: bytes of an unpacked chunk
 * @filters: chunked: what was done to chunks
 *
 * Where the elements of a dataset are.
 */
typedef struct
{
  H5D_layout_t  layout;
  HlShape       shape;
  gsize         element_size;
  haddr_t       offset;
  HlShape       chunk;
  guint64       chunk_bytes;
  HlHdf5Filters filters;
} HlHdf5Storage;

gboolean hl_hdf5_storage_init       (HlHdf5Storage        *self,
                                     hid_t                 dataset,
                                     gsize                 element_size,
                                     const char           *name,
                                     GError              **error);
gboolean hl_hdf5_storage_read_chunk (const HlHdf5Storage  *self,
                                     hid_t                 dataset,
                                     const guint64        *first,
                                     const char           *name,
                                     GBytes              **chunk,
                                     GError              **error);
gboolean hl_hdf5_storage_read_list  (const HlHdf5Storage  *self,
                                     hid_t                 dataset,
                                     hid_t                 type,
                                     const char           *name,
                                     guint8               *target,
                                     GError              **error);

G_END_DECLS
