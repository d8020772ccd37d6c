/* SPDX-License-Identifier: MIT */
/* Where the elements of a dataset are in the file, and their bytes. The library finds them; it does not unpack or copy
 * them, because it trusts that what it finds is as long as it should be. */
#include "core/archive/hdf5/hl-hdf5-storage.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

static gboolean
measure_chunk (HlHdf5Storage  *self,
               hid_t           plist,
               const char     *name,
               GError        **error)
{
  hsize_t dims[HL_MAX_RANK];

  if (H5Pget_chunk (plist, HL_MAX_RANK, dims) != (int) self->shape.rank)
    {
      hl_hdf5_set_error (error, _ ("the chunks of “%s” cannot be read"), name);
      return FALSE;
    }
  self->chunk.rank = self->shape.rank;
  for (guint i = 0; i < self->shape.rank; i++)
    {
      self->chunk.dims[i] = dims[i];
      if (dims[i] == 0)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("“%s” is stored in chunks of nothing"), name);
          return FALSE;
        }
    }
  if (!hl_shape_get_n_bytes (&self->chunk, self->element_size, &self->chunk_bytes) ||
      self->chunk_bytes > HL_HDF5_MAX_CHUNK)
    {
      g_autofree char *sizes = hl_shape_to_string (&self->chunk);
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("“%s” is stored in chunks of %s elements, each of which is to be unpacked whole; at most %d MiB "
                      "a chunk can be read"),
                   name, sizes, (int) (HL_HDF5_MAX_CHUNK >> 20));
      return FALSE;
    }
  return TRUE;
}

/**
 * hl_hdf5_storage_init: (skip)
 * @self: (out): the storage
 * @dataset: an open dataset
 * @element_size: bytes an element takes in the file
 * @name: what sentences call it
 * @error: %HL_ERROR_EXTERNAL, %HL_ERROR_UNSUPPORTED, %HL_ERROR_TOO_LARGE, %HL_ERROR_SHAPE …
 *
 * Says where the elements of a dataset are, if that is in the file itself and in a way that can be undone. With the
 * lock held.
 *
 * The layout is looked at before anything else is asked of the dataset: the library opens other files, or recurses
 * without an end, already when it is asked for the sizes of a virtual dataset.
 *
 * Returns: whether the dataset can be read
 */
gboolean
hl_hdf5_storage_init (HlHdf5Storage  *self,
                      hid_t           dataset,
                      gsize           element_size,
                      const char     *name,
                      GError        **error)
{
  g_auto (HlHdf5Id) plist = H5Dget_create_plist (dataset);
  g_auto (HlHdf5Id) space = H5I_INVALID_HID;

  *self = (HlHdf5Storage) { .layout = plist >= 0 ? H5Pget_layout (plist) : H5D_LAYOUT_ERROR,
                            .element_size = element_size,
                            .offset = HADDR_UNDEF };
  switch (self->layout)
    {
    case H5D_VIRTUAL:
      g_set_error (error, HL_ERROR, HL_ERROR_EXTERNAL,
                   _ ("“%s” is a virtual dataset, made of other datasets, which is not followed"), name);
      return FALSE;
    case H5D_CONTIGUOUS:
      if (H5Pget_external_count (plist) != 0)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_EXTERNAL, _ ("“%s” lies in an external file, which is not opened"),
                       name);
          return FALSE;
        }
      break;
    case H5D_COMPACT:
    case H5D_CHUNKED:
      break;
    default:
      hl_hdf5_set_error (error, _ ("how “%s” is stored cannot be read"), name);
      return FALSE;
    }

  space = H5Dget_space (dataset);
  if (space < 0)
    {
      hl_hdf5_set_error (error, _ ("the sizes of “%s” cannot be read"), name);
      return FALSE;
    }
  if (!hl_hdf5_get_shape (space, name, &self->shape, error))
    return FALSE;
  if (self->layout == H5D_CHUNKED)
    return hl_hdf5_filters_init (&self->filters, plist, name, error) && measure_chunk (self, plist, name, error);
  self->chunk = self->shape;
  if (self->layout == H5D_CONTIGUOUS)
    self->offset = H5Dget_offset (dataset);
  return TRUE;
}

/* A chunk as it is in the file; NULL without an error if it was never written. With the lock held. */
static gboolean
read_stored (const HlHdf5Storage  *self,
             hid_t                 dataset,
             const guint64        *first,
             const char           *name,
             guint8              **stored,
             gsize                *n_stored,
             guint32              *skipped,
             GError              **error)
{
  hsize_t offset[HL_MAX_RANK];
  hsize_t size = 0;

  *stored = NULL;
  for (guint i = 0; i < self->shape.rank; i++)
    offset[i] = first[i];
  if (H5Dget_chunk_storage_size (dataset, offset, &size) < 0)
    {
      hl_hdf5_set_error (error, _ ("a chunk of “%s” cannot be found"), name);
      return FALSE;
    }
  if (size == 0)
    return TRUE;
  /* Packed, it may be somewhat longer than plain, if its bytes do not compress. */
  if (size > self->chunk_bytes + self->chunk_bytes / 64 + 4096)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                   _ ("the numbers of “%s” cannot be read: a chunk of %" PRIu64 " bytes is said to take %" PRIu64),
                   name, self->chunk_bytes, (guint64) size);
      return FALSE;
    }
  g_autofree guint8 *bytes = g_try_malloc0 (size);
  if (bytes == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory to read “%s”"), name);
      return FALSE;
    }
  if (hl_hdf5_read_stored_chunk (dataset, offset, skipped, bytes, size) < 0)
    {
      hl_hdf5_set_error (error, _ ("the numbers of “%s” cannot be read"), name);
      return FALSE;
    }
  *stored = g_steal_pointer (&bytes);
  *n_stored = size;
  return TRUE;
}

