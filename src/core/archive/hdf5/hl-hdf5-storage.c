/* SPDX-License-Identifier: MIT */
/* Where the elements of a dataset are in the file, and their bytes. The library finds them; it does not unpack or copy
 * them, because it trusts that what it finds is as long as it should be. It takes whatever comes out of a filter for a
 * whole chunk, and reads past its end when the file is damaged; it also would unpack one chunk at a time for the whole
 * program. */
#include "core/archive/hdf5/hl-hdf5-storage.h"

#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <zlib.h>

/* What filters add to a chunk at the most: checksums, and the frame of bytes that do not compress. */
#define SLACK 1024

/* Of a large chunk, one part in so many is to be of the dataset, which may not have grown to a whole one yet. */
#define LEAST_SHARE 4

static gboolean
init_filters (HlHdf5Storage *self,
              hid_t          plist,
              const char    *name,
              GError       **error)
{
  const int n_filters = H5Pget_nfilters (plist);
  unsigned options = 0;

  if (n_filters < 0 || n_filters > H5Z_MAX_NFILTERS || H5Pget_chunk_opts (plist, &options) < 0)
    {
      hl_hdf5_set_error (error, _ ("the filters of “%s” cannot be read"), name);
      return FALSE;
    }
  self->n_filters = (guint) n_filters;
  self->bare_edges = (options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0;
  for (guint i = 0; i < self->n_filters; i++)
    {
      unsigned flags, config;
      size_t n_values = 0;

      self->filters[i] = H5Pget_filter2 (plist, i, &flags, &n_values, NULL, 0, NULL, &config);
      switch (self->filters[i])
        {
        case H5Z_FILTER_DEFLATE:
        case H5Z_FILTER_SHUFFLE:
        case H5Z_FILTER_FLETCHER32:
          break;
        case H5Z_FILTER_SZIP:
        case H5Z_FILTER_NBIT:
        case H5Z_FILTER_SCALEOFFSET:
        default:
          g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                       _ ("“%s” is compressed with filter %d, which Headlight cannot undo; gzip can be read"), name,
                       (int) self->filters[i]);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
set_damaged (GError    **error,
             const char *name,
             const char *how)
{
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("the numbers of “%s” cannot be read: a chunk is damaged (%s)"),
               name, how);
  return FALSE;
}

static guint32
fold (guint32 sum)
{
  return (sum & 0xffff) + (sum >> 16);
}

/* Fletcher's checksum over 16-bit words, high byte first (J. G. Fletcher 1982). */
static guint32
sum_fletcher32 (const guint8 *bytes,
                gsize         n)
{
  guint32 low = 0, high = 0;

  for (gsize i = 0; i < n; i += 2)
    {
      low += (guint32) bytes[i] << 8 | (i + 1 < n ? bytes[i + 1] : 0);
      high += low;
      /* Sums of 360 words still fit. */
      if (i % 720 == 718)
        {
          low = fold (low);
          high = fold (high);
        }
    }
  low = fold (fold (low));
  high = fold (fold (high));
  return high << 16 | low;
}

static gboolean
undo_fletcher32 (guint8    **bytes,
                 gsize      *n,
                 const char *name,
                 GError    **error)
{
  guint32 stored;

  if (*n < sizeof stored)
    return set_damaged (error, name, _ ("its checksum is missing"));
  *n -= sizeof stored;
  memcpy (&stored, *bytes + *n, sizeof stored);
  stored = GUINT32_FROM_LE (stored);
  const guint32 sum = sum_fletcher32 (*bytes, *n);
  /* Before HDF5 1.6.3 the bytes of each half were the other way round. */
  const guint32 turned = (sum & 0x00ff00ff) << 8 | (sum >> 8 & 0x00ff00ff);
  return stored == sum || stored == turned || set_damaged (error, name, _ ("its checksum is wrong"));
}

static gboolean
undo_deflate (guint8    **bytes,
              gsize      *n,
              gsize       n_wanted,
              const char *name,
              GError    **error)
{
  const gsize room = n_wanted + SLACK;
  g_autofree guint8 *plain = g_try_malloc (room);
  z_stream stream = { .next_in = *bytes, .avail_in = (uInt) *n, .next_out = plain, .avail_out = (uInt) room };

  if (plain == NULL || inflateInit (&stream) != Z_OK)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory to unpack “%s”"), name);
      return FALSE;
    }
  const int result = inflate (&stream, Z_FINISH);
  *n = stream.total_out;
  inflateEnd (&stream);
  if (result != Z_STREAM_END)
    return set_damaged (error, name, _ ("it cannot be unpacked"));
  g_free (*bytes);
  *bytes = g_steal_pointer (&plain);
  return TRUE;
}

/* Shuffled bytes: the first of every element, then the second of every element … */
static gboolean
undo_shuffle (guint8    **bytes,
              gsize       n,
              gsize       element_size,
              const char *name,
              GError    **error)
{
  const gsize n_elements = n / element_size;
  g_autofree guint8 *plain = NULL;

  if (element_size == 1)
    return TRUE;
  plain = g_try_malloc (n);
  if (plain == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory to unpack “%s”"), name);
      return FALSE;
    }
  const guint8 *from = *bytes;
  if (element_size == 2)
    for (gsize i = 0; i < n_elements; i++)
      {
        plain[2 * i] = from[i];
        plain[2 * i + 1] = from[n_elements + i];
      }
  else if (element_size == 4)
    for (gsize i = 0; i < n_elements; i++)
      {
        plain[4 * i] = from[i];
        plain[4 * i + 1] = from[n_elements + i];
        plain[4 * i + 2] = from[2 * n_elements + i];
        plain[4 * i + 3] = from[3 * n_elements + i];
      }
  else
    for (gsize j = 0; j < element_size; j++)
      for (gsize i = 0; i < n_elements; i++)
        plain[i * element_size + j] = from[j * n_elements + i];
  /* What does not fill an element stays where it was. */
  memcpy (plain + n_elements * element_size, from + n_elements * element_size, n - n_elements * element_size);
  g_free (*bytes);
  *bytes = g_steal_pointer (&plain);
  return TRUE;
}

/* Needs no lock. Memory for two chunks is taken at the most. */
static guint8 *
undo_filters (const HlHdf5Storage *self,
              guint32              skipped,
              guint8              *stored,
              gsize                n_stored,
              const char          *name,
              GError             **error)
{
  g_autofree guint8 *bytes = stored;
  gsize n = n_stored;

  for (guint i = self->n_filters; i-- > 0;)
    {
      gboolean undone = TRUE;

      if (skipped & (1u << i))
        continue;
      if (self->filters[i] == H5Z_FILTER_FLETCHER32)
        undone = undo_fletcher32 (&bytes, &n, name, error);
      else if (self->filters[i] == H5Z_FILTER_DEFLATE)
        undone = undo_deflate (&bytes, &n, self->chunk_bytes, name, error);
      else
        undone = undo_shuffle (&bytes, n, self->element_size, name, error);
      if (!undone)
        return NULL;
    }
  if (n != self->chunk_bytes)
    {
      set_damaged (error, name, _ ("it is not as long as it should be"));
      return NULL;
    }
  return g_steal_pointer (&bytes);
}

static gboolean
measure_chunk (HlHdf5Storage *self,
               hid_t          plist,
               const char    *name,
               GError       **error)
{
  hsize_t dims[HL_LIMIT_RANK];

  if (H5Pget_chunk (plist, HL_LIMIT_RANK, dims) != (int) self->shape.rank)
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
      self->chunk_bytes > HL_LIMIT_HDF5_PACKED_CHUNK)
    {
      g_autofree char *sizes = hl_shape_to_string (&self->chunk);
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("“%s” is stored in chunks of %s elements, each of which is to be unpacked whole; at most %d MiB "
                      "a chunk can be read"),
                   name, sizes, (int) (HL_LIMIT_HDF5_PACKED_CHUNK >> 20));
      return FALSE;
    }
  if (self->chunk_bytes <= HL_LIMIT_HDF5_CHUNK)
    return TRUE;

  guint64 n_bytes = self->element_size;
  for (guint i = 0; i < self->shape.rank; i++)
    n_bytes *= MIN (self->shape.dims[i], self->chunk.dims[i]);
  if (n_bytes < self->chunk_bytes / LEAST_SHARE)
    {
      g_autofree char *sizes = hl_shape_to_string (&self->chunk);
      g_set_error (
        error, HL_ERROR, HL_ERROR_TOO_LARGE,
        _ ("“%s” takes up little of its chunks of %s elements, each of which is to be unpacked whole; at most "
           "%d MiB a chunk can be read then"),
        name, sizes, (int) (HL_LIMIT_HDF5_CHUNK >> 20));
      return FALSE;
    }
  return TRUE;
}

