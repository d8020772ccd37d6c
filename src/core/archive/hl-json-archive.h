/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"

G_BEGIN_DECLS

#define HL_TYPE_JSON_ARCHIVE (hl_json_archive_get_type ())
G_DECLARE_FINAL_TYPE (HlJsonArchive, hl_json_archive, HL, JSON_ARCHIVE, GObject)

gboolean   hl_json_archive_recognise (GFile        *file,
                                     const guint8 *head,
                                     gsize         size);
HlArchive *hl_json_archive_open      (GFile         *file,
                                     HlProgress    *progress,
                                     GCancellable  *cancellable,
                                     GError       **error);

G_END_DECLS
