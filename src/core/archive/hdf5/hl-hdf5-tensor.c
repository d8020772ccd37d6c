/* SPDX-License-Identifier: MIT */
/* Numbers of an HDF5 dataset. Those that lie in one piece are read from the file directly, small ones at once; those in
 * chunks chunk by chunk, each unpacked once while it is in the cache, and by several threads at the same time. */
#include "core/archive/hdf5/hl-hdf5-storage.h"

#include "core/base/hl-limits.h"
#include "core/base/tensor/hl-file-tensor.h"
#include "core/base/hl-lru-cache.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static GMutex cache_mutex;
static HlLruCache chunks = HL_LRU_CACHE_INIT (HL_LIMIT_HDF5_CHUNKS, (GDestroyNotify) g_bytes_unref); /* guarded by it */

static GBytes *
get_cached_chunk (gconstpointer owner,
                  guint64       index)
{
  g_mutex_lock (&cache_mutex);
  GBytes *bytes = hl_lru_cache_get (&chunks, (guint64) (guintptr) owner, index);
  if (bytes != NULL)
    g_bytes_ref (bytes);
  g_mutex_unlock (&cache_mutex);
  return bytes;
}

static void
cache_chunk (gconstpointer owner,
             guint64       index,
             GBytes       *bytes)
{
  g_mutex_lock (&cache_mutex);
  hl_lru_cache_add (&chunks, (guint64) (guintptr) owner, index, g_bytes_ref (bytes), g_bytes_get_size (bytes));
  g_mutex_unlock (&cache_mutex);
}

static void
forget_chunks (gconstpointer owner)
{
  g_mutex_lock (&cache_mutex);
  hl_lru_cache_forget (&chunks, (guint64) (guintptr) owner);
  g_mutex_unlock (&cache_mutex);
}

#define HL_TYPE_HDF5_TENSOR (hl_hdf5_tensor_get_type ())
G_DECLARE_FINAL_TYPE (HlHdf5Tensor, hl_hdf5_tensor, HL, HDF5_TENSOR, HlTensor)

struct _HlHdf5Tensor
{
  HlTensor parent_instance;

  HlArchive *archive; /* keeps the file open */
  char *name;
  hid_t dataset;
  HlHdf5Storage storage;
  gboolean swapped;
  float fill; /* the value of what was never written */
  gboolean has_chunks;
  guint64 file_size;
};

G_DEFINE_FINAL_TYPE (HlHdf5Tensor, hl_hdf5_tensor, HL_TYPE_TENSOR)

/* A chunk by its place among the chunks; NULL if it was never written. */
static gboolean
get_chunk (HlHdf5Tensor  *self,
           const guint64 *place,
           GBytes       **chunk,
           GError       **error)
{
  const HlHdf5Storage *storage = &self->storage;
  guint64 first[HL_LIMIT_RANK];
  guint64 index = 0;

  *chunk = NULL;
  if (!self->has_chunks)
    return TRUE;
  for (guint i = 0; i < storage->shape.rank; i++)
    {
      index = index * ((storage->shape.dims[i] - 1) / storage->chunk.dims[i] + 1) + place[i];
      first[i] = place[i] * storage->chunk.dims[i];
    }
  *chunk = get_cached_chunk (self, index);
  if (*chunk != NULL)
    return TRUE;
  if (!hl_hdf5_storage_read_chunk (storage, self->dataset, first, self->name, chunk, error))
    return FALSE;
  if (*chunk != NULL)
    cache_chunk (self, index, *chunk);
  return TRUE;
}

/* Puts what a chunk and a region have in common where it belongs in the region. */
static void
copy_part (HlHdf5Tensor  *self,
           const guint64 *place,
           GBytes        *chunk,
           const guint64 *start,
           const guint64 *count,
           float         *target)
{
  const HlHdf5Storage *storage = &self->storage;
  const HlDType dtype = hl_tensor_get_dtype (HL_TENSOR (self));
  const guint rank = storage->shape.rank;
  const guint8 *bytes = chunk != NULL ? g_bytes_get_data (chunk, NULL) : NULL;
  guint64 first[HL_LIMIT_RANK], low[HL_LIMIT_RANK], end[HL_LIMIT_RANK], at[HL_LIMIT_RANK];

  for (guint i = 0; i < rank; i++)
    {
      first[i] = place[i] * storage->chunk.dims[i];
      at[i] = low[i] = MAX (start[i], first[i]);
      end[i] = MIN (start[i] + count[i], first[i] + storage->chunk.dims[i]);
    }
  const guint64 run = end[rank - 1] - low[rank - 1];
  do
    {
      guint64 from = 0, to = 0;
      for (guint i = 0; i < rank; i++)
        {
          from = from * storage->chunk.dims[i] + (at[i] - first[i]);
          to = to * count[i] + (at[i] - start[i]);
        }
      if (bytes != NULL)
        hl_dtype_convert_to_f32 (dtype, self->swapped, bytes + from * storage->element_size, storage->element_size,
                                 target + to, run);
      else
        for (guint64 i = 0; i < run; i++)
          target[to + i] = self->fill;
    }
  while (hl_shape_advance (at, low, end, rank - 1) >= 0);
}

