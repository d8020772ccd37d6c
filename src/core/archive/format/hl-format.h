/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive-writer.h"
#include "core/archive/hl-archive.h"

G_BEGIN_DECLS

HlArchive       *hl_archive_open       (GFile         *file,
                                        HlProgress    *progress,
                                        GCancellable  *cancellable,
                                        GError       **error);
HlArchiveWriter *hl_archive_writer_new (GFile         *file,
                                        GError       **error);

G_END_DECLS
