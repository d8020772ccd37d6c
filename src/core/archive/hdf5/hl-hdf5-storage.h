/* SPDX-License-Identifier: MIT */
/* Where the elements of a dataset are. */
#pragma once

#include "core/archive/hdf5/hl-hdf5.h"

G_BEGIN_DECLS

typedef struct
{
  guint        life;   /* of the library, in which its dataset is open */
  H5D_layout_t layout; /* contiguous, compact or chunked */
  HlShape      shape;
  gsize        element_size; /* as stored */
  haddr_t      offset;       /* contiguous: where it begins in the file, or HADDR_UNDEF when nothing was ever written */
  HlShape      chunk;        /* chunked: the sizes of a chunk; otherwise those of the dataset */
  guint64      chunk_bytes;  /* of an unpacked chunk */
  guint        n_filters;    /* chunked: what was done to chunks, in that order: shuffle, gzip, Fletcher-32 */
  H5Z_filter_t filters[H5Z_MAX_NFILTERS];
  gboolean     bare_edges;   /* chunked: nothing was done to chunks that reach over the edge */
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
gboolean hl_hdf5_storage_lacks_chunks (hid_t dataset);
gboolean hl_hdf5_storage_read_list  (const HlHdf5Storage  *self,
                                     hid_t                 dataset,
                                     hid_t                 type,
                                     const char           *name,
                                     guint8               *target,
                                     GError              **error);

G_END_DECLS
