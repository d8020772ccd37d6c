/* SPDX-License-Identifier: MIT */
/* How the HDF5 library reads a file. Its own driver takes two files at the same place for one, and then shows what was
 * there when the first was opened, although another program has written the file anew since. It also locks files, and
 * takes what lies behind their end for zeros. This one only reads, without a lock, and each file that is opened is one
 * of its own. */
#include "core/archive/hdf5/hl-hdf5.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#if H5_VERSION_GE(1, 13, 2)
#include <H5FDdevelop.h>
#endif

typedef struct
{
  H5FD_t parent; /* the library's own part comes first */
  int fd;
  haddr_t end_of_space; /* as far as the library means to go */
  haddr_t end_of_file;
} HdfFile;

static H5FD_t *
driver_open (const char *name,
             unsigned    flags,
             hid_t       access,
             haddr_t     largest)
{
  struct stat info;
  const int fd = flags & H5F_ACC_RDWR ? -1 : open (name, O_RDONLY | O_CLOEXEC);

  if (fd < 0)
    return NULL;
  if (fstat (fd, &info) != 0 || !S_ISREG (info.st_mode))
    {
      close (fd);
      return NULL;
    }
  HdfFile *self = g_new0 (HdfFile, 1);
  self->fd = fd;
  self->end_of_file = (haddr_t) info.st_size;
  return &self->parent;
}

static herr_t
driver_close (H5FD_t *file)
{
  HdfFile *self = (HdfFile *) file;

  close (self->fd);
  g_free (self);
  return 0;
}

