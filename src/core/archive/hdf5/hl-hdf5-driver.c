/* SPDX-License-Identifier: MIT */
#include "core/archive/hdf5/hl-hdf5-driver.h"

#include <unistd.h>

static void
close_handle (gpointer data)
{
  close (((HlHdf5Handle *) data)->fd);
}

void
hl_hdf5_handle_unref (HlHdf5Handle *self)
{
  g_atomic_rc_box_release_full (self, close_handle);
}

/* Takes the descriptor. */
H5FD_t *
hl_hdf5_driver_new (const HlHdf5Handle *handle,
                    haddr_t             end_of_file)
{
  HlHdf5Driver *self = g_new0 (HlHdf5Driver, 1);

  self->handle = g_atomic_rc_box_new (HlHdf5Handle);
  *self->handle = *handle;
  self->end_of_file = end_of_file;
  return &self->parent;
}

herr_t
hl_hdf5_driver_close (H5FD_t *file)
{
  HlHdf5Driver *self = (HlHdf5Driver *) file;

  hl_hdf5_handle_unref (self->handle);
  g_free (self);
  return 0;
}

haddr_t
hl_hdf5_driver_get_end_of_space (const H5FD_t *file,
                                 H5FD_mem_t    type)
{
  return ((const HlHdf5Driver *) file)->end_of_space;
}

herr_t
hl_hdf5_driver_set_end_of_space (H5FD_t    *file,
                                 H5FD_mem_t type,
                                 haddr_t    address)
{
  ((HlHdf5Driver *) file)->end_of_space = address;
  return 0;
}

haddr_t
hl_hdf5_driver_get_end_of_file (const H5FD_t *file,
                                H5FD_mem_t    type)
{
  return ((const HlHdf5Driver *) file)->end_of_file;
}

herr_t
hl_hdf5_driver_get_handle (H5FD_t *file,
                           hid_t   access,
                           void  **handle)
{
  *handle = ((HlHdf5Driver *) file)->handle;
  return 0;
}

/* Leaves the reason on the library's stack of errors, where hl_hdf5_set_error() finds it. */
herr_t
hl_hdf5_driver_refuse (hid_t       code,
                       const char *reason)
{
  H5Epush2 (H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_IO, code, "%s", reason);
  return -1;
}