static gboolean
hl_hdf5_tensor_read_f32 (HlTensor      *tensor,
                         const guint64 *start,
                         const guint64 *count,
                         float         *target,
                         GCancellable  *cancellable,
                         GError       **error)
{
  HlHdf5Tensor *self = HL_HDF5_TENSOR (tensor);
  const HlHdf5Storage *storage = &self->storage;
  const guint rank = storage->shape.rank;
  guint64 low[HL_LIMIT_RANK], end[HL_LIMIT_RANK], place[HL_LIMIT_RANK];

  if (rank == 0)
    {
      *target = self->fill;
      return TRUE;
    }
  for (guint i = 0; i < rank; i++)
    {
      if (count[i] == 0)
        return TRUE;
      place[i] = low[i] = start[i] / storage->chunk.dims[i];
      end[i] = (start[i] + count[i] - 1) / storage->chunk.dims[i] + 1;
    }
  do
    {
      g_autoptr (GBytes) chunk = NULL;

      if (g_cancellable_set_error_if_cancelled (cancellable, error) || !get_chunk (self, place, &chunk, error))
        return FALSE;
      copy_part (self, place, chunk, start, count, target);
    }
  while (hl_shape_advance (place, low, end, rank) >= 0);
  return TRUE;
}

/* All chunks lie in the file: what they hold together is never more. The library would have to follow them all to tell how much; of none it
 * knows. */
static guint64
hl_hdf5_tensor_get_stored (HlTensor *tensor)
{
  HlHdf5Tensor *self = HL_HDF5_TENSOR (tensor);

  return self->has_chunks ? self->file_size : 0;
}

/* Whole chunks: as many as such a region can reach into. */
static guint64
hl_hdf5_tensor_get_unpacked (HlTensor      *tensor,
                             const guint64 *count,
                             gboolean      *stays)
{
  HlHdf5Tensor *self = HL_HDF5_TENSOR (tensor);
  const HlHdf5Storage *storage = &self->storage;
  guint64 n_bytes = self->has_chunks ? storage->element_size : 0;

  for (guint i = 0; i < storage->shape.rank; i++)
    {
      const guint64 size = storage->chunk.dims[i], n_chunks = (storage->shape.dims[i] + size - 1) / size;
      const guint64 n_reached = MIN ((count[i] + size - 2) / size + 1, n_chunks);
      if (!g_uint64_checked_mul (&n_bytes, n_bytes, size) || !g_uint64_checked_mul (&n_bytes, n_bytes, n_reached))
        return G_MAXUINT64;
    }
  return n_bytes;
}

static void
hl_hdf5_tensor_finalize (GObject *object)
{
  HlHdf5Tensor *self = HL_HDF5_TENSOR (object);

  forget_chunks (self);
  hl_hdf5_let_go (self->storage.life, self->dataset);
  g_free (self->name);
  g_clear_object (&self->archive);
  G_OBJECT_CLASS (hl_hdf5_tensor_parent_class)->finalize (object);
}

static void
hl_hdf5_tensor_class_init (HlHdf5TensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_hdf5_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_hdf5_tensor_read_f32;
  HL_TENSOR_CLASS (klass)->get_stored = hl_hdf5_tensor_get_stored;
  HL_TENSOR_CLASS (klass)->get_unpacked = hl_hdf5_tensor_get_unpacked;
}

static void
hl_hdf5_tensor_init (HlHdf5Tensor *self)
{
  self->dataset = H5I_INVALID_HID;
}

static HlTensor *
new_in_one_piece (HlArchive           *archive,
                  hid_t                file,
                  HlDType              dtype,
                  gboolean             swapped,
                  const HlHdf5Storage *storage,
                  const char          *name,
                  GError             **error)
{
  g_autoptr (GError) local_error = NULL;
  void *found;

  if (H5Fget_vfd_handle (file, H5P_DEFAULT, &found) < 0)
    {
      hl_hdf5_set_error (error, _ ("“%s” cannot be reached"), name);
      return NULL;
    }
  const HlHdf5Handle *handle = found;
  HlTensor *tensor = hl_file_tensor_new (dtype, &storage->shape, NULL, swapped, G_OBJECT (archive), handle->fd,
                                         &handle->version, storage->offset, &local_error);
  if (tensor == NULL)
    g_propagate_prefixed_error (error, g_steal_pointer (&local_error), _ ("“%s” cannot be read: "), name);
  return tensor;
}

