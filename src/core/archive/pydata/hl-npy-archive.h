/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"
#include "core/archive/pydata/hl-zip-reader.h"

G_BEGIN_DECLS

gboolean   hl_npy_archive_recognise    (GFile         *file,
                                        const guint8  *head,
                                        gsize          size);
HlArchive *hl_npy_archive_open         (GFile         *file,
                                        HlProgress    *progress,
                                        GCancellable  *cancellable,
                                        GError       **error);
gboolean   hl_npy_archive_is_npz       (HlZipReader   *zip);
HlArchive *hl_npy_archive_new_for_zip  (HlZipReader   *zip,
                                        GCancellable  *cancellable,
                                        GError       **error);

G_END_DECLS
