/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive-writer.h"

G_BEGIN_DECLS

#define HL_TYPE_HDF5_WRITER (hl_hdf5_writer_get_type ())
G_DECLARE_FINAL_TYPE (HlHdf5Writer, hl_hdf5_writer, HL, HDF5_WRITER, GObject)

HlArchiveWriter *hl_hdf5_writer_new (GFile   *file,
                                    GError **error);

G_END_DECLS