/**
 * hl_hdf5_storage_read_chunk: (skip)
 * @self: chunked storage
 * @dataset: the open dataset
 * @first: (array): the first element of the chunk along each axis
 * @name: what sentences call it
 * @chunk: (out) (nullable): all bytes of the chunk; %NULL if it was never written
 * @error: %HL_ERROR_CORRUPT, %HL_ERROR_TOO_LARGE
 *
 * Takes the lock to read, and none to unpack.
 *
 * Returns: whether that went well
 */
gboolean
hl_hdf5_storage_read_chunk (const HlHdf5Storage  *self,
                            hid_t                 dataset,
                            const guint64        *first,
                            const char           *name,
                            GBytes              **chunk,
                            GError              **error)
{
  guint8 *stored;
  gsize n_stored = 0;
  guint32 skipped = 0;

  *chunk = NULL;
  {
    g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();
    if (!read_stored (self, dataset, first, name, &stored, &n_stored, &skipped, error))
      return FALSE;
  }
  if (stored == NULL)
    return TRUE;
  guint8 *bytes = hl_hdf5_filters_undo (&self->filters, skipped, stored, n_stored, self->chunk_bytes,
                                        self->element_size, name, error);
  if (bytes == NULL)
    return FALSE;
  *chunk = g_bytes_new_take (bytes, self->chunk_bytes);
  return TRUE;
}

static gboolean
read_contiguous (const HlHdf5Storage  *self,
                 hid_t                 dataset,
                 guint64               n_bytes,
                 const char           *name,
                 guint8               *target,
                 GError              **error)
{
  g_auto (HlHdf5Id) file = H5Iget_file_id (dataset);
  void *handle;

  if (self->offset == HADDR_UNDEF)
    return TRUE;
  if (H5Fget_vfd_handle (file, H5P_DEFAULT, &handle) < 0)
    {
      hl_hdf5_set_error (error, _ ("“%s” cannot be reached"), name);
      return FALSE;
    }
  for (guint64 done = 0; done < n_bytes;)
    {
      const gssize n = pread (*(const int *) handle, target + done, n_bytes - done, (off_t) (self->offset + done));
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED, _ ("“%s” reaches past the end of the file"), name);
          return FALSE;
        }
      done += (guint64) n;
    }
  return TRUE;
}

/**
 * hl_hdf5_storage_read_list: (skip)
 * @self: storage of a dataset of rank 0 or 1
 * @dataset: the open dataset
 * @type: its elements for the library, of @element_size bytes; used with the compact layout
 * @name: what sentences call it
 * @target: room for all elements, filled with zeros, which elements that were never written stay
 * @error: %HL_ERROR_CORRUPT, %HL_ERROR_TRUNCATED, %HL_ERROR_TOO_LARGE
 *
 * Reads all elements as they are stored. With the lock held.
 *
 * Returns: whether that went well
 */
gboolean
hl_hdf5_storage_read_list (const HlHdf5Storage  *self,
                           hid_t                 dataset,
                           hid_t                 type,
                           const char           *name,
                           guint8               *target,
                           GError              **error)
{
  const guint64 n = self->shape.rank == 0 ? 1 : self->shape.dims[0];
  const guint64 n_bytes = n * self->element_size;

  g_assert (self->shape.rank <= 1);
  if (self->layout == H5D_CONTIGUOUS)
    return read_contiguous (self, dataset, n_bytes, name, target, error);
  if (self->layout == H5D_COMPACT)
    {
      if (H5Dget_storage_size (dataset) < n_bytes || H5Dread (dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, target) < 0)
        {
          hl_hdf5_set_error (error, _ ("“%s” cannot be read"), name);
          return FALSE;
        }
      return TRUE;
    }
  for (guint64 first = 0; first < n; first += self->chunk.dims[0])
    {
      g_autoptr (GBytes) chunk = NULL;
      if (!hl_hdf5_storage_read_chunk (self, dataset, &first, name, &chunk, error))
        return FALSE;
      if (chunk != NULL)
        memcpy (target + first * self->element_size, g_bytes_get_data (chunk, NULL),
                MIN (self->chunk.dims[0], n - first) * self->element_size);
    }
  return TRUE;
}
