/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"

G_BEGIN_DECLS

gboolean   hl_npy_archive_recognise (GFile         *file,
                                     const guint8  *head,
                                     gsize          size);
HlArchive *hl_npy_archive_open      (GFile         *file,
                                     HlProgress    *progress,
                                     GCancellable  *cancellable,
                                     GError       **error);
gboolean   hl_zip_archive_recognise (GFile         *file,
                                     const guint8  *head,
                                     gsize          size);
HlArchive *hl_zip_archive_open      (GFile         *file,
                                     HlProgress    *progress,
                                     GCancellable  *cancellable,
                                     GError       **error);

G_END_DECLS