gboolean
hl_hdf5_get_shape (hid_t       space,
                   const char *name,
                   HlShape    *shape,
                   GError    **error)
{
  hsize_t dims[H5S_MAX_RANK];
  guint64 n_elements;
  const int rank = H5Sget_simple_extent_ndims (space);

  if (H5Sget_simple_extent_type (space) == H5S_NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” is empty: its dataspace is null"), name);
      return FALSE;
    }
  if (rank < 0 || rank > H5S_MAX_RANK || H5Sget_simple_extent_dims (space, dims, NULL) != rank)
    {
      hl_hdf5_set_error (error, _ ("the sizes of “%s” cannot be read"), name);
      return FALSE;
    }
  if (rank > HL_LIMIT_RANK)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_RANK, _ ("“%s” has rank %d; at most %d is read"), name, rank,
                   HL_LIMIT_RANK);
      return FALSE;
    }
  shape->rank = (guint) rank;
  for (int i = 0; i < rank; i++)
    shape->dims[i] = dims[i];
  if (!hl_shape_get_n_bytes (shape, sizeof (double), &n_elements))
    {
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” announces %s numbers, which is too many"), name,
                   sizes);
      return FALSE;
    }
  return TRUE;
}

/* Says where the elements of a dataset are, if that is in the file itself and in a way that can be undone. The layout
 * is looked at before anything else is asked of the dataset: the library opens other files, or recurses without an
 * end, already when it is asked for the sizes of a virtual dataset. */
