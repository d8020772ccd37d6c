/* SPDX-License-Identifier: MIT */
/* The bytes of an open HDF5 file, by the addresses that it uses. */
#include "core/archive/hdf5/hl-hdf5-bytes.h"

#include <errno.h>
#include <unistd.h>

/**
 * hl_hdf5_bytes_init: (skip)
 * @self: (out): the bytes
 * @id: anything open in a file
 *
 * With the lock held.
 *
 * Returns: %FALSE if the file cannot be reached; the library says why
 */
gboolean
hl_hdf5_bytes_init (HlHdf5Bytes *self,
                    hid_t        id)
{
  g_auto (HlHdf5Id) file = H5Iget_file_id (id);
  g_auto (HlHdf5Id) plist = file >= 0 ? H5Fget_create_plist (file) : H5I_INVALID_HID;
  size_t n_address, n_length;
  hsize_t base;
  void *handle;

  if (plist < 0 || H5Pget_sizes (plist, &n_address, &n_length) < 0 || H5Pget_userblock (plist, &base) < 0 ||
      H5Fget_vfd_handle (file, H5P_DEFAULT, &handle) < 0 || n_address < 2 || n_address > 8 || n_length < 2 ||
      n_length > 8)
    return FALSE;
  *self = (HlHdf5Bytes) { *(const int *) handle, base, n_address, n_length };
  return TRUE;
}

/**
 * hl_hdf5_bytes_read: (skip)
 * @self: the bytes
 * @address: an address of the file
 * @target: room for @size bytes
 * @size: how many
 *
 * Returns: %FALSE if they are not all there
 */
gboolean
hl_hdf5_bytes_read (const HlHdf5Bytes *self,
                    guint64            address,
                    void              *target,
                    gsize              size)
{
  guint8 *at = target;

  if (address > G_MAXINT64 - self->base || size > G_MAXINT64 - self->base - address)
    return FALSE;
  for (guint64 offset = self->base + address; size > 0;)
    {
      const gssize n = pread (self->fd, at, size, (off_t) offset);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      at += n;
      offset += (guint64) n;
      size -= (gsize) n;
    }
  return TRUE;
}

/**
 * hl_hdf5_bytes_get: (skip)
 * @bytes: the lowest byte of a number
 * @n: how many it has, at most 8
 *
 * Returns: the number
 */
guint64
hl_hdf5_bytes_get (const guint8 *bytes,
                   gsize         n)
{
  guint64 value = 0;

  for (gsize i = n; i-- > 0;)
    value = value << 8 | bytes[i];
  return value;
}
