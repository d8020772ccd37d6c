/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"

G_BEGIN_DECLS

#define HL_TYPE_HDF5_ARCHIVE (hl_hdf5_archive_get_type ())
G_DECLARE_FINAL_TYPE (HlHdf5Archive, hl_hdf5_archive, HL, HDF5_ARCHIVE, GObject)

gboolean   hl_hdf5_archive_recognise (GFile        *file,
                                     const guint8 *head,
                                     gsize         size);
HlArchive *hl_hdf5_archive_open      (GFile         *file,
                                     HlProgress    *progress,
                                     GCancellable  *cancellable,
                                     GError       **error);

G_END_DECLS
