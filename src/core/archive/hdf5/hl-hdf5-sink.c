/* SPDX-License-Identifier: MIT */
/* Where the library writes: into a descriptor, as the file behind it may have no name. The library's own driver wants one, and wraps what
 * the system says about a full disk in times, names and addresses. */
#include "core/archive/hdf5/hl-hdf5-driver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The name is the number of the descriptor. */
static H5FD_t *
sink_open (const char *name,
           unsigned    flags,
           hid_t       access,
           haddr_t     largest)
{
  const int fd = flags & H5F_ACC_TRUNC ? fcntl (atoi (name), F_DUPFD_CLOEXEC, 0) : -1;

  return fd >= 0 ? hl_hdf5_driver_new (&(HlHdf5Handle){ .fd = fd }, 0) : NULL;
}

static herr_t
sink_query (const H5FD_t  *file,
            unsigned long *flags)
{
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

/* What was never written is 0. */
static herr_t
sink_read (H5FD_t    *file,
           H5FD_mem_t type,
           hid_t      transfer,
           haddr_t    address,
           size_t     size,
           void      *target)
{
  const HlHdf5Driver *self = (const HlHdf5Driver *) file;
  guint8 *at = target;

  while (size > 0)
    {
      const gssize n = pread (self->handle->fd, at, size, (off_t) address);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return hl_hdf5_driver_refuse (H5E_READERROR, g_strerror (errno));
      if (n == 0)
        {
          memset (at, 0, size);
          break;
        }
      at += n;
      address += (haddr_t) n;
      size -= (size_t) n;
    }
  return 0;
}

/* The library is not told of a full disk: it does not recover from that, keeps open what it cannot close, and crashes later (1.10.8).
 * Who writes asks whether all was written. */
static void
note_error (HlHdf5Driver *self)
{
  if (self->handle->write_error == 0)
    self->handle->write_error = errno;
}

static herr_t
sink_write (H5FD_t     *file,
            H5FD_mem_t  type,
            hid_t       transfer,
            haddr_t     address,
            size_t      size,
            const void *source)
{
  HlHdf5Driver *self = (HlHdf5Driver *) file;
  const guint8 *at = source;

  self->end_of_file = MAX (self->end_of_file, address + size);
  while (size > 0)
    {
      const gssize n = pwrite (self->handle->fd, at, size, (off_t) address);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          note_error (self);
          break;
        }
      at += n;
      address += (haddr_t) n;
      size -= (size_t) n;
    }
  return 0;
}

static herr_t
sink_truncate (H5FD_t *file,
               hid_t   transfer,
               hbool_t closing)
{
  HlHdf5Driver *self = (HlHdf5Driver *) file;

  if (self->end_of_file == self->end_of_space)
    return 0;
  if (ftruncate (self->handle->fd, (off_t) self->end_of_space) != 0)
    note_error (self);
  self->end_of_file = self->end_of_space;
  return 0;
}

static const H5FD_class_t sink_class = {
  HL_HDF5_DRIVER_CLASS, .name = "headlight-sink", .fc_degree = H5F_CLOSE_WEAK, .open = sink_open,
  .query = sink_query,  .read = sink_read,        .write = sink_write,         .truncate = sink_truncate,
};

/* Begins a file in what a descriptor is open for, which is empty. Without times, the same content gives the same bytes. */
hid_t
hl_hdf5_create_file (int fd)
{
  static hid_t driver;
  static guint life; /* of the library, whose the driver is */
  g_auto (HlHdf5Id) access = H5Pcreate (H5P_FILE_ACCESS);
  g_auto (HlHdf5Id) properties = H5Pcreate (H5P_FILE_CREATE);
  g_autofree char *name = g_strdup_printf ("%d", fd);

  /* Kept, for a file that closes as the last of its driver still calls it then (1.10.8). */
  if (hl_hdf5_is_new_life (&life))
    driver = H5FDregister (&sink_class);
  if (H5Pset_driver (access, driver, NULL) < 0 || H5Pset_obj_track_times (properties, 0) < 0)
    return H5I_INVALID_HID;
  return hl_hdf5_keep (H5Fcreate (name, H5F_ACC_TRUNC, properties, access));
}
