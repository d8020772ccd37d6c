/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"
#include "core/archive/pydata/hl-pickle.h"
#include "core/archive/pydata/hl-zip-reader.h"

G_BEGIN_DECLS

const HlZipMember *hl_torch_archive_find_pickle (HlZipReader   *zip);
HlArchive         *hl_torch_archive_new_for_zip (HlZipReader   *zip,
                                                 GCancellable  *cancellable,
                                                 GError       **error);
gboolean           hl_torch_archive_recognise   (GFile         *file,
                                                 const guint8  *head,
                                                 gsize          size);
HlArchive         *hl_torch_archive_open        (GFile         *file,
                                                 HlProgress    *progress,
                                                 GCancellable  *cancellable,
                                                 GError       **error);
HlArchive         *hl_torch_archive_open_mapped (GFile        *file,
                                                 GError      **error);
HlPickleValue     *hl_torch_archive_unpack      (HlPickleHeap  *heap,
                                                 HlPickleValue *bytes,
                                                 gpointer       cancellable,
                                                 GError       **error);

G_END_DECLS