/* Compact datasets lie in the header of the dataset, at most 64 KiB of them. */
static HlTensor *
new_compact (hid_t                dataset,
             hid_t                type,
             HlDType              dtype,
             gboolean             swapped,
             const HlHdf5Storage *storage,
             guint64              n_bytes,
             const char          *name,
             GError             **error)
{
  if (n_bytes > HL_LIMIT_HDF5_ATTRIBUTE || H5Dget_storage_size (dataset) < n_bytes)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("“%s” is damaged: less of it is stored than it announces"),
                   name);
      return NULL;
    }
  g_autofree guint8 *bytes = g_malloc0 (MAX (n_bytes, 1));
  if (H5Dread (dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) < 0)
    {
      hl_hdf5_set_error (error, _ ("the numbers of “%s” cannot be read"), name);
      return NULL;
    }
  g_autoptr (GBytes) all = g_bytes_new_take (g_steal_pointer (&bytes), n_bytes);
  return hl_tensor_new_for_bytes (dtype, &storage->shape, NULL, swapped, all, 0, error);
}

/* What was never written reads as what the file says; where that is not found, as no number. */
static float
get_fill (hid_t    dataset,
          HlDType  dtype,
          gboolean swapped)
{
  const gsize size = hl_dtype_get_size (dtype);
  guint8 value[sizeof (double)];
  float fill;

  g_assert (size <= sizeof value);
  if (!hl_hdf5_read_fill (dataset, value, size))
    return NAN;
  hl_dtype_convert_to_f32 (dtype, swapped, value, size, &fill, 1);
  return fill;
}

/* Whether there are not so many places for chunks that it takes for ever to find that next to nothing was written. Those of
 * a dataset that is all there take some bytes each. */
static gboolean
check_places (const HlHdf5Storage *storage,
              guint64              file_size,
              const char          *name,
              GError             **error)
{
  guint64 n = 1;
  gboolean fits = TRUE;

  for (guint i = 0; i < storage->shape.rank && storage->shape.dims[i] > 0 && fits; i++)
    fits = g_uint64_checked_mul (&n, n, (storage->shape.dims[i] - 1) / storage->chunk.dims[i] + 1);
  if (fits && n <= MAX (HL_LIMIT_HDF5_PLACES, file_size))
    return TRUE;
  g_autofree char *sizes = hl_shape_to_string (&storage->chunk);
  g_set_error (
    error, HL_ERROR, HL_ERROR_TOO_LARGE,
    _ ("“%s” is stored in chunks of %s elements, of which there would be far more than the file has room for; "
       "%d can be looked for in any file"),
    name, sizes, HL_LIMIT_HDF5_PLACES);
  return FALSE;
}

HlTensor *
hl_hdf5_tensor_new (HlArchive  *archive,
                    hid_t       file,
                    hid_t       dataset,
                    const char *name,
                    GError    **error)
{
  g_auto (HlHdf5Id) type = H5Dget_type (dataset);
  HlHdf5Storage storage;
  HlDType dtype;
  gboolean swapped;
  guint64 n_bytes;

  if (type < 0)
    {
      hl_hdf5_set_error (error, _ ("the type of “%s” cannot be read"), name);
      return NULL;
    }
  if (!hl_hdf5_storage_init (&storage, dataset, H5Tget_size (type), name, error))
    return NULL;
  if (!hl_hdf5_get_dtype (type, &dtype, &swapped))
    {
      g_autofree char *kind = hl_hdf5_describe_type (type);
      g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("“%s” holds %s, not numbers that can be shown"), name, kind);
      return NULL;
    }
  if (storage.layout == H5D_CONTIGUOUS && storage.offset != HADDR_UNDEF)
    return new_in_one_piece (archive, file, dtype, swapped, &storage, name, error);
  if (storage.layout == H5D_COMPACT && hl_shape_get_n_bytes (&storage.shape, storage.element_size, &n_bytes))
    return new_compact (dataset, type, dtype, swapped, &storage, n_bytes, name, error);

  const guint64 file_size = hl_hdf5_get_file_size (file);
  const gboolean has_chunks = storage.layout == H5D_CHUNKED && !hl_hdf5_storage_lacks_chunks (dataset);
  if (has_chunks && !check_places (&storage, file_size, name, error))
    return NULL;

  HlHdf5Tensor *self = g_object_new (HL_TYPE_HDF5_TENSOR, NULL);
  hl_tensor_set_layout (HL_TENSOR (self), dtype, &storage.shape);
  self->archive = g_object_ref (archive);
  self->name = g_strdup (name);
  self->storage = storage;
  self->swapped = swapped;
  self->fill = get_fill (dataset, dtype, swapped);
  self->has_chunks = has_chunks;
  self->file_size = file_size;
  H5Iinc_ref (dataset);
  self->dataset = dataset;
  return HL_TENSOR (self);
}
