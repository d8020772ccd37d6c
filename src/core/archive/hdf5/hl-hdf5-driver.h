/* SPDX-License-Identifier: MIT */
/* What our drivers of the library share, that which reads and that which writes: a descriptor, how far the library means to go in the file behind it,
 * and how far that goes. */
#pragma once

#include "core/archive/hdf5/hl-hdf5.h"

#if H5_VERSION_GE(1, 13, 2)
#include <H5FDdevelop.h>
#endif

typedef struct
{
  H5FD_t parent; /* the library's own part comes first */
  HlHdf5Handle *handle;
  haddr_t end_of_space; /* as far as the library means to go */
  haddr_t end_of_file;
} HlHdf5Driver;

H5FD_t *hl_hdf5_driver_new              (const HlHdf5Handle *handle,
                                         haddr_t        end_of_file);
herr_t  hl_hdf5_driver_close            (H5FD_t        *file);
haddr_t hl_hdf5_driver_get_end_of_space (const H5FD_t  *file,
                                         H5FD_mem_t     type);
herr_t  hl_hdf5_driver_set_end_of_space (H5FD_t        *file,
                                         H5FD_mem_t     type,
                                         haddr_t        address);
haddr_t hl_hdf5_driver_get_end_of_file  (const H5FD_t  *file,
                                         H5FD_mem_t     type);
herr_t  hl_hdf5_driver_get_handle       (H5FD_t        *file,
                                         hid_t          access,
                                         void         **handle);
herr_t  hl_hdf5_driver_refuse           (hid_t          code,
                                         const char    *reason);

/* What every driver begins with. */
#ifdef H5FD_CLASS_VERSION
#define HL_HDF5_DRIVER_VERSION .version = H5FD_CLASS_VERSION, .value = H5_VFD_RESERVED,
#else
#define HL_HDF5_DRIVER_VERSION
#endif
#define HL_HDF5_DRIVER_CLASS                                                                                           \
  HL_HDF5_DRIVER_VERSION                                                                                               \
  .maxaddr = G_MAXINT64, .close = hl_hdf5_driver_close, .get_eoa = hl_hdf5_driver_get_end_of_space,                    \
  .set_eoa = hl_hdf5_driver_set_end_of_space, .get_eof = hl_hdf5_driver_get_end_of_file,                               \
  .get_handle = hl_hdf5_driver_get_handle, .fl_map = H5FD_FLMAP_DICHOTOMY
