/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hdf5/hl-hdf5.h"

G_BEGIN_DECLS

/**
 * HlHdf5Bytes:
 * @fd: the open file
 * @base: where its addresses count from
 * @n_address: bytes of an address
 * @n_length: bytes of a length
 *
 * The bytes of an HDF5 file, for what the library cannot be trusted with.
 */
typedef struct
{
  int     fd;
  guint64 base;
  gsize   n_address;
  gsize   n_length;
} HlHdf5Bytes;

gboolean hl_hdf5_bytes_init (HlHdf5Bytes        *self,
                             hid_t               id);
gboolean hl_hdf5_bytes_read (const HlHdf5Bytes  *self,
                             guint64             address,
                             void               *target,
                             gsize               size);
guint64  hl_hdf5_bytes_get  (const guint8       *bytes,
                             gsize               n);

gboolean hl_hdf5_check_attributes (hid_t         object,
                                   const char   *name,
                                   GError      **error);
gboolean hl_hdf5_check_type       (hid_t         group,
                                   const char   *link,
                                   const char   *name,
                                   GError      **error);

G_END_DECLS
