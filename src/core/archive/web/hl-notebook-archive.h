/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"

G_BEGIN_DECLS

gboolean   hl_notebook_archive_recognise (GFile        *file,
                                         const guint8 *head,
                                         gsize         size);
HlArchive *hl_notebook_archive_open      (GFile        *file,
                                         HlProgress   *progress,
                                         GCancellable *cancellable,
                                         GError      **error);
HlArchive *hl_notebook_archive_read      (const char   *text,
                                         gsize         size,
                                         gboolean      is_mapped,
                                         gsize         max_output,
                                         HlProgress   *progress,
                                         GCancellable *cancellable,
                                         GError      **error);

G_END_DECLS