gboolean
hl_hdf5_storage_init (HlHdf5Storage *self,
                      hid_t          dataset,
                      gsize          element_size,
                      const char    *name,
                      GError       **error)
{
  g_auto (HlHdf5Id) plist = H5Dget_create_plist (dataset);
  g_auto (HlHdf5Id) space = H5I_INVALID_HID;

  *self = (HlHdf5Storage){ .life = hl_hdf5_get_life (),
                           .layout = plist >= 0 ? H5Pget_layout (plist) : H5D_LAYOUT_ERROR,
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
      /* Virtual ones were not opened. */
      if (plist < 0 && hl_hdf5_met_heap ())
        g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                     _ ("“%s” cannot be read: its fill value is of variable length"), name);
      else
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
    return init_filters (self, plist, name, error) && measure_chunk (self, plist, name, error);
  self->chunk = self->shape;
  if (self->layout == H5D_CONTIGUOUS)
    self->offset = H5Dget_offset (dataset);
  return TRUE;
}

/* How many bytes of the file a chunk takes, 0 if it was never written. With the lock held. */
static gboolean
measure_stored (hid_t          dataset,
                const hsize_t *offset,
                hsize_t       *size)
{
  *size = 0;
  if (H5Dget_chunk_storage_size (dataset, offset, size) >= 0)
    return TRUE;
  if (!hl_hdf5_was_absent ())
    return FALSE;
  H5Eclear2 (H5E_DEFAULT);
  *size = 0;
  return TRUE;
}

/* Whether no chunk was ever written. The library would follow all there are to tell; where there is no index of them it finds none at the
 * first place, and has nothing to follow (1.10.8). */
gboolean
hl_hdf5_storage_lacks_chunks (hid_t dataset)
{
  const hsize_t offset[HL_LIMIT_RANK] = { 0 };
  H5D_space_status_t status = H5D_SPACE_STATUS_ERROR;
  hsize_t size = 0;
  const gboolean lacks = H5Dget_chunk_storage_size (dataset, offset, &size) >= 0 && size == 0 &&
                         H5Dget_space_status (dataset, &status) >= 0 && status == H5D_SPACE_STATUS_NOT_ALLOCATED;

  H5Eclear2 (H5E_DEFAULT);
  return lacks;
}