static herr_t
driver_query (const H5FD_t  *file,
              unsigned long *flags)
{
  /* Not those that gather reads: the buffers they gather in are overrun by addresses near the end of the space
   * (1.10.8). */
  *flags = H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

static haddr_t
driver_get_end_of_space (const H5FD_t *file,
                         H5FD_mem_t    type)
{
  return ((const HdfFile *) file)->end_of_space;
}

static herr_t
driver_set_end_of_space (H5FD_t     *file,
                         H5FD_mem_t  type,
                         haddr_t     address)
{
  ((HdfFile *) file)->end_of_space = address;
  return 0;
}

static haddr_t
driver_get_end_of_file (const H5FD_t *file,
                        H5FD_mem_t    type)
{
  return ((const HdfFile *) file)->end_of_file;
}

static herr_t
driver_get_handle (H5FD_t  *file,
                   hid_t    access,
                   void   **handle)
{
  *handle = &((HdfFile *) file)->fd;
  return 0;
}

/* Leaves the reason on the library's stack of errors, where hl_hdf5_set_error() finds it. */
static herr_t
refuse (hid_t       code,
        const char *reason)
{
  H5Epush2 (H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_IO, code, "%s", reason);
  return -1;
}

/* While a chunk is read, how much room there is for it, otherwise 0; guarded by the lock. What the library says about
 * the size of a chunk is not always what it then reads. */
static gsize room_for_chunk;

/* A global heap, where strings of variable length lie and what virtual datasets are made of. Strings are read elsewhere
 * and virtual datasets not at all, so the library has no business there: its reader of heaps (1.10.8) runs in circles
 * or beyond their end when they are damaged. */
static gboolean
is_heap (const guint8 *bytes,
         size_t        size)
{
  return size >= 4 && memcmp (bytes, "GCOL", 4) == 0;
}

/* The head of a local heap, where names of members lie: signature, version, three zeros, and a size, which the library
 * adds to without a look at how large it is. Sizes take 8 bytes in every file that the library writes unless it is told
 * otherwise. */
static gboolean
is_sound_local_heap (const guint8 *bytes,
                     size_t        size,
                     haddr_t       end_of_file)
{
  guint64 heap_size;

  if (size < 4 || memcmp (bytes, "HEAP", 4) != 0)
    return TRUE;
  if (size < 32)
    return FALSE;
  memcpy (&heap_size, bytes + 8, sizeof heap_size);
  return GUINT64_FROM_LE (heap_size) <= end_of_file;
}

static herr_t
driver_read (H5FD_t     *file,
             H5FD_mem_t  type,
             hid_t       transfer,
             haddr_t     address,
             size_t      size,
             void       *target)
{
  const HdfFile *self = (const HdfFile *) file;
  size_t done = 0;

  if (room_for_chunk > 0 && type == H5FD_MEM_DRAW && size > room_for_chunk)
    return refuse (H5E_BADVALUE, "a chunk is longer than it should be");
  while (done < size)
    {
      const gssize n = address + done < self->end_of_file
                         ? pread (self->fd, (guint8 *) target + done, size - done, (off_t) (address + done))
                         : 0;
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return refuse (H5E_READERROR, g_strerror (errno));
      if (n == 0)
        return refuse (H5E_TRUNCATED, "something lies behind the end of the file");
      done += (size_t) n;
    }
  /* Numbers may look like anything. */
  if (room_for_chunk == 0 && is_heap (target, size))
    return refuse (H5E_UNSUPPORTED, "a global heap");
  if (room_for_chunk == 0 && !is_sound_local_heap (target, size, self->end_of_file))
    return refuse (H5E_BADVALUE, "a heap of names is longer than the file");
  return 0;
}

static herr_t
driver_write (H5FD_t     *file,
              H5FD_mem_t  type,
              hid_t       transfer,
              haddr_t     address,
              size_t      size,
              const void *source)
{
  return -1;
}

static const H5FD_class_t driver_class = {
#ifdef H5FD_CLASS_VERSION
  .version = H5FD_CLASS_VERSION,
  .value = H5_VFD_RESERVED,
#endif
  .name = "headlight",
  .maxaddr = G_MAXINT64,
  .fc_degree = H5F_CLOSE_STRONG,
  .open = driver_open,
  .close = driver_close,
  .query = driver_query,
  .get_eoa = driver_get_end_of_space,
  .set_eoa = driver_set_end_of_space,
  .get_eof = driver_get_end_of_file,
  .get_handle = driver_get_handle,
  .read = driver_read,
  .write = driver_write,
  .fl_map = H5FD_FLMAP_DICHOTOMY,
};

/**
 * hl_hdf5_open_file: (skip)
 * @path: a local file
 * @error: %HL_ERROR_TRUNCATED, %HL_ERROR_CORRUPT
 *
 * Opens a file to read. With the lock held.
 *
 * Returns: (transfer full): the file, or a negative number
 */
hid_t
hl_hdf5_open_file (const char  *path,
                   GError     **error)
{
  static hid_t driver = H5I_INVALID_HID;
  g_auto (HlHdf5Id) access = H5Pcreate (H5P_FILE_ACCESS);

  if (driver < 0)
    driver = H5FDregister (&driver_class);
  H5Pset_driver (access, driver, NULL);
  H5Pset_fclose_degree (access, H5F_CLOSE_STRONG);
  /* Chunks are unpacked and kept elsewhere. */
  H5Pset_cache (access, 0, 1, 0, 0);
  const hid_t file = H5Fopen (path, H5F_ACC_RDONLY, access);
  if (file < 0)
    hl_hdf5_set_error (error, _ ("it cannot be opened as HDF5"));
  return file;
}

/**
 * hl_hdf5_read_stored_chunk: (skip)
 * @dataset: an open dataset
 * @offset: (array): the first element of a chunk
 * @skipped: (out): a bit for each filter that was not applied to it
 * @target: room for the chunk as it is stored
 * @size: how much room
 *
 * With the lock held.
 *
 * Returns: negative if that failed
 */
herr_t
hl_hdf5_read_stored_chunk (hid_t          dataset,
                           const hsize_t *offset,
                           guint32       *skipped,
                           void          *target,
                           gsize          size)
{
  room_for_chunk = size;
  const herr_t result = H5Dread_chunk (dataset, H5P_DEFAULT, offset, skipped, target);
  room_for_chunk = 0;
  return result;
}