/* A chunk as it is in the file; NULL without an error if it was never written. With the lock held. */
static gboolean
read_stored (const HlHdf5Storage *self,
             hid_t                dataset,
             const guint64       *first,
             const char          *name,
             guint8             **stored,
             gsize               *n_stored,
             guint32             *skipped,
             GError             **error)
{
  hsize_t offset[HL_LIMIT_RANK];
  hsize_t size;

  *stored = NULL;
  if (!hl_hdf5_check_life (self->life, error))
    return FALSE;
  for (guint i = 0; i < self->shape.rank; i++)
    offset[i] = first[i];
  if (!measure_stored (dataset, offset, &size))
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

/* Takes the lock to read, and none to unpack. */
gboolean
hl_hdf5_storage_read_chunk (const HlHdf5Storage *self,
                            hid_t                dataset,
                            const guint64       *first,
                            const char          *name,
                            GBytes             **chunk,
                            GError             **error)
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
  for (guint i = 0; i < self->shape.rank; i++)
    if (self->bare_edges && self->chunk.dims[i] > self->shape.dims[i] - first[i])
      skipped = G_MAXUINT32;
  guint8 *bytes = undo_filters (self, skipped, stored, n_stored, name, error);
  if (bytes == NULL)
    return FALSE;
  *chunk = g_bytes_new_take (bytes, self->chunk_bytes);
  return TRUE;
}

static gboolean
read_contiguous (const HlHdf5Storage *self,
                 hid_t                dataset,
                 guint64              n_bytes,
                 const char          *name,
                 guint8              *target,
                 GError             **error)
{
  g_auto (HlHdf5Id) file = H5Iget_file_id (dataset);
  void *handle;

  if (H5Fget_vfd_handle (file, H5P_DEFAULT, &handle) < 0)
    {
      hl_hdf5_set_error (error, _ ("“%s” cannot be reached"), name);
      return FALSE;
    }
  const HlHdf5Bytes bytes = { .handle = handle };
  if (!hl_hdf5_bytes_read (&bytes, self->offset, target, n_bytes))
    {
      if (hl_file_version_check (&bytes.handle->version, bytes.handle->fd, error))
        g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED, _ ("“%s” reaches past the end of the file"), name);
      return FALSE;
    }
  return TRUE;
}

/* Fills all with what was never written. */
static gboolean
fill_list (const HlHdf5Storage *self,
           hid_t                dataset,
           guint64              n,
           guint8              *target)
{
  if (n == 0)
    return TRUE;
  if (!hl_hdf5_read_fill (dataset, target, self->element_size))
    return FALSE;
  for (guint64 i = 1; i < n; i++)
    memcpy (target + i * self->element_size, target, self->element_size);
  return TRUE;
}

static gboolean
set_unknown (GError    **error,
             const char *name)
{
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
               _ ("“%s” cannot be read: not all of it was written, and what stands for the rest is not found"), name);
  return FALSE;
}

/* Of rank 1 at the most, or a single one of any rank. */
gboolean
hl_hdf5_storage_read_list (const HlHdf5Storage *self,
                           hid_t                dataset,
                           hid_t                type,
                           const char          *name,
                           guint8              *target,
                           GError             **error)
{
  const guint64 n = self->shape.rank == 0 ? 1 : self->shape.dims[0];
  const guint64 n_bytes = n * self->element_size;
  guint64 first[HL_LIMIT_RANK] = { 0 };

  for (guint i = 1; i < self->shape.rank; i++)
    g_assert (n == 1 && self->shape.dims[i] == 1);
  if (self->layout == H5D_CONTIGUOUS && self->offset != HADDR_UNDEF)
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
  const gboolean is_filled = fill_list (self, dataset, n, target);
  if (self->layout == H5D_CONTIGUOUS)
    return is_filled || set_unknown (error, name);
  for (; first[0] < n; first[0] += self->chunk.dims[0])
    {
      g_autoptr (GBytes) chunk = NULL;
      if (!hl_hdf5_storage_read_chunk (self, dataset, first, name, &chunk, error))
        return FALSE;
      if (chunk == NULL && !is_filled)
        return set_unknown (error, name);
      if (chunk != NULL)
        memcpy (target + first[0] * self->element_size, g_bytes_get_data (chunk, NULL),
                MIN (self->chunk.dims[0], n - first[0]) * self->element_size);
    }
  return TRUE;
}
